public import OpenDataCore

/// Decodes delimited text: RFC 4180, and what real files do beyond it.
///
/// Taken as they come: LF, CRLF and lone CR as ends of records; quoted and bare cells side by side; line breaks in quotes;
/// a quote inside a bare cell (text); a quote inside a quoted cell that no delimiter or line end follows (text); spaces
/// between a closing quote and the delimiter; `="0050"`, by which spreadsheets mark text; cells beyond the header's that
/// are empty; lines without a single byte, which are no records; header cells without a name at the end.
///
/// Rejected, with the line and both counts: a record with fewer cells than the header has names, or with text beyond them.
/// Refused: a quote that is never closed.
public struct CSVDecoder: ChunkDecoder {
    private let dialect: CSVDialect
    private var columns: Columns?
    private var titleRowsLeft: Int
    /// The physical line that the next record begins on, from 1.
    public var line = 1
    private var title: [String] = []
    private var notes: [UInt8] = []
    private var isInNotes = false

    /// Makes a decoder for a dialect.
    public init(_ dialect: CSVDialect = CSVDialect()) {
        self.dialect = dialect
        titleRowsLeft = dialect.titleRows
    }

    /// `title`, the records before the header, and `notes`, the text after the table.
    public var members: [String: String] {
        var members: [String: String] = [:]
        if !title.isEmpty { members["title"] = title.joined(separator: "\n") }
        if !notes.isEmpty { members["notes"] = String(decoding: notes, as: UTF8.self) }
        return members
    }

    /// Decodes the whole records of a window: see ``RecordDecoder/decode(_:isLast:)``.
    ///
    /// Throws ``OpenDataError/Code/malformed`` for a quote that is never closed, and ``OpenDataError/Code/emptyBody`` for a
    /// payload without a header.
    public mutating func decode(_ batch: inout RecordBatch, isLast: Bool) throws(OpenDataError) -> Int {
        // Local and unique: the scanner reads and the unescaping writes the same bytes.
        var bytes = batch.bytes
        batch.bytes = []
        defer { batch.bytes = bytes }
        batch.columns = columns ?? Columns([])
        batch.cells.reserveCapacity(bytes.count / 6)

        var start = 0
        while start < bytes.count, !isInNotes {
            takeCleanRecords(of: bytes, from: &start, into: &batch)
            if start == bytes.count { break }
            let firstCell = batch.cells.count
            var scanner = CSVScanner(delimiter: dialect.delimiter, isLast: isLast)
            let outcome = scan(&scanner, bytes[...], from: start, into: &batch.cells)
            if outcome == .needsMore {
                batch.cells.removeSubrange(firstCell...)
                break
            }
            let origin = RecordOrigin(
                record: batch.recordOffset + batch.readCount + 1, line: line, byte: batch.byteOffset + start)
            if outcome == .unclosedQuote {
                throw OpenDataError(
                    .malformed, "the quote that opens here is never closed",
                    position: Position(line: line + scanner.quoteLine, byte: batch.byteOffset + scanner.quoteOffset))
            }
            if outcome == .record {
                if scanner.hasEscapes { CSVScanner.unescape(&batch.cells, from: firstCell, in: &bytes) }
                if isFootnote(batch.cells[firstCell], in: bytes) {
                    batch.cells.removeSubrange(firstCell...)
                    isInNotes = true
                    break
                }
                finish(record: firstCell, origin, in: bytes, start..<scanner.end, &batch)
            }
            line += scanner.lineBreaks
            start = scanner.end
        }
        if isInNotes {
            // Whatever stands below the table: kept as text, as far as it is of a readable length.
            notes += bytes[start...].prefix(1 << 14 - min(notes.count, 1 << 14))
            start = bytes.count
        }
        if isLast, columns == nil {
            throw OpenDataError(
                .emptyBody, title.isEmpty ? "there is no header line" : "there is no header line below the title")
        }
        return start
    }

    /// A decoder that knows the header, or `nil` before the header is read and where notes may follow the table.
    public func forChunks() -> CSVDecoder? { columns != nil && dialect.footnotes.isEmpty ? self : nil }

