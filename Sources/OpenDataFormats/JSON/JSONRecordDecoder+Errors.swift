import OpenDataCore

extension JSONRecordDecoder {
    /// The error for a stop; `nil` if a later window, or the next batch, is to deal with it.
    func failure(
        _ stop: JSONStop, _ place: JSONScanner.Place, _ bytes: Span<UInt8>, _ batch: RecordBatch, isLast: Bool
    ) -> OpenDataError? {
        func position(_ index: Int) -> Position {
            let isInRecord = phase == .elements || phase == .keyed || phase == .sequence
            return Position(
                record: isInRecord ? batch.recordOffset + batch.readCount + 1 : nil, line: place.line,
                column: index - place.lineStart + 1, byte: batch.byteOffset + index)
        }
        switch stop {
        case .newColumn(let index):
            guard layout.columns != nil else { return nil }
            return OpenDataError(
                .schemaChanged,
                "the record has the key \(JSONRecordDecoder.key(at: index, bytes)), which is none of the columns known "
                    + "beforehand", position: position(index))
        case .uneven(let message):
            return OpenDataError(.malformed, message, position: position(place.index))
        case .needsMore:
            guard isLast else { return nil }
            let part =
                switch phase {
                case .elements: "the array of records"
                case .keyed: "the object of records"
                case .single: "the record"
                case .columns: "the object of columns"
                case .sequence: "a record"
                case .members: "the object around the records"
                case .start, .end: "its first value"
                }
            return OpenDataError(
                .truncated, "the document ends in the middle of \(part)", position: position(bytes.count))
        case .unexpected(let index, let wanted):
            guard let found = JSONRecordDecoder.describe(bytes, index, isLast: isLast) else { return nil }
            return OpenDataError(
                .malformed, "not JSON: expected \(wanted.rawValue), found \(found)", position: position(index))
        case .tooDeep(let index):
            return OpenDataError(
                .tooLarge, "objects and arrays are nested deeper than \(JSONScanner.maximumDepth) levels",
                position: position(index))
        case .tooLong(let index):
            return OpenDataError(
                .tooLarge, "a value has more than \(Cell.maximumLength >> 20) MiB", position: position(index))
        case .tooManyColumns(let index):
            return OpenDataError(
                .tooLarge,
                "the records have more than \(JSONColumns.maximumCount) different keys; "
                    + "is this an object of records by key rather than a record?", position: position(index))
        case .schema(let problem):
            return OpenDataError(.schemaChanged, describe(problem, bytes, place), position: position(place.index))
        }
    }

    /// The error for a sound document that has none of the layout's paths.
    func missingRecords() -> OpenDataError {
        OpenDataError(
            .schemaChanged,
            "there are no records at \(paths); "
                + (found.names.isEmpty
                    ? "the document is an empty object"
                    : "the members found are \(found.names.joined(separator: ", "))"))
    }

    private var paths: String { layout.records.joined(separator: " or ") }

    private func describe(_ problem: JSONSchemaProblem, _ bytes: Span<UInt8>, _ place: JSONScanner.Place) -> String {
        switch problem {
        case .document:
            "there are no records at \(paths); the document is a single value or an array"
        case .noFields:
            "the records are arrays, and no member '\(layout.fields ?? "fields")' with strings beside them names their "
                + "columns; "
                + "the members found are \(found.names.joined(separator: ", "))"
        case .secondTable:
            "there are records at '\(recordsPath ?? "")' and again at another of \(paths); which are meant is unclear"
        }
    }

    /// The key that begins at an index, between quotes, shortened.
    private static func key(at index: Int, _ bytes: Span<UInt8>) -> String {
        var scanner = JSONScanner(at: JSONScanner.Place(index: index), isLast: true)
        guard (try? scanner.string(bytes)) != nil else { return "" }
        return "'\(JSONStrings.text(bytes, (index + 1)..<(scanner.place.index - 1)).prefix(100))'"
    }

    /// The byte or letter at an index in words; `nil` if its letter goes on in the next window.
    private static func describe(_ bytes: Span<UInt8>, _ index: Int, isLast: Bool) -> String? {
        let byte = bytes[index]
        switch byte {
        case 0x09: return "a tab"
        case 0x0A: return "a line feed"
        case 0x0D: return "a carriage return"
        case ..<0x20, 0x7F: return "the control character 0x\(String(byte, radix: 16, uppercase: true))"
        case ..<0x80: return "'\(Character(Unicode.Scalar(byte)))'"
        default:
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            if index + length > bytes.count, !isLast { return nil }
            var letter: [UInt8] = []
            for next in index..<min(index + length, bytes.count) { letter.append(bytes[next]) }
            return "'\(String(decoding: letter, as: UTF8.self))'"
        }
    }
}
