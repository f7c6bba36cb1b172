@testable import OpenDataCore
import TestSupport
import Testing

/// Texts that are shared are those that their bytes are.
@Suite struct RecentTextsTests {
    private func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        String(cell: Cell(.text, offset: range.lowerBound, length: range.count), in: bytes.span)
    }

    /// Where a text's bytes are.
    private func address(_ text: String) -> Int? {
        unsafe text.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) } ?? nil
    }

    @Test("texts of all lengths that come again and again, some not UTF-8", arguments: 0..<8)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = ["a", "0", "站", "é", "😀", " "].map { Array($0.utf8) } + [[0xFF], [0xE4, 0xB8], [0]]
        var known: [[UInt8]] = []
        RecentTexts().share {
            for _ in 0..<4000 {
                var content: [UInt8] = []
                if known.count > 300 || !known.isEmpty && Bool.random(using: &random) {
                    content = known.randomElement(using: &random) ?? []
                    // One that differs in a single byte.
                    if Int.random(in: 0..<4, using: &random) == 0, let last = content.indices.last {
                        content[Int.random(in: 0...last, using: &random)] ^= 1
                    }
                } else {
                    let count = Int.random(in: 0...80, using: &random)
                    while content.count < count {
                        content += letters[Int.random(in: 0..<6, using: &random)]
                    }
                    if Int.random(in: 0..<8, using: &random) == 0 {
                        content += letters[Int.random(in: 6...8, using: &random)]
                    }
                    known.append(content)
                }
                let before = Int.random(in: 0...3, using: &random)
                let bytes = [UInt8](repeating: 0x37, count: before) + content + [0xE4]
                #expect(text(bytes, before..<(before + content.count)) == String(decoding: content, as: UTF8.self))
            }
        }
    }

    @Test("texts that differ in a single byte, wherever it is", arguments: [16, 17, 31, 32, 33, 48, 49, 64])
    func alike(_ count: Int) {
        RecentTexts().share {
            for place in 0..<count {
                // So many that some are kept in the same place.
                for byte in 0x21...0x7E as ClosedRange<UInt8> {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    bytes[place] = byte
                    for _ in 0..<2 { #expect(text(bytes, 0..<count) == String(decoding: bytes, as: UTF8.self)) }
                }
            }
        }
    }

    @Test("texts that begin as longer ones do", arguments: 0..<8) func beginnings(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<64).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
        RecentTexts().share {
            for count in (16...64).reversed() {
                for _ in 0..<2 {
                    #expect(text(bytes, 0..<count) == String(decoding: bytes[..<count], as: UTF8.self))
                }
            }
        }
    }

    @Test("what comes once takes no place, even if it begins as a text does that comes again", arguments: [16, 20, 64])
    func once(_ count: Int) throws {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        try RecentTexts().share {
            let kept = try (0..<3).map { _ in try #require(text(bytes, 0..<count)) }[2]
            for byte in 0x30...0x39 as ClosedRange<UInt8> {
                bytes[count - 1] = byte
                _ = text(bytes, 0..<count)
            }
            bytes[count - 1] = UInt8(ascii: "a")
            let again = try #require(text(bytes, 0..<count))
            withExtendedLifetime(kept) { #expect(address(again) == address(kept)) }
        }
    }

    @Test("from the third time on they share their bytes, if they are neither short nor long", arguments: 1...70)
    func sharing(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0x41 + $0 % 26) } + [UInt8](repeating: 0, count: 16)
        func three() throws -> [Int] {
            let texts = try (0..<3).map { _ in try #require(text(bytes, 0..<count)) }
            #expect(texts.allSatisfy { $0.utf8.elementsEqual(bytes[..<count]) })
            return try withExtendedLifetime(texts) { try texts.map { try #require(address($0)) } }
        }
        let isShared = 16...64 ~= count
        let texts = RecentTexts()
        try texts.share {
            let addresses = try three()
            if count > 15 { #expect((addresses[1] == addresses[2]) == isShared && addresses[0] != addresses[1]) }
            // Others for as long as they are used, and then these once more.
            try RecentTexts().share {
                let others = try three()
                if isShared { #expect(!others.contains(addresses[2])) }
            }
            if isShared { #expect(try three()[0] == addresses[2]) }
        }
        // None once it is over.
        let alone = try three()
        if count > 15 { #expect(Set(alone).count == 3) }
    }
}
