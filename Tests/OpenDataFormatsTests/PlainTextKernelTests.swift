@testable import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// A text must be plain exactly where the validator says that it is UTF-8 and no byte of it needs an escape.
@Suite struct PlainTextKernelTests {
    /// Checks a text by itself and behind and in front of others; returns whether it is plain.
    @discardableResult
    private func check(_ text: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        let isUTF8 = validator.firstInvalid(in: text.span) == nil && validator.isComplete
        let expected = isUTF8 && !text.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
        for around in [[0x80], [0x22], [0xE4]] as [[UInt8]] {
            let bytes = around + text + Array(repeating: around[0], count: 40)
            let (short, long) = unsafe bytes.withUnsafeBytes { bytes in
                guard let start = unsafe bytes.baseAddress.map({ unsafe $0 + 1 }) else { return (false, false) }
                return unsafe (
                    PlainTextKernel.isPlain(start, text.count, first: ByteBlock(start)),
                    PlainTextKernel.isPlain(UnsafeRawBufferPointer(start: start, count: text.count))
                )
            }
            #expect(short == expected && long == expected, "\(text) among \(around)")
        }
        return expected
    }

    @Test("every byte at every place of texts of every length up to 70")
    func bytes() {
        for length in 0...70 {
            for place in stride(from: length % 3, to: length, by: 3) {
                for byte in 0...0xFF as ClosedRange<UInt8> where byte % 4 == UInt8(place % 4) || byte < 0x23 {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    check(text)
                }
            }
        }
    }

    @Test("every two bytes of a letter, at the edges of blocks", arguments: [0, 13, 14, 15, 29, 30, 61, 63])
    func letters(_ place: Int) {
        for first in 0xC0...0xFF as ClosedRange<UInt8> {
            for second in 0x7F...0xC0 as ClosedRange<UInt8> {
                for rest in [[], [0x80], [0xBF, 0x80]] as [[UInt8]] {
                    check([UInt8](repeating: UInt8(ascii: "a"), count: place) + [first, second] + rest)
                }
            }
        }
    }

    @Test("random letters, some of them wrong, cut anywhere", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = ["a", "中", "，", "é", "ࠀ", "𠮷", "\u{D7A3}", "\u{FFFD}"]
        var plain = 0
        for _ in 0..<300 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<50, using: &random) {
                text += (letters[Int.random(in: 0..<(seed % 2 == 0 ? 3 : letters.count), using: &random)]).utf8
            }
            if Int.random(in: 0..<3, using: &random) == 0, !text.isEmpty {
                text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { text.removeLast(min(text.count, 1)) }
            if check(text) { plain += 1 }
        }
        #expect(plain > 60 && plain < 280)
    }
}
