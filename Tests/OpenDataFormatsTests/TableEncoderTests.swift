import OpenDataCore
@testable import OpenDataFormats
import Testing

@Suite struct TableEncoderTests {
    @Test func table() {
        let text = EncoderFixtures.text(TableEncoder(), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(
            text == #"""
                date        code    name                         close  halted  seen_at                        more
                ----------  ------  ----------------  ----------------  ------  -----------------------------  ----------------
                2026-07-08  0050    元大台灣50                  198.10  true    2026-07-08T13:05:00+08:00      {"a":[1,"x, y"]}
                            006208
                            1E10    say "hi", | \ ok             -0.50
                0999-01-31  00632R  two\nlines        9007199254740993  false   2026-07-08T00:00:07.025-09:30             1e300

                """#)
    }

    @Test("B131: Chinese text takes two columns a character")
    func chinese() {
        let records: [[Value]] = [[.text("元大台灣50"), .text("0050")], [.text("TSMC"), .text("2330")]]
        #expect(
            EncoderFixtures.text(TableEncoder(), [.text("名稱"), .text("code")], records) == """
                名稱        code
                ----------  ----
                元大台灣50  0050
                TSMC        2330

                """)
    }

    @Test("B132: a longer cell late in the table widens the whole column")
    func longCellLate() {
        var records = (1...600).map { [Value.number("\($0)"), .text("x")] }
        records[574][0] = .number("123456789.25")
        let lines = EncoderFixtures.text(TableEncoder(), [.number("n"), .text("t")], records).split(separator: "\n")
        #expect(lines.count == 602)
        #expect(lines.allSatisfy { $0.utf8.count == 15 && ($0.hasSuffix("  x") || $0 == lines[0] || $0 == lines[1]) })
        #expect(lines[576] == "123456789.25  x")
    }

    @Test("names stand over numbers at the right, over anything else at the left")
    func alignment() {
        let fields: [Field] = [
            .integer("integer"), Field("numbers", sourceNames: [], type: .any),
            Field("mixed", sourceNames: [], type: .any),
            Field("nothing", sourceNames: [], type: .any), .text("digits"),
        ]
        let records: [[Value]] = [
            [.null, .number("1"), .number("1"), .null, .text("1")], [.null, .null, .text("a"), .absent, .text("2")],
        ]
        #expect(
            EncoderFixtures.text(TableEncoder(), fields, records) == """
                integer  numbers  mixed  nothing  digits
                -------  -------  -----  -------  ------
                               1      1           1
                                  a               2

                """)
        let narrow: [Field] = [.integer("n"), Field("m", sourceNames: [], type: .any), .text("t")]
        #expect(
            EncoderFixtures.text(TableEncoder(), narrow, [[.number("100"), .number("2.50"), .text("300")]]) == """
                  n     m  t
                ---  ----  ---
                100  2.50  300

                """)
    }

    @Test(
        "controls are shown, not sent",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", #"\u{1B}[31mred\u{1B}[0m"#), ("a\nb\tc\rd", #"a\nb\tc\rd"#),
            ("a\r\nb", #"a\r\nb"#),
            ("\u{0}\u{7}\u{7F}", #"\u{00}\u{07}\u{7F}"#), ("\u{9B}31m\u{85}", #"\u{9B}31m\u{85}"#),
            ("abc\u{202E}fed\u{2069}", #"abc\u{202E}fed\u{2069}"#), ("甲\u{2028}乙", #"甲\u{2028}乙"#),
            ("👨\u{200D}👩 e\u{301}", "👨\u{200D}👩 e\u{301}"), (#"C:\new"#, #"C:\new"#),
        ])
    func controls(_ text: String, _ expected: String) {
        let output = EncoderFixtures.text(TableEncoder(), [.text("a"), .text("b")], [[.text(text), .text("z")]])
        let lines = output.utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 3)
        #expect(lines.last?.elementsEqual((expected + "  z").utf8) == true)
    }

    @Test("every control of ASCII is shown, in names too")
    func noControlPasses() {
        let hostile = String(String.UnicodeScalarView((0..<0xA0).compactMap { Unicode.Scalar($0) }))
        let fields: [Field] = [.text(hostile), .text("b")]
        let bytes = EncoderFixtures.bytes(
            TableEncoder(), fields,
            [EncoderFixtures.batch(fields, [[.text(hostile), .json("[\"\u{7F}\"]")]])])
        #expect(bytes.allSatisfy { $0 == 0x0A || 0x20..<0x7F ~= $0 })
        #expect(bytes.count { $0 == 0x0A } == 3)
    }

    @Test(
        "bytes that are not UTF-8 are shown as U+FFFD, one each",
        arguments: [
            ([0xFF, 0x61, 0xF5, 0x62], "?a?b"), ([0xC0, 0x80], "??"),
            ([0xE0, 0x9F, 0xBF], "???"),
            ([0xF0, 0x8F, 0xBF, 0xBF], "????"),
            ([0xED, 0xA0, 0x80], "???"),
            ([0xF4, 0x90, 0x80, 0x80], "????"), ([0xC3, 0xC3, 0xA9], "?é"), ([0xE4, 0xC3, 0xA9], "?é"),
            ([0xE4, 0xB8], "??"),
            ([0xF0, 0x9F, 0x98, 0x80, 0x80], "😀?"),
        ] as [([UInt8], String)])
    func invalidBytes(_ bytes: [UInt8], _ expected: String) {
        let expected = expected.map { $0 == "?" ? "\u{FFFD}" : String($0) }.joined()
        var batch = EncoderFixtures.batch([.text("a")], [])
        batch.bytes = bytes + [0xA9, 0x80, 0x80]
        batch.cells = [Cell(.text, offset: 0, length: bytes.count)]
        batch.origins = [RecordOrigin(record: 1, line: 1, byte: 0)]
        let output = EncoderFixtures.bytes(TableEncoder(), [.text("a")], [batch])
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(lines.last.map(String.init) == expected)
        #expect(lines[1].utf8.count == DisplayWidth.columns(of: expected))
    }

    @Test("no line ends in white space")
    func lineEnds() {
        let fields: [Field] = [.text("a"), .text("b"), .text("")]
        let records: [[Value]] = [
            [.text("x"), .null, .null], [.null, .null, .null], [.text("long"), .text("y  "), .text(" ")],
        ]
        let lines = EncoderFixtures.text(TableEncoder(), fields, records).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines == ["a     b", "----  ---  -", "x", "", "long  y", ""])
    }

    @Test("without records there are names and a rule, without fields nothing")
    func empty() {
        #expect(EncoderFixtures.text(TableEncoder(), [.text("code"), .number("n")], []) == "code  n\n----  -\n")
        #expect(EncoderFixtures.text(TableEncoder(), [], []) == "")
        #expect(EncoderFixtures.text(TableEncoder(), [], [[], []]) == "")
    }

    @Test("B132: a long table goes out in pages, each with its own widths and the names")
    func pages() {
        let records: [[Value]] = [[.text("1")], [.text("22222")], [.text("3")], [.text("4")]]
        let first = "a\n-----\n1\n22222\n"
        let second = "\na\n-\n3\n4\n"
        func text(_ count: Int) -> String {
            EncoderFixtures.text(TableEncoder(recordsPerPage: 2), [.text("a")], Array(records.prefix(count)))
        }
        #expect(text(2) == first)
        #expect(text(3) == first + "\na\n-\n3\n")
        #expect(text(4) == first + second)
        #expect(TableEncoder.recordsPerPage == 100_000)
    }

    @Test("each page aligns its names by its own records")
    func pagesAlign() {
        let fields: [Field] = [Field("n", sourceNames: [], type: .any)]
        let records: [[Value]] = [[.text("long")], [.number("10")], [.text("text")]]
        let text = EncoderFixtures.text(TableEncoder(recordsPerPage: 1), fields, records)
        #expect(text == "n\n----\nlong\n\n n\n--\n10\n\nn\n----\ntext\n")
    }

    @Test("a page ends at a number of bytes as well")
    func pagesBySize() {
        let records: [[Value]] = [[.text("1234567")], [.text("12345678")], [.text("3")]]
        let encoder = TableEncoder(recordsPerPage: 100, bytesPerPage: 16)
        #expect(EncoderFixtures.text(encoder, [.text("a")], records) == "a\n--------\n1234567\n12345678\n\na\n-\n3\n")
    }

    @Test("a full page is written at once, not at the end")
    func pagesAsTheyFill() {
        var (encoder, output) = (TableEncoder(recordsPerPage: 2), [UInt8]())
        encoder.begin([.text("a")], into: &output)
        encoder.write(EncoderFixtures.batch([.text("a")], [[.text("1")]]), into: &output)
        #expect(output.isEmpty)
        encoder.write(EncoderFixtures.batch([.text("a")], [[.text("2")]]), into: &output)
        #expect(output == Array("a\n-\n1\n2\n".utf8))
    }

    @Test("a very wide cell is written whole and widens no other line")
    func veryWide() {
        let wide = String(repeating: "寬", count: 150)
        let lines = EncoderFixtures.text(
            TableEncoder(), [.text("a"), .text("b")], [[.text(wide), .text("1")], [.text("x"), .text("2")]]
        ).split(separator: "\n")
        #expect(lines[1] == String(repeating: "-", count: 200) + "  -")
        #expect(lines[2] == wide + "  1")
        #expect(lines[3] == "x" + String(repeating: " ", count: 201) + "2")
    }
}
