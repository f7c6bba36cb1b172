@testable import OpenDataCore
import TestSupport
import Testing

/// Texts made of bytes looked at sixteen at a time are those that the standard library makes.
@Suite struct TextKernelTests {
    private func check(_ text: [UInt8], before: Int, behind: [UInt8]) {
        let bytes = [UInt8](repeating: 0xE6, count: before) + text + behind
        let made = bytes.span.text(before..<(before + text.count))
        let expected = String(decoding: text, as: UTF8.self)
        #expect(made.utf8.elementsEqual(expected.utf8), "\(text) before \(behind.prefix(4))")
        #expect(made == expected && made.count == expected.count, "\(text)")
    }

    @Test("random letters, with a wrong byte now and then, of every length", arguments: 0..<30)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = [
            "a", "0", "-", "中", "晨", "（", "。", "é", "ß", "ࠀ", "𠮷", "\u{ED7F}", "\u{D7A3}", "\u{FFFD}", " ", "",
        ]
        for _ in 0..<400 {
            var text: [UInt8] = []
            let isASCII = Int.random(in: 0..<4, using: &random) == 0
            let length = Int.random(in: 0..<70, using: &random)
            while text.count < length {
                let letter = isASCII ? "x" : letters.randomElement(using: &random) ?? ""
                text += letter.utf8
            }
            if Int.random(in: 0..<3, using: &random) == 0, !text.isEmpty {
                text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { text.removeLast(min(text.count, 1)) }
            let behind = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8(0x80) : UInt8.random(in: 0...255, using: &random)
            }
            check(text, before: Int.random(in: 0..<5, using: &random), behind: behind)
        }
    }

    @Test("every pair of bytes, and continuations after each first byte, at the edges of blocks")
    func edges() {
        let room = [UInt8](repeating: 0x80, count: 80)
        for place in [0, 1, 12, 14, 15, 16, 61, 62, 63, 64] {
            let front = [UInt8](repeating: UInt8(ascii: "x"), count: place)
            for first in 0x7F...0xFF as ClosedRange<UInt8> {
                for second in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE4, 0xFF] as [UInt8] {
                    check(front + [first], before: 0, behind: room)
                    check(front + [first, second], before: 1, behind: room)
                    check(front + [first, second, 0xBD], before: 2, behind: room)
                    check(front + [first, second, 0xBD, 0xBF, 0x2E], before: 3, behind: room)
                }
            }
        }
    }

    @Test("at the end of the bytes, where no whole block is left")
    func ends() {
        for text in ["", "a", "中", "fifteen letters", "sixteen letters!", "seventeen letters", "中文中文中文"] {
            for room in 0...17 { check(Array(text.utf8), before: 0, behind: [UInt8](repeating: 0xE4, count: room)) }
        }
    }
}
