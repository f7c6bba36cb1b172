public import OpenDataCore

/// Decodes delimited text: RFC 4180, and what real files do beyond it.
///
/// Taken as they come: LF, CRLF and lone CR as ends of records; quoted and bare cells side by side; line breaks in
/// quotes; a quote inside a bare cell (text); a quote inside a quoted cell that no delimiter or line end follows
/// (text); spaces between a closing quote and the delimiter; `="0050"`, by which spreadsheets mark text; cells beyond
/// the header's that are empty; lines without a single byte, which are no records; header cells without a name at the
/// end.
///
/// Rejected, with the line and both counts: a record with fewer cells than there are columns, less those that the
/// dialect lets it lack, or with text beyond them. Refused: a quote that is never closed.
public struct CSVDecoder: ChunkDecoder, TextCheckingDecoder, TranscribingDecoder {
    let dialect: CSVDialect
    private(set) var columns: Columns?
    private var head: CSVHead
    // How many records of the table have been read, where the dialect says how many there are.
    private var tableRecords = 0
    /// The physical line that the next record begins on, from 1.
    public var line = 1
    private var notes: [UInt8] = []
    private var isInNotes = false
    /// What writes records of quoted cells, if they are not to become cells.
    package var transcriber: Transcriber?
    // Whether quotes have been seen to hold line ends.
    private var hasLinesInQuotes = false
    // How many cells the kernel of quoted records is asked for: few where it has just found nothing to take.
    var quotedRoom = CSVDecoder.leastRoom
    // The same for the kernel of records of any kind: few where the other may soon go on.
    var mixedRoom = CSVDecoder.leastRoom

    // Where the transcriber is asked again, and for how many bytes it is not: more where it has written few records.
    var (restEnd, rest) = (0, CSVDecoder.leastRest)

    static let leastRest = 1 << 11
    static let leastRoom = 128
    private static let mostRoom = 4096

    /// Makes a decoder for a dialect.
    public init(_ dialect: CSVDialect = CSVDialect()) {
        self.dialect = dialect
        head = CSVHead(dialect)
    }

    /// `title`, the records before the header; `otherHeader`, the cells of the header record that does not give the
    /// names, with tabs between them; `notes`, the text after the table.
    public var members: [String: String] {
        var members: [String: String] = [:]
        if !head.title.isEmpty { members["title"] = head.title.joined(separator: "\n") }
        if let header = head.otherHeader { members["otherHeader"] = header.joined(separator: "\t") }
        if !notes.isEmpty { members["notes"] = String(decoding: notes, as: UTF8.self) }
        return members
    }

    /// Decodes the whole records of a window: see ``RecordDecoder/decode(_:isLast:)``.
    ///
    /// Throws ``OpenDataError/Code/malformed`` for a quote that is never closed or a header of more names than are
    /// declared, and ``OpenDataError/Code/emptyBody`` for a payload without a header.
    public mutating func decode(_ batch: inout RecordBatch, isLast: Bool) throws(OpenDataError) -> Int {
        try decode(&batch, isLast: isLast, uncheckedFrom: nil)
    }

    /// Decodes text that nobody has checked: see ``TextCheckingDecoder/decodeUnchecked(_:isLast:textOffset:)``.
    public mutating func decodeUnchecked(
        _ batch: inout RecordBatch, isLast: Bool, textOffset: Int
    ) throws(OpenDataError) -> Int {
        try decode(&batch, isLast: isLast, uncheckedFrom: textOffset + batch.byteOffset)
    }

