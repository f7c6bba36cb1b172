public import OpenDataCore

/// Writes records as JSON (RFC 8259): one array with a record a line, or a line for each record and nothing else.
///
/// ```json
/// [
/// {"date":"2026-07-08","code":"0050","close":198.10,"note":null},
/// {"date":"2026-07-08","code":"006208","close":110.00,"note":""}
/// ]
/// ```
///
/// Members stand in the order of the fields. No member, `null` and `""` stay three different things. A number has the
/// digits that it was published with. Days and times are strings in ISO 8601. Nested values are written as the payload
/// has them. Of a string only `"`, `\` and the controls below U+0020 are escaped: a slash is not, and everything else
/// is UTF-8. There is no byte order mark.
public struct JSONRecordEncoder: RecordEncoder {
    /// What surrounds the records.
    public enum Framing: Sendable {
        /// An array of all records; `[]` if there are none.
        case array
        /// Nothing: each line is a text of JSON by itself (NDJSON, JSON Lines).
        case lines
    }

    private let framing: Framing
    /// `,"name":` for each field, one after the other.
    private var keys: [UInt8] = []
    private var keyRanges: [Range<Int>] = []
    private var hasRecords = false

    /// Makes an encoder.
    public init(_ framing: Framing) { self.framing = framing }

    /// Adds the opening bracket of an array.
    public mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        (keys, keyRanges, hasRecords) = ([], [], false)
        for field in fields {
            let start = keys.count
            let name = Array(field.name.utf8)
            keys.append(UInt8(ascii: ","))
            JSONRecordEncoder.appendString(name, 0..<name.count, to: &keys)
            keys.append(UInt8(ascii: ":"))
            keyRanges.append(start..<keys.count)
        }
        if framing == .array { output.append(UInt8(ascii: "[")) }
    }

    /// Adds the records of a batch, each whole on its line.
    public mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
        var index = 0
        for _ in 0..<batch.count {
            if framing == .array {
                if hasRecords { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\n"))
                hasRecords = true
            }
            output.append(UInt8(ascii: "{"))
            var isFirst = true
            for key in keyRanges {
                let cell = batch.cells[index]
                index += 1
                if cell.kind == .absent { continue }
                output.append(contentsOf: keys[(isFirst ? key.lowerBound + 1 : key.lowerBound)..<key.upperBound])
                isFirst = false
                JSONRecordEncoder.append(cell, of: batch, to: &output)
            }
            output.append(UInt8(ascii: "}"))
            if framing == .lines { output.append(UInt8(ascii: "\n")) }
        }
    }

    /// Adds the closing bracket of an array.
    public mutating func finish(into output: inout [UInt8]) {
        guard framing == .array else { return }
        output.append(contentsOf: (hasRecords ? "\n]\n" : "]\n").utf8)
    }

    private static func append(_ cell: Cell, of batch: RecordBatch, to output: inout [UInt8]) {
        switch cell.kind {
        case .absent: break
        case .null: output.append(contentsOf: "null".utf8)
        case .text: appendString(batch.bytes, cell.range, to: &output)
        case .number, .json, .boolean: CellText.append(cell, of: batch, to: &output)
        case .date, .dateTime:
            output.append(UInt8(ascii: "\""))
            CellText.append(cell, of: batch, to: &output)
            output.append(UInt8(ascii: "\""))
        }
    }

    /// Adds text as a string of JSON, copying what needs no escape in one go.
    private static func appendString(_ text: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = range.lowerBound
        while true {
            let end = ByteScan.firstIndex(in: text.span, start..<range.upperBound) { word in
                ByteScan.bytes(of: word, lessThan: 0x20) | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\""))
                    | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\\"))
            }
            output.append(contentsOf: text[start..<end])
            if end == range.upperBound { break }
            appendEscape(of: text[end], to: &output)
            start = end + 1
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            output.append(contentsOf: (byte < 0x10 ? "u000" : "u001").utf8)
            let digit = byte & 0x0F
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        default: output.append(byte)
        }
    }
}
