import TestSupport

/// Makes inputs out of seeds.
enum Mutator {
    /// No input is longer, so that a million of them take minutes.
    static let maximumLength = 4096

    /// A seed broken at random: bytes changed, words of the format put in, parts doubled, cut off or taken from another
    /// seed.
    ///
    /// One in fifty stays as it is.
    static func input(
        _ seed: [UInt8], others: [UInt8]? = nil, words: [[UInt8]], using random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = Array(seed.prefix(maximumLength))
        if chance(1, of: 50, &random) { return bytes }
        if chance(1, of: 4, &random) {
            // Other letters and digits alone: most of these are well-formed.
            for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                let byte = bytes[index] | 0x20
                guard 0x30...0x39 ~= byte || 0x61...0x7A ~= byte else { continue }
                bytes[index] = Array("0123456789eEaZ- .".utf8).randomElement(using: &random) ?? 0x30
            }
            return bytes
        }
        if chance(2, of: 3, &random) { bytes = Mutation.mutated(bytes, using: &random) }
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.removeSubrange(index...)
            case 1: bytes.removeSubrange(..<index)
            case 2:
                // A part again and again: wide, long and deep inputs.
                let part = bytes[index..<min(index + Int.random(in: 1...24, using: &random), bytes.count)]
                let count = Int.random(in: 2...60, using: &random)
                bytes.insert(contentsOf: repeatElement(part, count: count).joined(), at: index)
            case 3:
                guard let others, !others.isEmpty else { continue }
                let start = Int.random(in: others.indices, using: &random)
                let length = Int.random(in: 1...200, using: &random)
                bytes.insert(contentsOf: others[start...].prefix(length), at: index)
            default: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: index)
            }
        }
        return bytes.count > maximumLength ? Array(bytes.prefix(maximumLength)) : bytes
    }

    /// The bytes as UTF-8 without NULs, with U+FFFD for what is none: most inputs would else be refused for that alone.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        Array(String(decoding: bytes.map { $0 == 0 ? UInt8(ascii: "0") : $0 }, as: UTF8.self).utf8)
    }

    /// True in so many cases of so many.
    static func chance(_ count: Int, of all: Int, _ random: inout SeededGenerator) -> Bool {
        Int.random(in: 0..<all, using: &random) < count
    }

    /// A size for windows and reads: often small, at most that of the input and one.
    static func window(for count: Int, _ random: inout SeededGenerator) -> Int {
        let limit = chance(1, of: 4, &random) ? min(16, count + 1) : count + 1
        return Int.random(in: 1...max(limit, 1), using: &random)
    }
}