    // `offset`: where the batch's bytes stand in the payload, if it is for the decoder to check them.
    private mutating func decode(
        _ batch: inout RecordBatch, isLast: Bool, uncheckedFrom offset: Int?
    ) throws(OpenDataError) -> Int {
        // Local and unique: the scanner reads and the unescaping writes the same bytes.
        var bytes = batch.bytes
        batch.bytes = []
        defer { batch.bytes = bytes }
        batch.columns = columns ?? Columns([])

        var start = 0
        var room: MixedRecordsKernel.Room?
        // How many records the scanner is given before the kernels are asked again: more where they take none.
        var (pause, nextPause) = (0, 1)
        restEnd = 0
        transcribe(bytes, from: &start, into: &batch)
        if start == 0 { try takeQuotedRecords(of: bytes, upTo: &start, into: &batch, uncheckedFrom: offset) }
        while start < bytes.count, !isInNotes {
            if let count = dialect.recordCount, columns != nil, tableRecords >= count {
                isInNotes = true
                break
            }
            if pause == 0 {
                let first = start
                try takeCleanRecords(of: &bytes, from: &start, into: &batch, uncheckedFrom: offset, &room)
                if start == bytes.count { break }
                (pause, nextPause) = start > first ? (0, 1) : (nextPause, min(nextPause * 2, 32))
            } else {
                pause -= 1
            }
            let firstCell = batch.cells.count
            var scanner = CSVScanner(
                delimiter: dialect.delimiter, keepsTextFormulas: dialect.keepsTextFormulas, isLast: isLast)
            let outcome = scan(&scanner, bytes[...], from: start, into: &batch.cells)
            if outcome == .needsMore {
                batch.cells.removeSubrange(firstCell...)
                break
            }
            if let offset {
                let end = outcome == .unclosedQuote ? bytes.count : scanner.end
                try UTF8Source.validate(bytes[start..<end], at: offset + start)
            }
            let origin = RecordOrigin(
                record: batch.recordOffset + batch.readCount + 1, line: line, byte: batch.byteOffset + start)
            if outcome == .unclosedQuote {
                // The records before it are handed on first, as they are by windows that end before it.
                if batch.readCount > 0 {
                    batch.cells.removeSubrange(firstCell...)
                    break
                }
                throw OpenDataError(
                    .malformed, "the quote that opens here is never closed",
                    position: Position(line: line + scanner.quoteLine, byte: batch.byteOffset + scanner.quoteOffset))
            }
            if outcome == .record {
                if scanner.hasEscapes {
                    CSVScanner.unescape(
                        &batch.cells, from: firstCell, in: &bytes, keepsTextFormulas: dialect.keepsTextFormulas)
                }
                if isFootnote(batch.cells[firstCell], in: bytes) {
                    batch.cells.removeSubrange(firstCell...)
                    isInNotes = true
                    break
                }
                try finish(record: firstCell, origin, in: bytes, start..<scanner.end, &batch)
            }
            line += scanner.lineBreaks
            hasLinesInQuotes = hasLinesInQuotes || scanner.lineBreaks > 1
            start = scanner.end
        }
        if isInNotes {
            // Whatever stands below the table: kept as text, as far as it is of a readable length.
            notes += bytes[start...].prefix(1 << 14 - min(notes.count, 1 << 14))
            start = bytes.count
        }
        if isLast, columns == nil {
            throw OpenDataError(.emptyBody, head.missing)
        }
        return start
    }

    /// A decoder that knows the header, or `nil` before the header is read and where notes may follow the table.
    public func forChunks() -> CSVDecoder? { checksText ? self : nil }

    /// True once the header is read, unless notes may follow the table.
    public var checksText: Bool { columns != nil && dialect.footnotes.isEmpty && dialect.recordCount == nil }

    /// Whether records may be taken by kernels, which look for no notes, and leave no record out.
    var usesKernels: Bool { checksText && !dialect.skipsEmptyRecords && !dialect.keepsTextFormulas }

