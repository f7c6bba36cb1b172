/// Counts quotes in passing.
@safe package enum QuoteParity {
    /// Whether the number of quotes among the bytes is odd.
    ///
    /// - Complexity: O(bytes), 64 at a time.
    package static func isOdd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        let quote = UInt8(ascii: "\"")
        var index = 0
        // A bit for every place in a block: whether there have been quotes there an odd number of times.
        var odd = ByteMatches.none
        while index &+ 64 <= bytes.count {
            // In bounds: the four parts lie within the bytes.
            let first =
                unsafe ByteBlock(base + index).equal(to: quote) ^ ByteBlock(base + (index &+ 16)).equal(to: quote)
            let second =
                unsafe ByteBlock(base + (index &+ 32)).equal(to: quote)
                ^ ByteBlock(base + (index &+ 48)).equal(to: quote)
            odd = odd ^ first ^ second
            index &+= 64
        }
        var count = odd.bits.nonzeroBitCount
        while index < bytes.count {
            if unsafe bytes[index] == quote { count &+= 1 }
            index &+= 1
        }
        return count & 1 == 1
    }
}
