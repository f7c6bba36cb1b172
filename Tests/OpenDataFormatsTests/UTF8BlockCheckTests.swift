@testable import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// A look at blocks of text must find it UTF-8 exactly where the validator does.
@Suite struct UTF8BlockCheckTests {
    /// What the check says of text, blocks of ASCII left out as the kernels leave them out.
    private func isUTF8(_ text: [UInt8], noting room: Int = 256) -> Bool {
        let bytes = text + [UInt8](repeating: 0x61, count: 64 - text.count % 64)
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { places in
            unsafe bytes.withUnsafeBytes { window in
                guard let base = window.baseAddress else { return false }
                var check = unsafe UTF8BlockCheck(base, noting: places)
                for index in stride(from: 0, to: bytes.count, by: 64) {
                    check.note(index, hasLetters: bytes[index..<(index + 64)].contains { $0 >= 0x80 })
                }
                check.look()
                return check.isUTF8 && check.isWhole(before: bytes.count)
            }
        }
    }

    private func isValid(_ bytes: [UInt8]) -> Bool {
        var validator = UTF8Validator()
        let all = bytes[...]
        return validator.firstInvalid(in: all.span) == nil && validator.isComplete
    }

    @Test("every first and second byte, at the edges of blocks", arguments: [0, 7, 60, 61, 62, 63])
    func pairs(_ place: Int) {
        var valid = 0
        for first in 0x80...0xFF as ClosedRange<UInt8> {
            for second in 0x01...0xFF as ClosedRange<UInt8> {
                for rest in [[], [0x80], [0xBF, 0x80]] as [[UInt8]] {
                    let text = [UInt8](repeating: 0x61, count: place) + [first, second] + rest
                    let expected = isValid(text)
                    if expected { valid += 1 }
                    if isUTF8(text) != expected { Issue.record("\(text[place...]) at \(place)") }
                    let between = Array("中".utf8) + text + Array("文".utf8)
                    if isUTF8(between) != expected { Issue.record("\(text[place...]) at \(place + 3), among letters") }
                }
            }
        }
        // 30 × 64 of two bytes, 14 × 64 + 2 × 32 of three, 3 × 64 + 48 + 16 of four.
        #expect(valid == 3136)
    }

    @Test("random letters, some of them wrong, cut anywhere", arguments: 0..<60)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var valid = 0
        for _ in 0..<100 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...150, using: &random) {
                if Int.random(in: 0..<(seed % 2 == 0 ? 60 : 400), using: &random) == 0 {
                    let wrong = RecordKernelTests.wrongLetters.filter { $0 != [0] }
                    text += wrong.randomElement(using: &random) ?? []
                } else if Int.random(in: 0..<10, using: &random) == 0 {
                    text += [UInt8](repeating: 0x20, count: Int.random(in: 0...140, using: &random))
                } else {
                    text += RecordKernelTests.letters.randomElement(using: &random) ?? []
                }
            }
            if Int.random(in: 0..<4, using: &random) == 0 { text.removeLast(min(text.count, 1)) }
            let expected = isValid(text)
            if expected { valid += 1 }
            #expect(isUTF8(text, noting: [1, 2, 256].randomElement(using: &random) ?? 1) == expected, "\(text)")
        }
        #expect(10...99 ~= valid)
    }
}