    /// The end of the last line of the bytes; carefully, or once quotes have been seen to hold line ends, of the last
    /// line that no quotes enclose, if they are paired from the first byte on.
    ///
    /// Where that leaves more than half of the bytes, a quote seems to stand alone, as a sign of inches does; unless
    /// `careful`, it is then the end of the last line after all.
    public func likelyEnd(of bytes: [UInt8], careful: Bool) -> Int {
        let isPaired = careful || hasLinesInQuotes
        var isQuoted = isPaired ? unsafe bytes.withUnsafeBytes { unsafe QuoteParity.isOdd($0) } : false
        var lastLine = 0
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted = isPaired && !isQuoted }
            // The last byte of all may be the CR of a CRLF.
            let endsLine =
                bytes[index] == UInt8(ascii: "\n")
                || bytes[index] == UInt8(ascii: "\r") && index + 1 < bytes.count
                    && bytes[index + 1] != UInt8(ascii: "\n")
            guard endsLine else { continue }
            if lastLine == 0 { lastLine = index + 1 }
            if !careful, index < bytes.count / 2 { break }
            if !isQuoted { return index + 1 }
        }
        return careful ? 0 : lastLine
    }

    /// The end of the last line, or 0 once quotes have been seen to hold line ends.
    public func likelyEnd(ofTail bytes: [UInt8]) -> Int {
        hasLinesInQuotes ? 0 : likelyEnd(of: bytes, careful: false)
    }

    /// Takes the window's first records by the kernel of quoted records, all at once, into arrays made for them.
    private mutating func takeQuotedRecords(
        of bytes: [UInt8], upTo end: inout Int, into batch: inout RecordBatch, uncheckedFrom offset: Int?
    ) throws(OpenDataError) {
        guard let width = columns?.count, usesKernels else {
            batch.cells.reserveCapacity(bytes.count / 6)
            return
        }
        var progress = QuotedRecordsKernel.Progress(end: 0)
        // A cell takes three bytes at least; few are that small.
        let (cells, records) = (bytes.count / 6 + 64, bytes.count / (3 * width) + 64)
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: records) { starts in
            batch.cells = unsafe [Cell](unsafeUninitializedCapacity: cells) { output, count in
                // In bounds: the kernel's own terms, which are those of the two buffers and the window.
                progress = unsafe bytes.withUnsafeBytes { window in
                    unsafe QuotedRecordsKernel.scan(
                        window, from: 0, delimiter: dialect.delimiter, width: width, into: output, starts)
                }
                count = progress.records * width
            }
            unsafe note(progress.records, at: UnsafeBufferPointer(starts), in: &batch)
        }
        if let offset, !progress.isUTF8 { try UTF8Source.validate(bytes[..<progress.end], at: offset) }
        end = progress.end
    }

    /// Notes where records of one line each begin.
    private mutating func note(_ count: Int, at starts: UnsafeBufferPointer<UInt32>, in batch: inout RecordBatch) {
        let record = batch.recordOffset + batch.readCount + 1
        batch.origins.reserveCapacity(batch.origins.count + count)
        for index in 0..<count {
            let byte = unsafe batch.byteOffset + Int(starts[index])
            batch.origins.append(RecordOrigin(record: record + index, line: line + index, byte: byte))
        }
        line += count
    }

    /// Takes records by the kernels for as long as they can; the next one is the scanner's.
    private mutating func takeCleanRecords(
        of bytes: inout [UInt8], from start: inout Int, into batch: inout RecordBatch, uncheckedFrom offset: Int?,
        _ room: inout MixedRecordsKernel.Room?
    ) throws(OpenDataError) {
        guard let width = columns?.count, usesKernels else { return }
        while start < bytes.count {
            if transcribe(bytes, from: &start, into: &batch) { continue }
            let first = start
            let quoted = takeQuoted(bytes, from: start, width, into: &batch)
            if quoted.records > 0 {
                quotedRoom = min(quotedRoom * 2, CSVDecoder.mostRoom)
                mixedRoom = CSVDecoder.leastRoom
                start = quoted.end
                if let offset, !quoted.isUTF8 { try UTF8Source.validate(bytes[first..<start], at: offset + first) }
                continue
            }
            quotedRoom = CSVDecoder.leastRoom
            // A cell takes a byte at least, its end; what is left of a window is often but its last record. The room is
            // taken out of where it is kept, so that it has one owner while it is used.
            var taken =
                room ?? MixedRecordsKernel.Room(cells: min(CSVDecoder.mostRoom, bytes.count - start), width: width)
            room = nil
            defer { room = taken }
            // In bounds: the kernel's own terms, which are those of the room and the window.
            let mixed = unsafe bytes.withUnsafeBytes { window in
                unsafe MixedRecordsKernel.scan(
                    window, from: first, delimiter: dialect.delimiter, width: width, most: mixedRoom + width,
                    into: &taken)
            }
            if mixed.records == 0 { return }
            mixedRoom = min(mixedRoom * 2, CSVDecoder.mostRoom)
            start = mixed.end
            if let offset, !mixed.isUTF8 { try UTF8Source.validate(bytes[first..<start], at: offset + first) }
            let cells = mixed.records * width
            // Only then are the bytes written to, which may be a chunk's as well.
            if taken.hasDoubledQuotes {
                unsafe bytes.withUnsafeMutableBytes { window in
                    unsafe MixedRecordsKernel.undoubleQuotes(of: cells, in: window, &taken)
                }
            }
            batch.cells.append(contentsOf: taken.cells[..<cells])
            let record = batch.recordOffset + batch.readCount + 1
            for index in 0..<mixed.records {
                let begin = taken.starts[index]
                batch.origins.append(
                    RecordOrigin(
                        record: record + index, line: line + Int(begin.line), byte: batch.byteOffset + Int(begin.offset)
                    ))
            }
            line += mixed.lines
            hasLinesInQuotes = hasLinesInQuotes || mixed.lines > mixed.records
        }
    }

    /// Takes records of quoted cells by their kernel.
    private mutating func takeQuoted(
        _ bytes: [UInt8], from start: Int, _ width: Int, into batch: inout RecordBatch
    ) -> QuotedRecordsKernel.Progress {
        guard bytes[start] == UInt8(ascii: "\"") else { return QuotedRecordsKernel.Progress(end: start) }
        return unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: quotedRoom) { cells in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: quotedRoom) { starts in
                // In bounds: the kernel's own terms, which are those of the two buffers and the window.
                let quoted = unsafe bytes.withUnsafeBytes { window in
                    unsafe QuotedRecordsKernel.scan(
                        window, from: start, delimiter: dialect.delimiter, width: width, into: cells, starts)
                }
                unsafe batch.cells.append(
                    contentsOf: UnsafeBufferPointer(rebasing: cells[..<(quoted.records * width)]))
                unsafe note(quoted.records, at: UnsafeBufferPointer(starts), in: &batch)
                return quoted
            }
        }
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
    ) throws(OpenDataError) {
        let count = batch.cells.count - first
        if dialect.skipsEmptyRecords, count > 1 || columns?.count != 1,
            batch.cells[first...].allSatisfy({ isBlank($0, in: bytes) })
        {
            batch.cells.removeSubrange(first...)
            return
        }
        if columns == nil, !head.hasNoHeader {
            let texts = batch.cells[first...].map { String(decoding: bytes[$0.range], as: UTF8.self) }
            batch.cells.removeSubrange(first...)
            columns = try head.take(texts, origin)
            batch.columns = columns ?? Columns([])
            return
        }
        let columns = self.columns ?? head.columns(ofRecord: count)
        if self.columns == nil {
            self.columns = columns
            batch.columns = columns
        }
        tableRecords += 1
        if count == columns.count {
            batch.origins.append(origin)
        } else if count > columns.count, batch.cells[(first + columns.count)...].allSatisfy({ $0.length == 0 }) {
            batch.cells.removeLast(count - columns.count)
            batch.origins.append(origin)
        } else if count < columns.count, columns.count - count <= dialect.missingCells {
            for _ in count..<columns.count { batch.cells.append(.null) }
            batch.origins.append(origin)
        } else {
            batch.cells.removeSubrange(first...)
            let expected = dialect.headerRows == 0 ? "the table has" : "the header names"
            batch.rejects.append(
                Reject(
                    origin: origin, code: .fieldCount,
                    raw: String(decoding: bytes[range], as: UTF8.self).trimmingSpaces(),
                    message: "\(expected) \(columns.count) columns, the record has \(count) cells"))
        }
    }

    private func isBlank(_ cell: Cell, in bytes: [UInt8]) -> Bool {
        bytes[cell.range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
