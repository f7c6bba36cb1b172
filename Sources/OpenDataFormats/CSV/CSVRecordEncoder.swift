public import OpenDataCore

/// Writes records as comma- or tab-separated values with a header line of field names.
///
/// The rules are those of RFC 4180 with two choices of its own. Lines end in LF, not CRLF: the line that every tool on
/// Unix expects and that spreadsheets read as well. And no value is not the same as empty text: a cell without a value
/// (null or absent, which CSV cannot tell apart) is left empty, an empty text is written as two quotes.
///
/// A cell is quoted if it is an empty text, holds the delimiter, a quote, CR or LF, or begins or ends with a space or a
/// tab; quotes in it are doubled. Tab-separated values are quoted in the same way, because a tab or a line break in
/// a cell could not be written otherwise. Numbers have the digits that they were published with, days and times are in
/// ISO 8601, nested values are JSON. Cells are not changed for spreadsheets, which may take text such as `=1+1` for
/// a formula.
///
/// A table of one column writes no value as two quotes, as it does empty text: the line would be blank, and readers
/// skip blank lines. No record is lost so, but there the two cannot be told apart. Without fields there is no output.
public struct CSVRecordEncoder: RecordEncoder {
    /// What separates cells.
    ///
    /// None of them can occur in a number, a day or a time, so that only text and nested values are ever quoted.
    public enum Delimiter: UInt8, Sendable {
        /// `,`
        case comma = 0x2C
        /// The tabulator.
        case tab = 0x09
    }

    private let delimiter: UInt8
    private let byteOrderMark: Bool
    private var fieldCount = 0

    /// Makes an encoder.
    ///
    /// With `byteOrderMark`, the output begins with EF BB BF, by which Excel knows UTF-8. Off by default, because most
    /// other programs take the mark for a part of the first name.
    public init(_ delimiter: Delimiter = .comma, byteOrderMark: Bool = false) {
        self.delimiter = delimiter.rawValue
        self.byteOrderMark = byteOrderMark
    }

    /// Adds the byte order mark, if asked for, and the header.
    public mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        fieldCount = fields.count
        if byteOrderMark { output.append(contentsOf: CSVRecordEncoder.mark) }
        var writer = ByteWriter(taking: &output)
        for (index, field) in fields.enumerated() {
            let name = Array(field.name.utf8)[...]
            // A first name that begins with U+FEFF is quoted, or a reader would take its first bytes for the mark.
            if index == 0, name.starts(with: CSVRecordEncoder.mark) {
                appendQuoted(name.span, 0..<name.count, to: &writer)
            } else {
                append(name.span, 0..<name.count, to: &writer)
            }
            writer.reserve(1)
            writer.append(index + 1 < fieldCount ? delimiter : UInt8(ascii: "\n"))
        }
        writer.finish(into: &output)
    }

    /// Adds a line for each record of a batch; more lines where a cell holds line breaks.
    public mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
        guard fieldCount > 0 else { return }
        var record = 0
        // How many records to write cell by cell before the kernel is tried again.
        var run = 1
        while record < batch.count {
            let next = writeByKernel(batch, from: record, into: &output)
            run = next > record ? 1 : min(run * 2, 64)
            let end = min(next + run, batch.count)
            write(batch, next..<end, into: &output)
            record = end
        }
    }

    /// Writes records by the kernel for as long as it takes them, and returns the first that it does not.
    private func writeByKernel(_ batch: RecordBatch, from first: Int, into output: inout [UInt8]) -> Int {
        // Its own bytes, and what stands around values.
        let room = batch.bytes.count + batch.count * (4 * fieldCount + 16) + 256
        return unsafe KernelOutput.write(from: first, count: batch.count, room: room, into: &output) { record, buffer in
            unsafe runKernel(batch, from: record, into: buffer)
        }
    }

    private func runKernel(
        _ batch: RecordBatch, from first: Int, into buffer: UnsafeMutableRawBufferPointer
    ) -> EncoderProgress {
        // In bounds: the kernel's own terms, which are those of the batch and the buffer.
        unsafe batch.bytes.withUnsafeBytes { bytes in
            unsafe batch.cells.withUnsafeBufferPointer { cells in
                unsafe CSVEncoderKernel.write(
                    bytes, cells, from: first, count: batch.count, width: fieldCount, delimiter: delimiter, into: buffer
                ) { cell in
                    let text = CellText(cell)
                    return (text.words, text.count)
                }
            }
        }
    }

    private func write(_ batch: RecordBatch, _ records: Range<Int>, into output: inout [UInt8]) {
        var writer = ByteWriter(taking: &output)
        let slice = batch.bytes[...]
        let bytes = slice.span
        var index = records.lowerBound * fieldCount
        for _ in records {
            for column in 0..<fieldCount {
                let cell = batch.cells[index]
                index += 1
                writer.reserve(40)
                switch cell.kind {
                case .text, .json: append(bytes, cell.range, to: &writer)
                case .number: writer.append(bytes, cell.range)
                case .absent, .null: if fieldCount == 1 { writer.append(0x2222, count: 2) }
                case .boolean, .date, .dateTime: writer.append(CellText(cell))
                }
                writer.reserve(1)
                writer.append(column + 1 < fieldCount ? delimiter : UInt8(ascii: "\n"))
            }
        }
        writer.finish(into: &output)
    }

    /// The encoder itself: each record is written by itself.
    public func forLaterBatches() -> CSVRecordEncoder? { self }

    /// Adds nothing: the last line has its end.
    public mutating func finish(into output: inout [UInt8]) {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func append(_ text: Span<UInt8>, _ range: Range<Int>, to writer: inout ByteWriter) {
        if needsQuotes(text, range) {
            appendQuoted(text, range, to: &writer)
        } else {
            writer.append(text, range)
        }
    }

    private func needsQuotes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        let (first, last) = (bytes[range.lowerBound], bytes[range.upperBound - 1])
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") || last == UInt8(ascii: " ")
            || last == UInt8(ascii: "\t")
        {
            return true
        }
        let special = ByteScan.firstIndex(in: bytes, range) { word in
            ByteScan.bytes(of: word, equalTo: delimiter) | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\""))
                | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\n"))
                | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\r"))
        }
        return special < range.upperBound
    }

    private func appendQuoted(_ text: Span<UInt8>, _ range: Range<Int>, to writer: inout ByteWriter) {
        writer.reserve(1)
        writer.append(UInt8(ascii: "\""))
        writer.append(text, range, worst: 2) { word in
            ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\""))
        } writing: { _, writer in
            writer.append(0x2222, count: 2)
        }
        writer.reserve(1)
        writer.append(UInt8(ascii: "\""))
    }
}
