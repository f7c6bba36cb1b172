import OpenDataCore
import OpenDataFormats
import Testing

@Suite struct CSVRecordEncoderTests {
    @Test("B014, B076, B120: no value is an empty cell, empty text two quotes; text and digits as they are")
    func csv() {
        let text = EncoderFixtures.text(CSVRecordEncoder(), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(
            text == """
                date,code,name,close,halted,seen_at,more
                2026-07-08,0050,元大台灣50,198.10,true,2026-07-08T13:05:00+08:00,"{""a"":[1,""x, y""]}"
                ,006208,"",,,,
                ,1E10,"say ""hi"", | \\ ok",-0.50,,,
                0999-01-31,00632R,"two
                lines",9007199254740993,false,2026-07-08T00:00:07.025-09:30,1e300

                """)
    }

    @Test func tsv() {
        let text = EncoderFixtures.text(CSVRecordEncoder(.tab), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(
            text == """
                date\tcode\tname\tclose\thalted\tseen_at\tmore
                2026-07-08\t0050\t元大台灣50\t198.10\ttrue\t2026-07-08T13:05:00+08:00\t"{""a"":[1,""x, y""]}"
                \t006208\t""\t\t\t\t
                \t1E10\t"say ""hi"", | \\ ok"\t-0.50\t\t\t
                0999-01-31\t00632R\t"two
                lines"\t9007199254740993\tfalse\t2026-07-08T00:00:07.025-09:30\t1e300

                """)
    }

    @Test(
        "B076: what is quoted",
        arguments: [
            ("甲,乙", #""甲,乙""#, "甲,乙"), ("a\tb", "a\tb", "\"a\tb\""), ("a\"b", #""a""b""#, #""a""b""#),
            ("\"", #""""""#, #""""""#), ("a\nb", "\"a\nb\"", "\"a\nb\""), ("a\rb", "\"a\rb\"", "\"a\rb\""),
            ("a\r\nb", "\"a\r\nb\"", "\"a\r\nb\""), (" a", #"" a""#, #"" a""#), ("a ", #""a ""#, #""a ""#),
            ("\ta", "\"\ta\"", "\"\ta\""), ("a\t", "\"a\t\"", "\"a\t\""), ("", #""""#, #""""#), (" ", #"" ""#, #"" ""#),
            ("a b", "a b", "a b"), ("=1+1", "=1+1", "=1+1"), ("it's; #1|2\\", "it's; #1|2\\", "it's; #1|2\\"),
            ("1234567,", #""1234567,""#, "1234567,"), ("12345678,9", #""12345678,9""#, "12345678,9"),
            ("123456789\"", #""123456789""""#, #""123456789""""#), ("-", "-", "-"),
            ("\u{B}\u{85}\u{2028}", "\u{B}\u{85}\u{2028}", "\u{B}\u{85}\u{2028}"),
        ])
    func quoting(_ text: String, _ comma: String, _ tab: String) {
        let csv = EncoderFixtures.line(CSVRecordEncoder(), .text(text))
        let tsv = EncoderFixtures.line(CSVRecordEncoder(.tab), .text(text))
        #expect(csv.utf8.elementsEqual((comma + ",z\n").utf8))
        #expect(tsv.utf8.elementsEqual((tab + "\tz\n").utf8))
    }

    @Test("names are quoted as cells are")
    func header() {
        #expect(
            EncoderFixtures.text(CSVRecordEncoder(), [.text("a,b"), .text(""), .text("c\"")], []) == #""a,b","","c""""#
                + "\n")
    }

    @Test("a table of one column has a line that is not blank for every record")
    func oneColumn() {
        let records: [[Value]] = [[.null], [.text("")], [.absent], [.text("x")]]
        #expect(EncoderFixtures.text(CSVRecordEncoder(), [.text("a")], records) == "a\n\"\"\n\"\"\n\"\"\nx\n")
        #expect(EncoderFixtures.text(CSVRecordEncoder(), [.text("a"), .text("b")], [[.null, .null]]) == "a,b\n,\n")
    }

    @Test("B140: the byte order mark is there if asked for, once, and at the start")
    func byteOrderMark() {
        let records = [[Value.text("台積電")], [.text("x")]]
        let batches = records.map { EncoderFixtures.batch([.text("name")], [$0]) }
        let plain = EncoderFixtures.bytes(CSVRecordEncoder(), [.text("name")], batches)
        #expect(plain == Array("name\n台積電\nx\n".utf8))
        for delimiter in [CSVRecordEncoder.Delimiter.comma, .tab] {
            let encoder = CSVRecordEncoder(delimiter, byteOrderMark: true)
            #expect(EncoderFixtures.bytes(encoder, [.text("name")], batches) == [0xEF, 0xBB, 0xBF] + plain)
        }
    }

    @Test("B062, B141: a first name that begins like a byte order mark is not taken for one")
    func markInName() {
        let fields: [Field] = [.text("\u{FEFF}a"), .text("\u{FEFF}b")]
        #expect(
            EncoderFixtures.text(CSVRecordEncoder(), fields, []).utf8.elementsEqual("\"\u{FEFF}a\",\u{FEFF}b\n".utf8))
    }

    @Test func withoutFields() {
        #expect(EncoderFixtures.text(CSVRecordEncoder(), [], [[], []]) == "")
    }
}
