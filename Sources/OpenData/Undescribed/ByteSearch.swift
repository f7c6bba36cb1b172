/// A search for bytes in bytes.
enum ByteSearch {
    /// The index at which a text first occurs in a range, or `nil`; the empty text occurs everywhere.
    ///
    /// Letters of Chinese share their first bytes, so that four bytes are compared at each place.
    /// - Complexity: O(range) for texts of few repetitions.
    static func first(_ needle: [UInt8], in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        if needle.isEmpty { return range.lowerBound }
        guard needle.count <= range.count, range.upperBound <= bytes.count else { return nil }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe needle.withUnsafeBytes { needle in
                let last = range.upperBound - needle.count
                var index = range.lowerBound
                // In bounds: the needle fits behind every index up to the last, and four bytes do if it has four.
                func matches(at index: Int) -> Bool {
                    (0..<needle.count).allSatisfy { unsafe bytes[index + $0] == needle[$0] }
                }
                guard needle.count >= 4 else {
                    while index <= last {
                        if unsafe bytes[index] == needle[0], matches(at: index) { return index }
                        index += 1
                    }
                    return nil
                }
                let start = unsafe needle.loadUnaligned(as: UInt32.self)
                while index <= last {
                    let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                    if word == start, matches(at: index) { return index }
                    index += 1
                }
                return nil
            }
        }
    }
}
