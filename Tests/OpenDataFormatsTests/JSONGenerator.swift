import OpenDataCore
import OpenDataFormats
import TestSupport

/// Makes random documents, and breaks them.
struct JSONGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func one(of choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }

    /// A sound document, and a layout that mostly fits it.
    mutating func document() -> (String, JSONLayout) {
        let space = number(0...2) > 0
        switch number(0...5) {
        case 0: return (array(space, 0...6, { $0.record(space) }), JSONLayout())
        case 1:
            return (
                (0..<number(1...4)).map { _ in record(space) + gap(true) }.joined(), JSONLayout(records: ["$", "data"])
            )
        case 2:
            let rows = array(space, 0...5, { $0.number(0...8) == 0 ? $0.value(space) : $0.row(space) })
            let fields = number(0...9) == 0 ? "" : #""fields":["a","b"]"#
            let parts = [#""data":"# + rows, fields, #""stat":"OK""#].shuffled(using: &generator).filter { !$0.isEmpty }
            return ("{" + parts.joined(separator: gap(space) + "," + gap(space)) + "}", .table)
        case 3: return (array(space, 0...5, { $0.value(space) }), JSONLayout(records: ["$", "data"], fields: nil))
        case 4:
            let data = number(0...9) == 0 ? "null" : array(space, 0...5, { $0.record(space) })
            return (
                #"{"a":\#(value(space)),"data":\#(data),"z":\#(value(space))}"#, JSONLayout(records: ["data", "$"])
            )
        default: return (value(space), JSONLayout(records: [one(of: ["$", "data"])]))
        }
    }

    mutating func gap(_ space: Bool) -> String {
        space ? one(of: ["", "", " ", "  ", "\n", "\r\n", "\r", "\t "]) : ""
    }

    mutating func array(
        _ space: Bool, _ count: ClosedRange<Int>, _ element: (inout JSONGenerator) -> String
    ) -> String {
        var text = "[" + gap(space)
        for index in 0..<number(count) { text += (index > 0 ? "," : "") + gap(space) + element(&self) + gap(space) }
        return text + "]"
    }

    mutating func row(_ space: Bool) -> String {
        array(space, number(0...5) == 0 ? 0...4 : 2...2, { $0.value(space) })
    }

    mutating func record(_ space: Bool) -> String {
        let keys = ["\"a\"", "\"b\"", "\"price of it\"", "\"\\u0062\"", "\"中文名稱\"", "\"\"", "\"data\"", "\"c\\\"d\""]
        var text = "{" + gap(space)
        let fixed = number(0...2) > 0
        for index in 0..<(fixed ? 3 : number(0...5)) {
            text += (index > 0 ? "," : "") + gap(space) + (fixed ? keys[index] : one(of: keys)) + gap(space) + ":"
            text += gap(space) + value(space) + gap(space)
        }
        return text + "}"
    }

    mutating func value(_ space: Bool) -> String {
        switch number(0...11) {
        case 0: return array(space, 0...3, { $0.value(space) })
        case 1: return record(space)
        case 2...4:
            return one(of: [
                "0", "-1", "2510.00", "1e5", "9007199254740993", "0.5E-3", "12345678901234567890.5", "-0.0",
            ])
        case 5: return one(of: ["true", "false", "null"])
        default:
            let parts = [
                "a", "中", "\\n", "\\u0041", "\\ud83d\\ude00", "\\\"", "\\\\", "/", "\\/", " ", "😀", "12345678", "}",
                "]", ",",
            ]
            return "\"" + (0..<number(0...6)).map { _ in one(of: parts) }.joined() + "\""
        }
    }

    /// The bytes with one to three edits, as an interrupted or mistaken writer would make them.
    mutating func breaking(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let insertions = Array("[]{}:,\"\\ 0-.eEtfnu\n\r\u{1}x".utf8)
        for _ in 0..<number(1...3) where !bytes.isEmpty {
            let index = number(0...(bytes.count - 1))
            let end = min(bytes.count, index + number(1...8))
            switch number(0...6) {
            case 0: bytes.removeSubrange(index..<end)
            case 1: bytes.removeSubrange(index...)
            case 2: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
            case 3: bytes[index] = insertions.randomElement(using: &generator) ?? 0x20
            case 4: bytes[index] = UInt8(number(1...255))
            case 5: bytes.swapAt(index, number(0...(bytes.count - 1)))
            default: bytes.insert(insertions.randomElement(using: &generator) ?? 0x20, at: index)
            }
        }
        return bytes
    }
}
