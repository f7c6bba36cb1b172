public import OpenDataCore

/// Writes records as a table of GitHub-flavoured Markdown, a line for each record.
///
/// ```markdown
/// | code | name | close |
/// | --- | --- | ---: |
/// | 0050 | 元大台灣50 | 198.10 |
/// ```
///
/// A reader of the rendered page sees the text as published: what Markdown or HTML would take for a sign of its own is
/// escaped (`\|`, `\*`, `&lt;`), a line break becomes `<br>`, and a control is shown as an escape such as `\u{1B}`.
/// Columns whose type is a number are aligned to the right. No value and empty text are both an empty cell, and spaces
/// around a text are lost. The columns are not aligned in the source, so that records need not be kept. Without fields
/// there is no output.
public struct MarkdownEncoder: RecordEncoder {
    private var fieldCount = 0

    /// Makes an encoder.
    public init() {}

    /// Adds the line of names and the line of alignments.
    public mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        fieldCount = fields.count
        guard fieldCount > 0 else { return }
        for field in fields {
            let name = Array(field.name.utf8)
            output.append(contentsOf: "| ".utf8)
            MarkdownEncoder.append(name, 0..<name.count, to: &output)
            output.append(UInt8(ascii: " "))
        }
        output.append(contentsOf: "|\n".utf8)
        for field in fields {
            let isNumber = field.type == .integer || field.type == .number
            output.append(contentsOf: (isNumber ? "| ---: " : "| --- ").utf8)
        }
        output.append(contentsOf: "|\n".utf8)
    }

    /// Adds a line for each record of a batch.
    public mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
        guard fieldCount > 0 else { return }
        var index = 0
        for _ in 0..<batch.count {
            for _ in 0..<fieldCount {
                let cell = batch.cells[index]
                index += 1
                output.append(contentsOf: "| ".utf8)
                switch cell.kind {
                case .text, .json: MarkdownEncoder.append(batch.bytes, cell.range, to: &output)
                default: CellText.append(cell, of: batch, to: &output)
                }
                output.append(UInt8(ascii: " "))
            }
            output.append(contentsOf: "|\n".utf8)
        }
    }

    /// The encoder itself: each record is written by itself.
    public func forLaterBatches() -> MarkdownEncoder? { self }

    /// Adds nothing: the last line has its end.
    public mutating func finish(into output: inout [UInt8]) {}

    private static func append(_ text: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        let slice = text[...]
        let bytes = slice.span
        var (index, copied) = (range.lowerBound, range.lowerBound)
        while index < range.upperBound {
            guard let length = specialLength(in: bytes, at: index, of: range) else {
                index += 1
                continue
            }
            output.append(contentsOf: text[copied..<index])
            appendEscape(of: bytes, at: index, end: range.upperBound, to: &output)
            index += length
            copied = index
        }
        output.append(contentsOf: text[copied..<range.upperBound])
    }

    /// The bytes to be replaced at `index`, or `nil` where the text stands for itself.
    private static func specialLength(in bytes: Span<UInt8>, at index: Int, of range: Range<Int>) -> Int? {
        switch bytes[index] {
        case UInt8(ascii: "\r"):
            return index + 1 < range.upperBound && bytes[index + 1] == UInt8(ascii: "\n") ? 2 : 1
        case UInt8(ascii: "_"):
            // Between letters or digits it never means emphasis, and field names stay readable.
            let isInside =
                index > range.lowerBound && index + 1 < range.upperBound
                && isLetterOrDigit(bytes[index - 1]) && isLetterOrDigit(bytes[index + 1])
            return isInside ? nil : 1
        case UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "~"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
            0..<0x09, 0x0A..<0x20, 0x7F:
            return 1
        case 0x80...:
            guard let (scalar, length) = UTF8Scalar.decode(bytes, at: index, end: range.upperBound) else {
                // A byte within a scalar that was let through stands for itself.
                return bytes[index] & 0xC0 == 0x80 ? nil : 1
            }
            return VisibleText.isControl(scalar) ? length : nil
        default: return nil
        }
    }

    private static func appendEscape(of bytes: Span<UInt8>, at index: Int, end: Int, to output: inout [UInt8]) {
        switch bytes[index] {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): output.append(contentsOf: "<br>".utf8)
        case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
        case 0x20..<0x7F:
            output.append(UInt8(ascii: "\\"))
            output.append(bytes[index])
        default:
            guard let (scalar, _) = UTF8Scalar.decode(bytes, at: index, end: end) else {
                output.append(contentsOf: VisibleText.replacement)
                return
            }
            // The escape's own backslash is escaped, to be shown.
            output.append(UInt8(ascii: "\\"))
            _ = VisibleText.appendEscape(of: scalar, to: &output)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 26
    }
}
