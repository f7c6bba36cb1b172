@testable import OpenDataCore
import TestSupport
import Testing

/// Numbers read eight digits at a time are those read digit by digit.
@Suite struct ShortNumberTests {
    private func check(_ text: [UInt8], before: Int = 3, behind: [UInt8]) -> Bool {
        let bytes = [UInt8](repeating: UInt8(ascii: "7"), count: before) + text + behind
        let range = before..<(before + text.count)
        let (own, all) = (text[...], bytes[...])
        let slow = ExactDecimal(own.span)
        let words = String(decoding: text, as: UTF8.self).debugDescription
        let fast = ExactDecimal(all.span, range)
        #expect(fast?.description == slow?.description && fast == slow, "\(words)")
        let whole = ExactDecimal.integer(all.span, range)
        #expect(whole == slow?.integer, "\(words)")
        // Read from a cell the same; from a cell of text nothing.
        let (cell, other) = (
            Cell(.number, offset: before, length: text.count), Cell(.text, offset: before, length: text.count)
        )
        #expect(cell.decimal(in: all.span)?.description == slow?.description, "\(words)")
        #expect(cell.integer(in: all.span) == slow?.integer, "\(words)")
        #expect(other.decimal(in: all.span) == nil && other.integer(in: all.span) == nil)
        guard let short = ShortNumber(all.span, range) else { return false }
        // What it takes has the digits, the point and the sign that it says.
        #expect(slow?.exponent == -short.fraction, "\(words)")
        #expect(slow?.description.hasPrefix("-") == short.isNegative, "\(words)")
        return true
    }

    @Test("random texts, whatever stands behind them", arguments: 0..<40)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("0123456789012345678901234567890000999.-".utf8)
        let odd = Array("+eE, :/.-\u{0}中x".utf8)
        var taken = 0
        for _ in 0..<500 {
            var text = (0..<Int.random(in: 0...19, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            if Bool.random(using: &random) { text = text.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") } }
            if Bool.random(using: &random), text.count > 2 {
                text[Int.random(in: 1..<(text.count - 1), using: &random)] = UInt8(ascii: ".")
            }
            if Int.random(in: 0..<4, using: &random) == 0 { text.insert(UInt8(ascii: "-"), at: 0) }
            if Int.random(in: 0..<10, using: &random) == 0, !text.isEmpty {
                text[Int.random(in: text.indices, using: &random)] = odd.randomElement(using: &random) ?? 0
            }
            let behind = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8(ascii: "5") : odd.randomElement(using: &random) ?? 0
            }
            if check(text, behind: behind) { taken += 1 }
        }
        #expect(taken > 100)
    }

    @Test("every byte in the place of a digit, every place of the point", arguments: 1...16)
    func places(_ count: Int) {
        let behind = [UInt8](repeating: UInt8(ascii: "3"), count: 16)
        let digits = Array("1234567890123456".utf8.prefix(count))
        #expect(check(digits, behind: behind))
        for place in digits.indices {
            for byte in 0...255 as ClosedRange<UInt8> {
                var text = digits
                text[place] = byte
                let isDigit = byte &- 48 < 10
                let isSign = byte == UInt8(ascii: "-") && place == 0 && count > 1
                let isPoint = byte == UInt8(ascii: ".") && place > 0 && place < count - 1
                #expect(
                    check(text, behind: behind) == (isDigit || isSign || isPoint), "\(byte) at \(place) of \(count)")
            }
        }
    }

    @Test("it reads nothing beyond the bytes, and takes no more than sixteen")
    func edges() {
        #expect(!check(Array("123".utf8), behind: Array("456".utf8)))
        #expect(check(Array("123".utf8), behind: Array("4567890123456".utf8)))
        #expect(!check(Array("12345678901234567".utf8), behind: [UInt8](repeating: 0, count: 20)))
        #expect(check(Array("9999999999999999".utf8), behind: []))
        #expect(check(Array("-999999999999.99".utf8), behind: []))
    }
}
