import Foundation
import OpenDataCore
import OpenDataFormats
import Testing

@Suite struct JSONRecordEncoderTests {
    private let lines = [
        #"{"date":"2026-07-08","code":"0050","name":"元大台灣50","close":198.10,"halted":true,"#
            + #""seen_at":"2026-07-08T13:05:00+08:00","more":{"a":[1,"x, y"]}}"#,
        #"{"date":null,"code":"006208","name":"","close":null,"halted":null,"seen_at":null,"more":null}"#,
        #"{"code":"1E10","name":"say \"hi\", | \\ ok","close":-0.50}"#,
        #"{"date":"0999-01-31","code":"00632R","name":"two\nlines","close":9007199254740993,"halted":false,"#
            + #""seen_at":"2026-07-08T00:00:07.025-09:30","more":1e300}"#,
    ]

    @Test("B014, B059, B095, B097, B130: an array, one record a line; null, absent and empty apart; digits kept")
    func array() {
        let text = EncoderFixtures.text(
            JSONRecordEncoder(.array), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(text == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
    }

    @Test func ndjson() {
        let text = EncoderFixtures.text(
            JSONRecordEncoder(.lines), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(text == lines.joined(separator: "\n") + "\n")
    }

    @Test func noRecords() {
        #expect(EncoderFixtures.text(JSONRecordEncoder(.array), EncoderFixtures.fields, []) == "[]\n")
        #expect(EncoderFixtures.text(JSONRecordEncoder(.lines), EncoderFixtures.fields, []) == "")
        #expect(EncoderFixtures.text(JSONRecordEncoder(.array), [], [[], []]) == "[\n{},\n{}\n]\n")
    }

    @Test("an encoder begins anew")
    func beginsAgain() {
        var (encoder, output) = (JSONRecordEncoder(.array), [UInt8]())
        for _ in 0..<2 {
            encoder.begin([.text("a")], into: &output)
            encoder.write(EncoderFixtures.batch([.text("a")], [[.text("1")]]), into: &output)
            encoder.finish(into: &output)
        }
        #expect(String(decoding: output, as: UTF8.self) == String(repeating: "[\n{\"a\":\"1\"}\n]\n", count: 2))
    }

    @Test(
        "no member at the beginning, in the middle, at the end, anywhere",
        arguments: [
            ([.absent, .number("1"), .number("2")], #"{"b":1,"c":2}"#),
            ([.number("1"), .absent, .number("2")], #"{"a":1,"c":2}"#),
            ([.number("1"), .number("2"), .absent], #"{"a":1,"b":2}"#),
            ([.absent, .absent, .null], #"{"c":null}"#),
            ([.absent, .absent, .absent], "{}"),
        ] as [([Value], String)])
    func absent(_ record: [Value], _ expected: String) {
        let fields: [Field] = [.integer("a"), .integer("b"), .integer("c")]
        #expect(EncoderFixtures.text(JSONRecordEncoder(.lines), fields, [record]) == expected + "\n")
    }

    @Test(
        "B097: only what must be is escaped",
        arguments: [
            ("https://a/b", #""https://a/b""#), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
            ("\u{0}\u{1}\u{F}\u{10}\u{1A}\u{1F}", #""\u0000\u0001\u000F\u0010\u001A\u001F""#),
            (#""\"#, #""\"\\""#), ("\u{7F}\u{2028}\u{2029}é金\u{F90A}😀", "\"\u{7F}\u{2028}\u{2029}é金\u{F90A}😀\""),
            ("", #""""#), ("12345678\"", #""12345678\"""#), ("1234567\"890", #""1234567\"890""#),
        ])
    func strings(_ text: String, _ expected: String) {
        let line = EncoderFixtures.line(JSONRecordEncoder(.lines), .text(text))
        #expect(line.utf8.elementsEqual((#"{"a":"# + expected + #","b":"z"}"# + "\n").utf8))
    }

    @Test("names are escaped as strings are")
    func names() {
        let text = EncoderFixtures.text(JSONRecordEncoder(.lines), [.text("a\"\\\n名")], [[.text("1")]])
        #expect(text == #"{"a\"\\\n名":"1"}"# + "\n")
    }

    @Test("another reader gets back every text", arguments: 0...9)
    func hostileStrings(_ padding: Int) throws {
        // Each scalar at each place of a word of eight bytes, between characters of one to four bytes.
        let around = ["", "中", "😀é", "\u{2028}", "\\\"/"]
        let texts = (0...0x7F).flatMap { value in
            around.map { String(repeating: "x", count: padding) + $0 + String(Unicode.Scalar(UInt8(value))) + $0 + "y" }
        }
        let bytes = EncoderFixtures.bytes(
            JSONRecordEncoder(.array), [.text("a")],
            [EncoderFixtures.batch([.text("a")], texts.map { [.text($0)] })])
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: String]])
        #expect(parsed.count == texts.count)
        for (record, text) in zip(parsed, texts) {
            #expect(record["a"].map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
        }
    }

    @Test(
        "a long text is written whole, whatever has to be escaped where",
        arguments: [
            String(repeating: "\u{1}", count: 10_000),
            String(repeating: "x", count: 4095) + "\"\\" + String(repeating: "y", count: 4096),
            String(repeating: "甲", count: 5_000) + "\n", String(repeating: "x", count: 8192),
            String(repeating: "x\"", count: 70_000),
        ])
    func long(_ text: String) throws {
        let fields: [Field] = [.text("a"), .text("b")]
        let bytes = EncoderFixtures.bytes(
            JSONRecordEncoder(.lines), fields, [EncoderFixtures.batch(fields, [[.text(text), .text("z")]])])
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
        #expect(parsed["a"] == text && parsed["b"] == "z")
        let line = EncoderFixtures.line(CSVRecordEncoder(), .text(text + "\""))
        #expect(line == "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"\"\",z\n")
    }

    @Test("another reader finds valid JSON in all records", arguments: [JSONRecordEncoder.Framing.array, .lines])
    func valid(_ framing: JSONRecordEncoder.Framing) throws {
        let text = EncoderFixtures.text(
            JSONRecordEncoder(framing), EncoderFixtures.fields, EncoderFixtures.records)
        let texts = framing == .array ? [text] : text.split(separator: "\n").map(String.init)
        for text in texts { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        #expect(texts.count == (framing == .array ? 1 : EncoderFixtures.records.count))
    }
}
