import OpenDataCore
import OpenDataFormats
import Testing

@Suite struct MarkdownEncoderTests {
    @Test func markdown() {
        let text = EncoderFixtures.text(MarkdownEncoder(), EncoderFixtures.fields, EncoderFixtures.records)
        #expect(
            text == #"""
                | date | code | name | close | halted | seen_at | more |
                | --- | --- | --- | ---: | --- | --- | --- |
                | 2026-07-08 | 0050 | 元大台灣50 | 198.10 | true | 2026-07-08T13:05:00+08:00 | {"a":\[1,"x, y"\]} |
                |  | 006208 |  |  |  |  |  |
                |  | 1E10 | say "hi", \| \\ ok | -0.50 |  |  |  |
                | 0999-01-31 | 00632R | two<br>lines | 9007199254740993 | false | 2026-07-08T00:00:07.025-09:30 | 1e300 |

                """#)
    }

    @Test(
        "what has a meaning in Markdown or HTML is escaped",
        arguments: [
            ("a|b", #"a\|b"#), (#"a\|b"#, #"a\\\|b"#), ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
            ("a\nb\rc\r\nd\n\re", "a<br>b<br>c<br>d<br><br>e"),
            ("*a* `b` ~c~ [d](e)", #"\*a\* \`b\` \~c\~ \[d\](e)"#), ("stock_no", "stock_no"), ("_a_", #"\_a\_"#),
            ("a__b", #"a\_\_b"#), ("台_北", #"台\_北"#), ("a\tb", "a\tb"), ("\u{1B}[0m", #"\\u{1B}\[0m"#),
            ("\u{0}", #"\\u{00}"#),
            ("\u{9B}\u{202E}", #"\\u{9B}\\u{202E}"#), ("金é😀", "金é😀"), ("", ""), ("# 1. - +", "# 1. - +"),
            ("\n", "<br>"),
        ])
    func escaping(_ text: String, _ expected: String) {
        let line = EncoderFixtures.line(MarkdownEncoder(), .text(text))
        #expect(line.utf8.elementsEqual("| \(expected) | z |\n".utf8))
    }

    @Test("names are escaped; a table without records has its two first lines")
    func header() {
        #expect(
            EncoderFixtures.text(MarkdownEncoder(), [.text("a|b"), .integer("n")], [])
                == "| a\\|b | n |\n| --- | ---: |\n")
        #expect(EncoderFixtures.text(MarkdownEncoder(), [], [[], []]) == "")
    }
}
