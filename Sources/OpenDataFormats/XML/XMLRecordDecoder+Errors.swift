import OpenDataCore

extension XMLRecordDecoder {
    /// The error for a stop of what began at an index; `nil` if a later window, or the next batch, is to deal with it.
    func failure(
        _ stop: XMLStop, _ start: Int, _ bytes: Span<UInt8>, _ batch: RecordBatch, isLast: Bool, isInRecord: Bool
    ) -> OpenDataError? {
        XMLFailure(
            line: line, byteOffset: batch.byteOffset,
            record: isInRecord ? batch.recordOffset + batch.readCount + 1 : nil, isLast: isLast
        ).error(stop, bytes, walker)
    }

    /// The error for a sound document that has none of the layout's paths.
    func missingRecords() -> OpenDataError {
        OpenDataError(
            .schemaChanged,
            "there are no elements at \(layout.records.joined(separator: " or ")); the elements found are "
                + found.names.joined(separator: ", "))
    }
}

/// Makes errors of stops.
struct XMLFailure {
    /// Lines counted up to somewhere before the stop.
    var line: XMLLine
    /// The offset of the window in the text.
    var byteOffset: Int
    /// The record under way, from 1.
    var record: Int?
    /// Whether the payload ends with the window.
    var isLast: Bool

    /// The error for a stop; `nil` if a later window, or the next batch, is to deal with it.
    func error(_ stop: XMLStop, _ bytes: Span<UInt8>, _ walker: XMLWalker) -> OpenDataError? {
        switch stop {
        case .newColumn: return nil
        case .needsMore:
            guard isLast else { return nil }
            if walker.isBlank {
                return OpenDataError(.emptyBody, "there is nothing but white space")
            }
            let sentence =
                record != nil
                ? "the document ends in the middle of a record" : "the document ends before its root element does"
            return OpenDataError(.truncated, sentence, position: position(bytes.count, bytes))
        case .unexpected(let index, let wanted):
            guard let found = describe(bytes, index) else { return nil }
            return OpenDataError(
                .malformed, "not XML: expected \(wanted), found \(found)", position: position(index, bytes))
        case .broken(let index, let sentence):
            return OpenDataError(.malformed, "not XML: \(sentence)", position: position(index, bytes))
        case .tooDeep(let index):
            return OpenDataError(
                .tooLarge, "elements are nested deeper than \(XMLWalker.maximumDepth) levels",
                position: position(index, bytes))
        case .tooMany(let index, let sentence):
            return OpenDataError(.tooLarge, sentence, position: position(index, bytes))
        }
    }

    private func position(_ index: Int, _ bytes: Span<UInt8>) -> Position {
        var line = line
        line.advance(to: index, bytes)
        return Position(record: record, line: line.number, column: index - line.start + 1, byte: byteOffset + index)
    }

    /// The byte or letter at an index in words; `nil` if its letter goes on in the next window.
    private func describe(_ bytes: Span<UInt8>, _ index: Int) -> String? {
        let byte = bytes[index]
        switch byte {
        case 0x09: return "a tab"
        case 0x0A: return "a line feed"
        case 0x0D: return "a carriage return"
        case 0x20: return "a space"
        case ..<0x20, 0x7F: return "the control character 0x\(String(byte, radix: 16, uppercase: true))"
        case ..<0x80: return "'\(Character(Unicode.Scalar(byte)))'"
        default:
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            if index + length > bytes.count, !isLast { return nil }
            return "'\(XMLText.string(bytes, index..<min(index + length, bytes.count)))'"
        }
    }
}
