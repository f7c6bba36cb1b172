import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// What the kernel takes must be what the scanner would have read, and what it does not take must be as it was.
@Suite("JSON: records by the kernel")
struct JSONKernelTests {
    /// Text of records that are mostly written alike.
    private struct Writer {
        var random: SeededGenerator
        /// White space: behind a record's bracket, a colon, a comma, before the closing bracket, between records.
        var spaces = ["", "", "", "", ""]
        var keys = ["id", "name", "a long name of a column", "中文", "\\u4e2d", "x"]
        /// How many keys behind the first in a thousand are missing.
        var gaps = 0
        /// How many records in a thousand are out of line.
        var oddities = 0
        /// How many values in a thousand are nested, broken or otherwise not for the kernel.
        var oddValues = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            keys = Array(keys.prefix(Int.random(in: 1...6, using: &random)))
            switch seed % 7 {
            case 0: spaces = ["", "", "", "", ""]
            case 1: spaces = ["", " ", " ", "", " "]
            case 2: spaces = ["\n    ", " ", "\n    ", "\n  ", "\n  "]
            case 3: spaces = ["\r\n\t", " ", "\r\n\t", "\r\n", "\r\n"]
            case 4: spaces = ["", "", "", "", "\n"]
            case 5: spaces = ["", " ", " ", "", "\r\n  "]
            default: spaces = ["\n", "\n", "\r", " ", ""]
            }
        }

        mutating func chance(_ thousandths: Int) -> Bool { Int.random(in: 0..<1000, using: &random) < thousandths }

        mutating func text() -> String {
            let pieces = [
                "a", "R5", "some words of text", "咖啡", "\\u5496\\u5561", "\\u5496", "\\/", "\\\"", "\\\\", "\\n", "\\t",
                "\\u00e9", "\\u0041", "\\ud83d\\ude00", "\\u0022", "\\u001f", "\\b\\f\\r", "},{", "😀", "\\u0800\\uFFFD",
                " ",
            ]
            var text = ""
            for _ in 0..<Int.random(in: 0...9, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            if chance(1) { text += String(repeating: "長\\u9577", count: 12_000) }
            return "\"" + text + "\""
        }

        mutating func value() -> String {
            if chance(oddValues) { return JSONKernelTests.oddValues.randomElement(using: &random) ?? "" }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return "\(Int.random(in: -99...99_999_999, using: &random))"
            case 1:
                return ["0", "-0", "0.5", "4.50", "-12.25", "121.51208290000001", "120.4535834012345678"].randomElement(
                    using: &random) ?? ""
            case 2: return ["true", "false", "null"].randomElement(using: &random) ?? ""
            default: return text()
            }
        }

