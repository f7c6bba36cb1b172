import OpenDataFormats
import Testing

@Suite struct DisplayWidthTests {
    @Test(
        "B131: columns of a terminal",
        arguments: [
            ("", 0), ("0050", 4), ("元大台灣50", 10), ("TSMC", 4), ("ＡＢ１", 6), ("ｱｲｳ", 3), ("カナ", 4), ("한글", 4),
            ("ㄅㄆ", 4), ("（股）、。", 10), ("\u{3000}", 2), ("𠮷", 2), ("\u{F90A}", 2), ("\u{31350}", 2), ("㍿", 2), ("¥", 1),
            ("￥", 2),
            // Combining and zero-width.
            ("e\u{301}", 1), ("\u{e9}", 1), ("か\u{3099}", 2), ("a\u{200B}b", 2), ("\u{FEFF}a", 1), ("a\u{20DD}", 1),
            ("\u{1100}\u{1161}\u{11A8}", 2), ("ก\u{E31}", 1), ("क\u{93F}", 2), ("한\u{302E}", 2), ("\u{AD}", 1),
            ("\u{600}", 1),
            // Ambiguous: one.
            ("±", 1), ("①", 1), ("—", 1), ("…", 1), ("α", 1), ("─", 1), ("°", 1), ("※", 1),
            // Emoji, scalar by scalar.
            ("😀", 2), ("👨\u{200D}👩\u{200D}👧", 6), ("❤\u{FE0F}", 1), ("👍🏽", 4), ("🇹🇼", 2), ("⌚", 2), ("🫩", 2), ("☀", 1),
            // Controls have no width of their own.
            ("\u{0}\u{7}\u{1B}\u{7F}\u{9B}\u{2028}", 0),
        ])
    func columns(_ text: String, _ expected: Int) {
        #expect(DisplayWidth.columns(of: text) == expected)
    }

    @Test("the table is in order, and what stands beside its ranges is narrow")
    func ranges() throws {
        // Around the blocks that matter here, with the neighbours just outside them.
        for (value, expected) in [
            (0x10FF, 1), (0x1100, 2), (0x115F, 2), (0x1160, 0), (0x1200, 1), (0x2E7F, 1), (0x2E80, 2), (0x303F, 1),
            (0x3040, 1), (0x3041, 2), (0x33FF, 2), (0x3400, 2), (0x9FFF, 2), (0xA48C, 2), (0xA48D, 1), (0xABFF, 1),
            (0xAC00, 2), (0xD7A3, 2), (0xF8FF, 1), (0xF900, 2), (0xFAFF, 2), (0xFB00, 1), (0xFF00, 1), (0xFF01, 2),
            (0xFF60, 2), (0xFF61, 1), (0xFFDC, 1), (0xFFE0, 2), (0xFFE6, 2), (0xFFE7, 1), (0x1F5FA, 1), (0x1F5FB, 2),
            (0x1FFFF, 1), (0x20000, 2), (0x2FFFD, 2), (0x2FFFE, 1), (0x30000, 2), (0x3FFFD, 2), (0x3FFFE, 1),
            (0x10FFFF, 1),
        ] as [(UInt32, Int)] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(DisplayWidth.columns(of: scalar) == expected, "U+\(String(value, radix: 16))")
        }
    }
}
