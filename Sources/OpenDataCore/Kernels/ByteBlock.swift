#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
    import _Builtin_intrinsics.intel.sse2
#endif

/// Sixteen bytes that are compared all at once.
///
/// For kernels of this module: the instructions behind it are inlined in no other.
/// On x86-64 by the vector instructions that every such processor has; elsewhere, and where `PLAIN_WORDS` is defined
/// for tests, eight bytes at a time in plain words.
struct ByteBlock {
    #if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
        private let vector: SIMD2<Int64>

        /// Loads the bytes at an address, all of which must be readable.
        @inline(__always)
        init(_ address: UnsafeRawPointer) {
            vector = unsafe address.loadUnaligned(as: SIMD2<Int64>.self)
        }

        /// The bytes of a vector.
        @inline(__always)
        init(_ bytes: SIMD16<UInt8>) { vector = unsafe unsafeBitCast(bytes, to: SIMD2<Int64>.self) }

        /// Stores the bytes at an address, where all must be writable.
        @inline(__always)
        func store(to address: UnsafeMutableRawPointer) {
            unsafe address.storeBytes(of: vector, as: SIMD2<Int64>.self)
        }

        /// The first eight bytes, the first in the lowest bits.
        @inline(__always)
        var start: UInt64 { UInt64(bitPattern: vector[0]) }

        /// The bytes that equal one.
        @inline(__always)
        func equal(to byte: UInt8) -> ByteMatches {
            ByteMatches(_mm_cmpeq_epi8(vector, ByteBlock.all(byte)))
        }

        /// The bytes that equal those in the same places of another block.
        @inline(__always)
        func equal(to other: ByteBlock) -> ByteMatches { ByteMatches(_mm_cmpeq_epi8(vector, other.vector)) }

        /// The bytes that are at most one.
        @inline(__always)
        func atMost(_ byte: UInt8) -> ByteMatches {
            ByteMatches(_mm_cmpeq_epi8(_mm_min_epu8(vector, ByteBlock.all(byte)), vector))
        }

        /// The bytes that lie between two, both included, which are not 0x00 and 0xFF.
        @inline(__always)
        func between(_ low: UInt8, _ high: UInt8) -> ByteMatches {
            // Moved so that the last is the largest of signed bytes: then one comparison tells.
            let moved = _mm_add_epi8(vector, ByteBlock.all(0x7F &- high))
            return ByteMatches(_mm_cmpgt_epi8(moved, ByteBlock.all(0x7E &- (high &- low))))
        }

        /// The bytes that do not lie between two, of which the same holds.
        @inline(__always)
        func outside(_ low: UInt8, _ high: UInt8) -> ByteMatches {
            // As above, with the first the smallest.
            let moved = _mm_sub_epi8(vector, ByteBlock.all(low &- 0x80))
            return ByteMatches(_mm_cmpgt_epi8(moved, ByteBlock.all(0x80 &+ (high &- low))))
        }

        /// The bytes that are not ASCII.
        @inline(__always)
        var beyondASCII: ByteMatches { ByteMatches(vector) }

        /// The bytes below 0x20, and those that are not ASCII.
        @inline(__always)
        var controlsOrBeyondASCII: ByteMatches { ByteMatches(_mm_cmpgt_epi8(ByteBlock.all(0x20), vector)) }

        @inline(__always)
        private static func all(_ byte: UInt8) -> SIMD2<Int64> {
            SIMD2(repeating: Int64(bitPattern: UInt64(byte) &* 0x0101_0101_0101_0101))
        }
    #else
        private let low: UInt64
        private let high: UInt64

        /// Loads the bytes at an address, all of which must be readable.
        @inline(__always)
        init(_ address: UnsafeRawPointer) {
            low = unsafe address.loadUnaligned(as: UInt64.self).littleEndian
            high = unsafe address.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
        }

        /// The bytes of a vector.
        @inline(__always)
        init(_ bytes: SIMD16<UInt8>) {
            let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
            (low, high) = (words[0].littleEndian, words[1].littleEndian)
        }

        /// Stores the bytes at an address, where all must be writable.
        @inline(__always)
        func store(to address: UnsafeMutableRawPointer) {
            unsafe address.storeBytes(of: low.littleEndian, as: UInt64.self)
            unsafe address.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
        }

        /// The first eight bytes, the first in the lowest bits.
        @inline(__always)
        var start: UInt64 { low }

        /// The bytes that equal one.
        @inline(__always)
        func equal(to byte: UInt8) -> ByteMatches { between(byte, byte) }

        /// The bytes that equal those in the same places of another block.
        @inline(__always)
        func equal(to other: ByteBlock) -> ByteMatches {
            ByteMatches(ByteBlock.between(low ^ other.low, 0, 0) | ByteBlock.between(high ^ other.high, 0, 0) << 8)
        }

        /// The bytes that are at most one.
        @inline(__always)
        func atMost(_ byte: UInt8) -> ByteMatches { between(0, byte) }

        /// The bytes that lie between two, both included, which are not 0x00 and 0xFF.
        @inline(__always)
        func between(_ first: UInt8, _ last: UInt8) -> ByteMatches {
            ByteMatches(ByteBlock.between(low, first, last) | ByteBlock.between(high, first, last) << 8)
        }

        /// The bytes that do not lie between two, of which the same holds.
        @inline(__always)
        func outside(_ first: UInt8, _ last: UInt8) -> ByteMatches {
            ByteMatches(UInt32(truncatingIfNeeded: between(first, last).bits) ^ 0xFFFF)
        }

        /// The bytes that are not ASCII.
        @inline(__always)
        var beyondASCII: ByteMatches { ByteMatches(ByteBlock.gathered(low) | ByteBlock.gathered(high) << 8) }

        /// The bytes below 0x20, and those that are not ASCII.
        @inline(__always)
        var controlsOrBeyondASCII: ByteMatches { outside(0x20, 0x7F) }

        /// A bit for each byte of a word that lies between two.
        @inline(__always)
        private static func between(_ word: UInt64, _ first: UInt8, _ last: UInt8) -> UInt32 {
            // Seven bits of each byte, raised so that the eighth says "at least"; no sum reaches the next byte.
            let ones = 0x0101_0101_0101_0101 as UInt64
            let sevens = word & (0x7F &* ones)
            let atLeast = sevens &+ ones &* UInt64(0x80 &- (first & 0x7F))
            let above = sevens &+ ones &* UInt64(0x7F &- (last & 0x7F))
            // Of ASCII, then of the others: where the range goes past one of them, it has no end there.
            let ascii = first < 0x80 ? ~word & atLeast & (last < 0x80 ? ~above : ~0) : 0
            let others = last >= 0x80 ? word & ~above & (first >= 0x80 ? atLeast : ~0) : 0
            return gathered(ascii | others)
        }

        /// The high bit of each byte, gathered into the lowest eight.
        @inline(__always)
        private static func gathered(_ word: UInt64) -> UInt32 {
            let ones = (word & 0x8080_8080_8080_8080) >> 7
            return UInt32(truncatingIfNeeded: (ones &* 0x0102_0408_1020_4080) >> 56)
        }
    #endif
}
