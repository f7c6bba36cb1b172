/// Payloads broken at random, repeatably.
public enum Mutation {
    /// The bytes with a few of them changed, removed, doubled or moved; quotes and line ends more often than others.
    public static func mutated(_ original: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        let hostile = Array("\"\"\",\n\r\\{}[]:u0-+.eE\u{0}中".utf8) + [0xFF, 0xC0, 0xE4, 0x80]
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[index] = hostile.randomElement(using: &random) ?? 0
            case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(hostile.randomElement(using: &random) ?? 0, at: index)
            case 4: bytes.removeSubrange(index..<min(index + Int.random(in: 1...200, using: &random), bytes.count))
            default:
                let end = min(index + Int.random(in: 1...100, using: &random), bytes.count)
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            }
        }
        return bytes
    }
}