    /// The end of the last line of the bytes; carefully, the last that no quotes enclose.
    public func likelyEnd(of bytes: [UInt8], careful: Bool) -> Int {
        // The last byte of all may be the CR of a CRLF.
        let lines = bytes.indices.dropLast()
        func endsLine(_ index: Int) -> Bool {
            bytes[index] == UInt8(ascii: "\n")
                || bytes[index] == UInt8(ascii: "\r") && bytes[index + 1] != UInt8(ascii: "\n")
        }
        if bytes.last == UInt8(ascii: "\n"), !careful { return bytes.count }
        guard careful else { return lines.last(where: endsLine).map { $0 + 1 } ?? 0 }
        var (end, isQuoted) = (0, false)
        for index in lines {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, endsLine(index) { end = index + 1 }
        }
        return end
    }

    /// Takes records by the kernel for as long as it can; the next one is the scanner's.
    private mutating func takeCleanRecords(of bytes: [UInt8], from start: inout Int, into batch: inout RecordBatch) {
        // A first cell may begin the notes, which the kernel does not look for.
        guard let width = columns?.count, dialect.footnotes.isEmpty else { return }
        var progress = CSVKernel.Progress(end: start, records: 0)
        repeat {
            unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: max(4096, width)) { cells in
                unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1024) { starts in
                    // In bounds: the kernel's own terms, which are those of the two buffers and the window.
                    progress = unsafe bytes.withUnsafeBytes { window in
                        unsafe CSVKernel.scan(
                            window, from: start, delimiter: dialect.delimiter, width: width, into: cells, starts)
                    }
                    let taken = progress.records * width
                    unsafe batch.cells.append(contentsOf: UnsafeBufferPointer(rebasing: cells[..<taken]))
                    let record = batch.recordOffset + batch.readCount + 1
                    for index in 0..<progress.records {
                        batch.origins.append(
                            RecordOrigin(
                                record: record + index, line: line + index,
                                byte: unsafe batch.byteOffset + Int(starts[index])))
                    }
                }
            }
            // Records of the kernel are of one line each.
            line += progress.records
            start = progress.end
        } while progress.records > 0
    }

    // The slice goes with the call, so that the bytes have one owner again when escapes are undone in them.
    private func scan(
        _ scanner: inout CSVScanner, _ bytes: ArraySlice<UInt8>, from start: Int, into cells: inout [Cell]
    ) -> CSVScanner.Outcome {
        scanner.scanRecord(of: bytes.span, from: start, into: &cells)
    }

    private func isFootnote(_ cell: Cell, in bytes: [UInt8]) -> Bool {
        columns != nil && dialect.footnotes.contains { bytes[cell.range].starts(with: $0.utf8) }
    }

    /// Takes the cells from `first` on as a title, as the header, or as a record to keep or reject.
    private mutating func finish(
        record first: Int, _ origin: RecordOrigin, in bytes: [UInt8], _ range: Range<Int>, _ batch: inout RecordBatch
    ) {
        let count = batch.cells.count - first
        guard let columns else {
            let texts = batch.cells[first...].map { String(decoding: bytes[$0.range], as: UTF8.self) }
            batch.cells.removeSubrange(first...)
            takeHead(texts, &batch)
            return
        }
        if count == columns.count {
            batch.origins.append(origin)
        } else if count > columns.count, batch.cells[(first + columns.count)...].allSatisfy({ $0.length == 0 }) {
            batch.cells.removeLast(count - columns.count)
            batch.origins.append(origin)
        } else {
            batch.cells.removeSubrange(first...)
            batch.rejects.append(
                Reject(
                    origin: origin, code: .fieldCount,
                    raw: String(decoding: bytes[range], as: UTF8.self).trimmingSpaces(),
                    message: "the header names \(columns.count) columns, the record has \(count) cells"))
        }
    }

    private mutating func takeHead(_ texts: [String], _ batch: inout RecordBatch) {
        if titleRowsLeft > 0 {
            titleRowsLeft -= 1
            title.append(texts.filter { !$0.isEmpty }.joined(separator: " "))
            return
        }
        var names = texts.map { $0.trimmingSpaces() }
        while names.count > 1, names.last == "" { names.removeLast() }
        columns = Columns(names)
        batch.columns = Columns(names)
    }
}

extension String {
    /// The text without white space at its ends.
    func trimmingSpaces() -> String {
        var scalars = unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
