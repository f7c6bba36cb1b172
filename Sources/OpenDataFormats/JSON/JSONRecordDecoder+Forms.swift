import OpenDataCore

// Records that are written in other ways than as an array of objects.
extension JSONRecordDecoder {
    /// Reads the name of a record in an object of records, with the colon behind it.
    func keyCell(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> Cell {
        let start = scanner.place.index
        guard try scanner.peek(bytes) == JSONStrings.quote else { throw .unexpected(at: start, wanted: .key) }
        let cell = try scanner.cell(bytes, depth: depth)
        scanner.skipSpace(bytes)
        try scanner.take(UInt8(ascii: ":"), bytes, else: .colon)
        scanner.skipSpace(bytes)
        return cell
    }

    /// Reads the first row of an array of rows, which names their columns.
    ///
    /// A name that is no text is taken as it is written.
    mutating func readHeader(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        var cells: [Cell] = []
        _ = try scanner.row(bytes, into: &cells, depth: depth)
        scanner.skipSpace(bytes)
        let next = try scanner.peek(bytes)
        guard next == UInt8(ascii: ",") || next == UInt8(ascii: "]") else {
            throw .unexpected(at: scanner.place.index, wanted: .commaOrBracket)
        }
        // A comma that ends the document is left, as behind a record.
        isBehindComma =
            next == UInt8(ascii: ",") && !(scanner.isLast && scanner.place.index + 1 == bytes.count)
        if isBehindComma { scanner.place.index += 1 }
        let names = cells.map { JSONRecordDecoder.name($0, bytes).droppingByteOrderMark }
        columns = Columns(layout.hasUniqueNames ? JSONLayout.uniqueNames(names) : names)
        (kind, isFirst) = (.rows, false)
    }

    private static func name(_ cell: Cell, _ bytes: Span<UInt8>) -> String {
        switch cell.kind {
        case .text, .number: return JSONStrings.text(bytes, cell.range)
        case .boolean: return cell.boolean ? "true" : "false"
        case .json:
            var copy: ArraySlice<UInt8> = []
            for index in cell.range { copy.append(bytes[index]) }
            let count = JSONStrings.minify(&copy, copy.indices)
            return String(decoding: copy.prefix(count), as: UTF8.self)
        default: return ""
        }
    }

    /// Looks at what stands behind the only record, or the object of columns, in what is around it.
    ///
    /// It is left to be read, so that records are not the last that is seen of a document which ends before it should.
    func lookBehind(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        guard let level = levels.last else { return }
        scanner.skipSpace(bytes)
        let next = try scanner.peek(bytes)
        guard next == UInt8(ascii: ",") || next == (level.isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) else {
            throw .unexpected(at: scanner.place.index, wanted: level.isArray ? .commaOrBracket : .commaOrBrace)
        }
    }

    /// Reads an object whose members are columns, and turns it into records.
    mutating func readColumns(
        _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>, _ batch: inout RecordBatch
    ) throws(JSONStop) {
        let start = scanner.place
        var (names, values): ([String], [[Cell]]) = ([], [])
        var beside: [(name: String, value: Range<Int>)] = []
        scanner.hasEscapes = false
        try scanner.take(UInt8(ascii: "{"), bytes.span, else: .value)
        scanner.skipSpace(bytes.span)
        var isEmpty = try scanner.peek(bytes.span) == UInt8(ascii: "}")
        if isEmpty { scanner.place.index += 1 }
        while !isEmpty {
            let key = try keyCell(&scanner, bytes.span)
            let name = JSONStrings.text(bytes.span, key.range).droppingByteOrderMark
            let valueStart = scanner.place.index
            let isWanted = layout.columns?.contains { $0.utf8.elementsEqual(name.utf8) } ?? true
            if isWanted, try scanner.peek(bytes.span) == UInt8(ascii: "[") {
                var cells: [Cell] = []
                _ = try scanner.row(bytes.span, into: &cells, depth: depth + 1)
                if names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                    throw .uneven("the column '\(name)' stands twice")
                }
                if let first = values.first, first.count != cells.count {
                    throw .uneven(
                        "the columns '\(names[0])' and '\(name)' have \(first.count) and \(cells.count) values; those of "
                            + "a record must stand at the same place of each")
                }
                guard names.count < JSONColumns.maximumCount else { throw .tooManyColumns(at: key.offset) }
                names.append(name)
                values.append(cells)
            } else {
                _ = try scanner.skipValue(bytes.span, depth: depth + 1)
                beside.append((name, valueStart..<scanner.place.index))
            }
            scanner.skipSpace(bytes.span)
            let next = try scanner.peek(bytes.span)
            guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") else {
                throw .unexpected(at: scanner.place.index, wanted: .commaOrBrace)
            }
            scanner.place.index += 1
            isEmpty = next == UInt8(ascii: "}")
            scanner.skipSpace(bytes.span)
        }
        try lookBehind(&scanner, bytes.span)
        for (name, value) in beside {
            let path = recordsPath.map { "\($0).\(name)" } ?? name
            found.note(path)
            found.take(bytes.span.extracting(value), as: path)
        }
        // In the order that was asked for, where one was; what has not come is absent.
        let order = layout.columns ?? names
        let places = order.map { name in names.firstIndex { $0.utf8.elementsEqual(name.utf8) } }
        columns = Columns(order)
        batch.columns = columns
        for row in 0..<(values.first?.count ?? 0) {
            for place in places { batch.cells.append(place.map { values[$0][row] } ?? .absent) }
            batch.origins.append(
                RecordOrigin(
                    record: batch.recordOffset + row + 1, line: start.line, byte: batch.byteOffset + start.index))
        }
        if scanner.hasEscapes { JSONRecordDecoder.unescape(&batch.cells, from: 0, in: &bytes) }
        kind = .scalars
    }
}
