public import OpenDataCore

/// Writes records as a table for a terminal: names, a rule, then a line for each record, in aligned columns.
///
/// ```
/// date        code  name             close
/// ----------  ----  -------------  -------
/// 2026-07-08  0050  元大台灣50      198.10
/// 2026-07-08  2330  台積電         2510.00
/// ```
///
/// Columns are two spaces apart. Numbers, and the names of columns of numbers, stand at the right, everything else at
/// the left; no line ends in a space. No value is shown as nothing, as empty text is: this is for eyes, use JSON to
/// tell them apart. Widths are those of ``DisplayWidth``: Chinese characters take two columns, ambiguous ones such as
/// `①` take one. Controls are shown as escapes (`\n`, `\u{1B}`), so that a payload cannot steer the terminal.
///
/// A column is as wide as its widest cell, for which the table is kept until ``finish(into:)``, as bytes. Above 100,000
/// records, or 64 MiB of what is kept, the table goes out in pages: each has the widths of its own records and repeats
/// the names after an empty line. A cell of more than 200 columns does not widen the others: it is written in full, and
/// the rest of its line moves to the right.
public struct TableEncoder: RecordEncoder {
    /// The most records of one page, unless set.
    public static let recordsPerPage = 100_000
    /// The most bytes kept for one page: the text of its cells, and eight for each cell.
    static let bytesPerPage = 64 << 20
    /// The most columns of the terminal that a cell can make its column wide.
    static let widestColumn = 200

    /// One cell that is kept: the length of its text in ``text``, and the columns that it takes.
    private struct Entry {
        var length: UInt32
        private var bits: UInt32

        init(length: Int, columns: Int, isNumber: Bool) {
            self.length = UInt32(length)
            bits = UInt32(columns) << 1 | (isNumber ? 1 : 0)
        }

        var columns: Int { Int(bits >> 1) }
        var isNumber: Bool { bits & 1 == 1 }
    }

    /// What is known of a column while its page is collected.
    private struct Column {
        var name: [UInt8]
        var nameWidth: Int
        var isDeclaredNumber: Bool
        var width = 0
        var hasNumbers = false
        var hasOthers = false

        /// Whether the name stands at the right: over numbers and nothing else.
        var isNumeric: Bool { isDeclaredNumber || hasNumbers && !hasOthers }
    }

    private let recordsPerPage: Int
    private let bytesPerPage: Int
    private var columns: [Column] = []
    private var text: [UInt8] = []
    private var entries: [Entry] = []
    private var recordCount = 0
    private var hasPages = false

    /// Makes an encoder with pages of at least one record.
    public init(recordsPerPage: Int = TableEncoder.recordsPerPage) {
        self.init(recordsPerPage: recordsPerPage, bytesPerPage: TableEncoder.bytesPerPage)
    }

    init(recordsPerPage: Int, bytesPerPage: Int) {
        self.recordsPerPage = max(1, recordsPerPage)
        self.bytesPerPage = bytesPerPage
    }

    /// Adds nothing yet: the widths are not known.
    public mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        self = TableEncoder(recordsPerPage: recordsPerPage, bytesPerPage: bytesPerPage)
        columns = fields.map { field in
            var name: [UInt8] = []
            let published = Array(field.name.utf8)
            let width = VisibleText.append(published, 0..<published.count, to: &name)
            return Column(
                name: name, nameWidth: width, isDeclaredNumber: field.type == .integer || field.type == .number,
                width: max(1, width))
        }
    }

    /// Keeps the records of a batch, and adds the pages that are full.
    public mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
        guard !columns.isEmpty else { return }
        var index = 0
        for _ in 0..<batch.count {
            for column in columns.indices {
                keep(batch.cells[index], of: batch, in: column)
                index += 1
            }
            recordCount += 1
            if recordCount == recordsPerPage || text.count + entries.count * 8 >= bytesPerPage {
                appendPage(to: &output)
            }
        }
    }

    /// Adds the last page; the names and the rule alone if there are no records.
    public mutating func finish(into output: inout [UInt8]) {
        if recordCount > 0 || !hasPages && !columns.isEmpty { appendPage(to: &output) }
    }

    private mutating func keep(_ cell: Cell, of batch: RecordBatch, in column: Int) {
        let start = text.count
        let width: Int
        switch cell.kind {
        case .text, .json: width = VisibleText.append(batch.bytes, cell.range, to: &text)
        default:
            CellText.append(cell, of: batch, to: &text)
            width = text.count - start
        }
        let isNumber = cell.kind == .number
        entries.append(Entry(length: text.count - start, columns: width, isNumber: isNumber))
        columns[column].width = max(columns[column].width, width)
        if isNumber {
            columns[column].hasNumbers = true
        } else if !cell.isEmpty {
            columns[column].hasOthers = true
        }
    }

    private mutating func appendPage(to output: inout [UInt8]) {
        if hasPages { output.append(UInt8(ascii: "\n")) }
        hasPages = true
        for column in columns.indices {
            columns[column].width = min(columns[column].width, TableEncoder.widestColumn)
        }
        appendHeader(to: &output)
        var (index, offset) = (0, 0)
        for _ in 0..<recordCount {
            let line = output.count
            for column in columns.indices {
                let entry = entries[index]
                index += 1
                let padding = max(0, columns[column].width - entry.columns)
                if entry.isNumber { TableEncoder.append(padding, of: UInt8(ascii: " "), to: &output) }
                output.append(contentsOf: text[offset..<(offset + Int(entry.length))])
                offset += Int(entry.length)
                let gap = column + 1 < columns.count ? 2 : 0
                TableEncoder.append((entry.isNumber ? 0 : padding) + gap, of: UInt8(ascii: " "), to: &output)
            }
            TableEncoder.endLine(from: line, in: &output)
        }
        text.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        recordCount = 0
        for column in columns.indices {
            columns[column].width = max(1, columns[column].nameWidth)
            columns[column].hasNumbers = false
            columns[column].hasOthers = false
        }
    }

    private func appendHeader(to output: inout [UInt8]) {
        var line = output.count
        for column in columns {
            let padding = max(0, column.width - column.nameWidth)
            if column.isNumeric { TableEncoder.append(padding, of: UInt8(ascii: " "), to: &output) }
            output.append(contentsOf: column.name)
            TableEncoder.append((column.isNumeric ? 0 : padding) + 2, of: UInt8(ascii: " "), to: &output)
        }
        TableEncoder.endLine(from: line, in: &output)
        line = output.count
        for column in columns {
            TableEncoder.append(column.width, of: UInt8(ascii: "-"), to: &output)
            TableEncoder.append(2, of: UInt8(ascii: " "), to: &output)
        }
        TableEncoder.endLine(from: line, in: &output)
    }

    private static func append(_ count: Int, of byte: UInt8, to output: inout [UInt8]) {
        output.append(contentsOf: repeatElement(byte, count: count))
    }

    /// Takes the spaces at the end off the line that began at `start`, and ends it.
    private static func endLine(from start: Int, in output: inout [UInt8]) {
        while output.count > start, output.last == UInt8(ascii: " ") { output.removeLast() }
        output.append(UInt8(ascii: "\n"))
    }
}
