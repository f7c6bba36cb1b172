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
        let raw = unsafe bytes.bytes
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            // The load checks its bounds itself, and every pattern of bits is a number.
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            let found = test(UInt64(littleEndian: word))
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        guard index < range.upperBound else { return range.upperBound }
        // The rest: one word that ends with the range, shifted until it begins at `index`, where the span has one. The
        // zeros that move in stand for bytes past the end and are not believed.
        if range.upperBound >= 8 {
            let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: range.upperBound - 8, as: UInt64.self)
            let rest = UInt64(littleEndian: word) >> UInt64(8 * (8 - (range.upperBound - index)))
            let found = test(rest)
            return found == 0 ? range.upperBound : min(index + found.trailingZeroBitCount >> 3, range.upperBound)
        }
        while index < range.upperBound, test(0x0101_0101_0101_0101 &* UInt64(bytes[index])) == 0 { index += 1 }
        return index
    }
}
