import OpenDataCore
import Testing

@Suite struct SearchTests {
    @Test(
        "texts are found byte for byte, and what lies between them is kept",
        arguments: [
            ("a..b", "..", ["a", "b"]), ("a...b", "..", ["a", ".b"]), ("..", "..", ["", ""]), ("a.b", "..", ["a.b"]),
            ("aaab", "aab", ["a", ""]), ("aabaab", "aab", ["", "", ""]), ("", "x", [""]), ("x", "", ["x"]),
            ("因為安全性考量,請", "安全性", ["因為", "考量,請"]), ("line\r\nnext", "\n", ["line\r", "next"]),
            ("e\u{301}t", "e", ["", "\u{301}t"]), ("\u{E9}", "e\u{301}", ["\u{E9}"]), ("ab", "abc", ["ab"]),
        ])
    func pieces(_ text: String, _ wanted: String, _ pieces: [String]) {
        let found = text.pieces(between: wanted)
        #expect(found.map { Array($0.utf8) } == pieces.map { Array($0.utf8) })
        #expect(text.holds(wanted) == (wanted.isEmpty || pieces.count > 1))
        #expect(Substring("<\(text)>").dropFirst().dropLast().pieces(between: wanted).count == pieces.count)
    }
}
