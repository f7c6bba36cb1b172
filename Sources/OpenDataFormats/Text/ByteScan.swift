/// Finds the bytes that a format has to escape, eight at a time.
///
/// A test looks at the eight bytes of a word together and answers with the high bit of each byte that it finds. Bits
/// above the lowest one found may be wrong, because a subtraction borrows from the byte above; no bit below it is.
enum ByteScan {
    /// The high bit of the bytes that equal `byte`.
    @inline(__always)
    static func bytes(of word: UInt64, equalTo byte: UInt8) -> UInt64 {
        let difference = word ^ 0x0101_0101_0101_0101 &* UInt64(byte)
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }

    /// The high bit of the bytes that are less than `bound`, which is at most 128.
    @inline(__always)
    static func bytes(of word: UInt64, lessThan bound: UInt8) -> UInt64 {
        (word &- 0x0101_0101_0101_0101 &* UInt64(bound)) & ~word & 0x8080_8080_8080_8080
    }

    /// The index of the first byte of `range` that the test finds, or the range's end.
    @inline(__always)
    static func firstIndex(in bytes: Span<UInt8>, _ range: Range<Int>, where test: (UInt64) -> UInt64) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            let length = min(8, range.upperBound - index)
            let found = test(word(of: bytes, at: index, count: length)).trailingZeroBitCount >> 3
            // A byte found past the end is one of the zeros there.
            if found < length { return index + found }
            index += length
        }
        return range.upperBound
    }

    /// The `count` bytes at an index, 1 to 8 of them, the first in the lowest bits; zeros in the place of the others.
    @inline(__always)
    static func word(of bytes: Span<UInt8>, at index: Int, count: Int) -> UInt64 {
        let raw = unsafe bytes.bytes
        // The loads check their bounds themselves, and every pattern of bits is a number.
        if count == 8 {
            return UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        let start = index + count - 8
        if start >= 0 {
            // The word that ends where the bytes end, less what stands before them.
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
            return word >> UInt64(8 * (8 - count))
        }
        return (0..<count).reduce(0) { $0 | UInt64(bytes[index + $1]) << UInt64(8 * $1) }
    }
}
