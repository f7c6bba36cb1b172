import Foundation
import OpenData
import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

/// Records that are written while they are decoded must be those that are decoded, conformed and encoded in turn.
@Suite struct TranscriptTests {
    /// The encoder of a name, which takes no transcripts.
    private struct Plain: RecordEncoder {
        var encoder: any RecordEncoder

        mutating func begin(_ fields: [Field], into output: inout [UInt8]) { encoder.begin(fields, into: &output) }
        mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) { encoder.write(batch, into: &output) }
        mutating func finish(into output: inout [UInt8]) { encoder.finish(into: &output) }
        func forLaterBatches() -> Plain? { encoder.forLaterBatches().map { Plain(encoder: $0) } }
    }

    /// An encoder that says of how many records it has been given the text.
    private struct Counting: TranscribedEncoder {
        var encoder: JSONRecordEncoder
        let count: Guarded<Int>

        mutating func begin(_ fields: [Field], into output: inout [UInt8]) { encoder.begin(fields, into: &output) }
        mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
            count.with { $0 += batch.transcript.count }
            encoder.write(batch, into: &output)
        }
        mutating func finish(into output: inout [UInt8]) { encoder.finish(into: &output) }
        func forLaterBatches() -> Counting? {
            encoder.forLaterBatches().map { Counting(encoder: $0, count: count) }
        }
        var layout: RecordLayout? { encoder.layout }
    }

    private static let schema: Schema = [
        .date("day", "日期"), .text("code", "代號", required: true), .text("name", "名稱", missing: []),
        .integer("n", "數量"), .number("price", "價", marks: [Mark("X", keepsValue: false), Mark("#", keepsValue: true)]),
        .dateTime("time", "時間"), .boolean("open", "開放"), .text("state", "狀態", missing: ["無", ""]),
        .text("gone", "沒有", optionalColumn: true), Field("any", sourceNames: ["任何"], type: .any),
        .number("again", "數量"), .date("constant", optionalColumn: true),
    ]
    /// The same, and every column is that of a field.
    private static let whole = Schema(schema.fields + [.text("more", "多")])
    private static let header = "任何,日期,代號,名稱,數量,價,時間,開放,狀態,多\n"

    /// The bytes written, the summary, the rejects and the error.
    private func export(
        _ payload: [UInt8], schema: Schema = schema, _ encoder: any RecordEncoder, threads: Int, window: Int,
        format: Format = .csv, marks: Bool = false
    ) async throws -> String {
        var source = TestSource(format: format)
        source.dataset.schema = schema
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(payload))
        options.rejects = .report
        options.windowSize = window
        options.marks = marks
        var exporter = Exporter(encoder)
        (exporter.threads, exporter.allowedRejects) = (threads, .max)
        let rejects = Guarded<[String]>([])
        exporter.onReject = { reject in
            rejects.with { $0.append("\(reject.origin) \(reject.raw) \(reject.message) \(reject.field ?? "")") }
        }
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("out").path
        do throws(OpenDataError) {
            let summary = try await exporter.write(
                Client(transport: StubTransport([:])).batches(of: source, options: options), to: path)
            let counts = "\(summary.read) \(summary.written) \(summary.rejected) \(summary.droppedMarks)"
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            return "\(counts) \(summary.unknownColumns)\n" + String(decoding: bytes, as: UTF8.self)
                + rejects.current.joined(separator: "\n")
        } catch {
            return "\(error.code.rawValue) \(error.position?.description ?? "") \(error.message)"
        }
    }

    /// Checks that both ways come to the same, and returns what that is.
    @discardableResult
    private func check(
        _ payload: [UInt8], schema: Schema? = nil, windows: [Int], format: Format = .csv, marks: Bool = false
    ) async throws -> String {
        guard let schema else {
            try await check(payload, schema: Self.whole, windows: windows, format: format, marks: marks)
            return try await check(payload, schema: Self.schema, windows: windows, format: format, marks: marks)
        }
        var result = ""
        for framing in [JSONRecordEncoder.Framing.lines, .array] {
            let encoder = JSONRecordEncoder(framing)
            for (number, window) in windows.enumerated() {
                result = try await export(
                    payload, schema: schema, Plain(encoder: encoder), threads: 1, window: window, format: format,
                    marks: marks)
                let other = try await export(
                    payload, schema: schema, encoder, threads: number % 3 + 1, window: window, format: format,
                    marks: marks)
                #expect(other == result, "window \(window)")
            }
        }
        return result
    }

    /// A cell of a column, most of them what the column wants.
    private static func cell(_ column: Int, _ random: inout SeededGenerator, odd: Int) -> String {
        let any = [
            "", " ", "x", "中文", "　x", "x\u{A0}", "\"\"", "a\"\"b", "\n", "a\r\nb", "\\", "\t", ",", "0", "-", "１２",
            "é　",
            "一個很長很長很長的名字，超過三十二個位元組", "-0", "00", "1.", ".5", "+1", "1,234", "1e5", "--1", "1-2", "X", "X1.5", "#7",
            "N/A",
        ]
        if odd > 0, Int.random(in: 0..<odd, using: &random) == 0 { return any.randomElement(using: &random) ?? "" }
        let digits = String(UInt64.random(in: 0...(1 << UInt64.random(in: 0..<60, using: &random)), using: &random))
        return switch column {
        case 1: ["1150708", "1150709", "115/07/10", "2026-07-08", ""].randomElement(using: &random) ?? ""
        case 2: "c\(digits)"
        case 4: digits
        case 5: (Bool.random(using: &random) ? "-" : "") + "\(digits.prefix(12)).\(digits.suffix(3))"
        case 6: ["2026-07-08 13:00", "115/07/08 13:00:01", ""].randomElement(using: &random) ?? ""
        case 7: ["true", "false", "TRUE", ""].randomElement(using: &random) ?? ""
        case 8: ["開", "無", "", "關閉"].randomElement(using: &random) ?? ""
        default: ["中文", "x", "名字名字名字名字名字", ""].randomElement(using: &random) ?? ""
        }
    }

    @Test("random records, from all plain to mostly odd", arguments: [0, 400, 60, 15, 4], 0..<4)
    func random(_ odd: Int, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed * 1000 + UInt64(odd))
        let end = seed % 2 == 0 ? "\n" : "\r\n"
        var text = Self.header
        for _ in 0..<150 {
            let cells = (0..<10).map { "\"\(Self.cell($0, &random, odd: odd))\"" }
            text += cells.joined(separator: ",") + end
        }
        if seed == 3 { text.removeLast() }
        let windows = [300, 700, 1100, 5000, 20_000].map { $0 + Int.random(in: 0..<99, using: &random) }
        let result = try await check(Array(text.utf8), windows: windows, marks: odd == 60)
        #expect(odd > 0 || result.hasPrefix("150 150 0"))
    }

    @Test("broken payloads", arguments: 0..<12) func broken(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var text = Self.header
        for _ in 0..<100 {
            let cells = (0..<10).map { "\"\(Self.cell($0, &random, odd: 0))\"" }
            text += cells.joined(separator: ",") + "\n"
        }
        let payload = Mutation.mutated(Array(text.utf8), using: &random)
        try await check(payload, windows: [150, 400, 3000].map { $0 + Int.random(in: 0..<99, using: &random) })
    }

    @Test("every window size") func everyWindow() async throws {
        var random = SeededGenerator(seed: 7)
        var text = Self.header
        for row in 0..<12 {
            let cells = (0..<10).map { "\"\(Self.cell($0, &random, odd: row == 5 ? 3 : 0))\"" }
            text += cells.joined(separator: ",") + "\n"
        }
        try await check(Array(text.utf8), windows: Array(1...200) + [400, 800, 1600])
    }

    @Test("letters that are none are found at their places") func invalid() async throws {
        let line = "\"中文\",\"1150708\",\"c1\",\"名\",\"1\",\"2.5\",\"\",\"true\",\"開\",\"\"\n"
        let good = Array((Self.header + String(repeating: line, count: 60)).utf8)
        for place in [good.count - 2000, good.count - 700, good.count - 40] {
            var bytes = good
            bytes[place] = 0xFF
            let result = try await check(bytes, windows: [90, 500, 1700])
            #expect(result.hasPrefix("invalidText"), "\(result.prefix(60))")
        }
    }

    @Test("any byte anywhere in a record", arguments: ["\n", "\r\n"]) func anyByte(_ end: String) async throws {
        let line = "\"中文\",\"1150708\",\"c1\",\"é名\",\"1\",\"2.5\",\"\",\"true\",\"開\",\"一二三四五六七八九十甲乙\"\(end)"
        let good = Array((Self.header + String(repeating: line, count: 50)).utf8)
        let (start, length) = (good.count - 8 * line.utf8.count, line.utf8.count)
        let bytes: [UInt8] = [
            0x00, 0x09, 0x0A, 0x0D, 0x1F, 0x22, 0x2C, 0x30, 0x5C, 0x7F, 0x80, 0xA0, 0xC2, 0xE4, 0xED, 0xF4, 0xFF,
        ]
        for place in 0..<length {
            var changed = good
            changed[start + place] = bytes[(place * 7) % bytes.count]
            try await check(changed, schema: Self.whole, windows: [1100])
            changed[start + place] = bytes[(place * 7 + 3) % bytes.count]
            // The last cell is that of no field.
            try await check(changed, schema: place > length - 48 ? Self.schema : Self.whole, windows: [1500])
        }
    }

    @Test("a line end where a delimiter is due, and other controls behind it") func lineEndWithin() async throws {
        let plain = String(repeating: "\"x\",\"y\"\n", count: 200)
        for control in ["\t", "\n", "\r", "\u{1}"] {
            let long = String(repeating: "中", count: 70)
            let text = "甲,乙\n\(plain)\"a\"\n\"b\"\n\"c\",\"d\"\n\"e\(control)\(long)\",\"f\"\n"
            try await check(Array(text.utf8), schema: .asPublished, windows: Array(stride(from: 300, to: 700, by: 11)))
        }
    }

    @Test("a schema that the payload tells") func asPublished() async throws {
        let text = "甲,乙\n" + (0..<200).map { "\"\($0)\",\"\($0 % 3 == 0 ? "" : " 中\($0) ")\"\n" }.joined()
        try await check(Array(text.utf8), schema: .asPublished, windows: [30, 100, 900])
    }

    @Test("other delimiters", arguments: [";", "\t", "|"]) func delimiters(_ delimiter: Character) async throws {
        var random = SeededGenerator(seed: 3)
        var text = Self.header.replacing(",", with: String(delimiter))
        for _ in 0..<100 {
            let cells = (0..<10).map { "\"\(Self.cell($0, &random, odd: 50))\"" }
            text += cells.joined(separator: String(delimiter)) + "\n"
        }
        try await check(Array(text.utf8), windows: [200, 900, 4000], format: .csv(CSVDialect(delimiter: delimiter)))
    }

    @Test("records of plain text in quotes are written at once, but for the first window's", arguments: 1...3)
    func isTaken(_ threads: Int) async throws {
        var text = Self.header
        for number in 0..<1000 {
            let end = number < 500 ? "\n" : "\r\n"
            text += "\"中\",\"1150708\",\"c\(number)\",\"\",\"\(number)\",\"-\(number).5\",\"\",\"\",\"開\",\"\"\(end)"
        }
        for framing in [JSONRecordEncoder.Framing.lines, .array] {
            let count = Guarded(0)
            let encoder = Counting(encoder: JSONRecordEncoder(framing), count: count)
            let result = try await export(Array(text.utf8), encoder, threads: threads, window: 4000)
            #expect(result.hasPrefix("1000 1000 0"))
            #expect(count.current > 900 && count.current < 1000, "\(count.current)")
        }
    }
}