        mutating func record() -> String {
            var keys = keys
            if chance(oddities) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: keys.removeLast()
                case 1: keys.append("new\(Int.random(in: 0..<9, using: &random))")
                case 2: keys.append(keys[0])
                case 3: keys.reverse()
                case 4: return ["7", "null", "[1]", "\"s\"", "{}"].randomElement(using: &random) ?? ""
                default: keys[0] = "\\u0069d"
                }
            }
            if gaps > 0 { keys = keys.enumerated().filter { $0.offset == 0 || !chance(gaps) }.map(\.element) }
            let members = keys.map { key in "\"\(key)\":" + spaces[1] + value() }
            return "{" + spaces[0] + members.joined(separator: "," + spaces[2]) + spaces[3] + "}"
        }

        mutating func document(_ count: Int, isSequence: Bool) -> (text: String, layout: JSONLayout) {
            let records = (0..<count).map { _ in record() }
            if isSequence { return (records.joined(separator: spaces[4]), JSONLayout()) }
            let array = "[" + spaces[4] + records.joined(separator: "," + spaces[4]) + spaces[4] + "]"
            if Bool.random(using: &random) { return (array, JSONLayout()) }
            return ("{\"stat\":\"OK\",\"data\":\(array),\"total\":\(count)}", JSONLayout(records: ["data"]))
        }
    }

    /// Values that are broken, nested or otherwise not for the kernel, and some that just are.
    private static let oddValues: [String] = {
        let texts = [
            "\\x", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800\\ud800", "\\ud83dx", "\\ud83d\\n", "\\udbff\\udfff",
            "\\u12g4",
            "\\u4e2d\\u12", "\\u4e2d\\ud83d\\ude00", "\\ud83d\\ude00\\u4e2d", "\\u4e2d\\ud83d", "\\u4e2d\\u00e9",
            "\\u00e9\\u4e2d",
            "\\u0000", "\\U4e2d", "a\u{1}b", "tab\tin it", "line\nin it", "\\u4e2d\u{1}", "\\", "\\\\\\\"", "\\u/e2d",
            "\\u4:2d", "\\u4e@d",
            "\\u4e`d", "\\u4eGd", "\\u4E2D\\u4e2d", "\\uD7FF\\uE000", "\\u07FF\\u0800", "\\u007F\\u0080",
            "sixteen letters.\\/",
        ]
        var values = texts.map { "\"\($0)\"" }
        values += [
            "[1, {\"a\" : \"}\"}]", "{}", "1e5", "1E5", "-0.5E+10", "01", "00", "-01", "-", "+1", "tru", "truE", "nul",
            "fals", "falsE",
            "", "'a'", "1.", "-1.", ".5", "1.2.3", "--1", "0x10", "1.5.", "1-", "1a", "-0", "0.0", "truetrue", "nulll",
        ]
        // Around the sizes of blocks.
        for count in 1...40 {
            let digits = String("1234567890123456789012345678901234567890".prefix(count))
            values += [
                digits, "-" + digits, "0." + digits, digits + ".5", "-0." + digits, digits + "e1", digits + ".5e1",
            ]
            values += ["\"\(digits)\"", "\"\(digits)\\u4e2d\"", "\"\\u4e2d\(digits)\\\"\""]
        }
        return values
    }()

    /// A decoder that never asks the kernel.
    private static func plain(_ layout: JSONLayout) -> JSONRecordDecoder {
        var decoder = JSONRecordDecoder(layout)
        decoder.kernelUse.pause = .max
        return decoder
    }

    private func compare(_ bytes: [UInt8], _ layout: JSONLayout, windows: [Int]) {
        for window in windows {
            let plain = DocumentOutcome.decode(bytes, by: JSONKernelTests.plain(layout), window: window)
            let outcome = DocumentOutcome.decode(bytes, layout, window: window)
            #expect(outcome == plain, "window \(window)")
        }
    }

    @Test("random records, mostly alike", arguments: 0..<42) func random(_ seed: UInt64) {
        var writer = Writer(seed: seed)
        writer.oddities = [0, 20, 200][Int(seed / 6 % 3)]
        writer.gaps = seed % 2 == 0 ? 0 : [10, 100, 500][Int(seed / 6 % 3)]
        let (text, layout) = writer.document(80, isSequence: seed >= 28)
        compare(Array(text.utf8), layout, windows: [500, 4000, 1 << 20])
    }

    @Test("each value that the kernel may get wrong") func eachValue() {
        for value in JSONKernelTests.oddValues {
            let like = #"{"a":1,"b":"x"},"#
            let odd = "{\"a\":\(value),\"b\":\"y\"},{\"a\":1,\"b\":\(value)},"
            let bytes = Array(("[" + like + like + odd + like + like + like + like + "{}]").utf8)
            let plain = DocumentOutcome.decode(bytes, by: JSONKernelTests.plain(JSONLayout()), window: 1 << 20)
            let outcome = DocumentOutcome.decode(bytes, window: 1 << 20)
            #expect(outcome == plain, "\(value)")
        }
    }

    @Test(
        "a bracket without a record, and a record without its bracket, are refused behind records that are alike",
        arguments: ["}", ",\"b\":\"y\"}", ",\"a\":1,\"b\":\"y\"}", ",\"c\":3}"], [",", ",\n", "\n"])
    func bracketAlone(_ odd: String, _ between: String) {
        let like = Array(repeating: #"{"a":1,"b":"x","c":2}"#, count: 9)
        let text = (like + [odd] + like).joined(separator: between)
        let bytes = Array((between == "\n" ? text : "[" + text + "]").utf8)
        compare(bytes, JSONLayout(), windows: Array(1...230) + [1 << 20])
        let outcome = DocumentOutcome.decode(bytes, window: 1 << 20)
        #expect(outcome.failure == .malformed && outcome.records.count == 9, "\(outcome)")
    }

    @Test("values that are broken, nested or long", arguments: 0..<24) func values(_ seed: UInt64) {
        var writer = Writer(seed: seed)
        (writer.oddities, writer.oddValues) = (20, 30)
        for count in [10, 40] {
            let (text, layout) = writer.document(count, isSequence: false)
            compare(Array(text.utf8), layout, windows: [300, 1 << 20])
        }
    }

    @Test("broken bytes", arguments: 0..<24) func broken(_ seed: UInt64) {
        var writer = Writer(seed: seed)
        let (text, layout) = writer.document(60, isSequence: seed % 4 == 3)
        for _ in 0..<6 {
            let bytes = Mutation.mutated(Array(text.utf8), using: &writer.random)
            compare(bytes, layout, windows: [700, 1 << 20])
        }
    }

    @Test("every record that is written like the first is the kernel's, but for the last ones", arguments: 0..<5)
    func taken(_ seed: UInt64) throws {
        var writer = Writer(seed: seed)
        let (text, layout) = writer.document(300, isSequence: false)
        // A text of many escapes is the scanner's: it does not fit the kernel's buffer.
        let bytes = Array(text.utf8)
        var decoder = JSONRecordDecoder(layout)
        var batch = RecordBatch(bytes: bytes)
        _ = try decoder.decode(&batch, isLast: true)
        #expect(batch.count == 300 && batch.rejects.isEmpty)
        #expect(decoder.kernelUse.shape != nil && decoder.kernelUse.nextPause == 1)
        #expect(decoder.kernelUse.pause == 0)
    }

    @Test("a record may be without some of the keys, whichever the first one had") func gaps() throws {
        let keys = ["a", "b", "c", "d"]
        // Every set of keys with the first one, the smallest first, then each many times over.
        let sets = (0..<8).map { set in [0] + (1...3).filter { set >> ($0 - 1) & 1 == 1 } }
        let records = (sets + (0..<200).map { sets[$0 * 5 % 8] }).enumerated().map { number, set in
            "{" + set.map { "\"\(keys[$0])\":\"\(number)\"" }.joined(separator: ",") + "}"
        }
        let text = "[" + records.joined(separator: ",") + ",{\"a\":1}]"
        compare(Array(text.utf8), JSONLayout(), windows: [100, 1 << 20])
        var decoder = JSONRecordDecoder()
        var batches = 0
        var bytes = Array(text.utf8)
        while decoder.phase != .end {
            var batch = RecordBatch(bytes: bytes)
            let consumed = try decoder.decode(&batch, isLast: true)
            bytes.removeFirst(consumed)
            batches += 1
        }
        // Every new column begins a batch; then the kernel has all of them, and is never left to wait.
        #expect(batches == 5 && decoder.kernelUse.pause == 0 && decoder.kernelUse.nextPause == 1)
    }

    @Test("a text has the mark of one without escapes only if it needs none") func plainTexts() throws {
        let values = [
            "a", "\\u4e2d\\u6587", "\\/x", "\\\"", "\\\\", "\\n", "\\u0022", "\\u005c", "\\u001f", "\\u0020", "\\t",
        ]
        let isPlain = [true, true, true, false, false, false, false, false, false, true, false]
        let records = values.map { "{\"value\":\"\($0)\",\"more\":\"of it\"}" }
        let bytes = Array(
            ("[{\"value\":\"\",\"more\":\"\"}," + records.joined(separator: ",") + ",{\"value\":0}]").utf8)
        for start in [JSONRecordDecoder(), JSONKernelTests.plain(JSONLayout())] {
            var decoder = start
            var batch = RecordBatch(bytes: bytes)
            _ = try decoder.decode(&batch, isLast: true)
            #expect((1...values.count).map { batch[$0, 0].isPlain } == isPlain)
        }
    }
}
