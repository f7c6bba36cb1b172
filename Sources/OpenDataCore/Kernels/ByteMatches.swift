#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
    import _Builtin_intrinsics.intel.sse2
#endif

/// Which bytes of a ``ByteBlock`` a comparison holds for.
///
/// Comparisons are combined first and turned into bits last: the turning costs more than the combining.
struct ByteMatches {
    #if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
        // The highest bit of each byte tells; the others may be anything.
        private let vector: SIMD2<Int64>

        @inline(__always)
        init(_ vector: SIMD2<Int64>) { self.vector = vector }

        /// No byte.
        @inline(__always)
        static var none: ByteMatches { ByteMatches(SIMD2(repeating: 0)) }

        /// A bit for each byte, the lowest for the first.
        @inline(__always)
        var bits: UInt64 { UInt64(UInt32(bitPattern: _mm_movemask_epi8(vector))) }

        /// The bytes that either holds for.
        ///
        /// By the larger of both: the compiler takes a chain of these as it is, and makes more of one of ors.
        @inline(__always)
        static func | (one: ByteMatches, other: ByteMatches) -> ByteMatches {
            ByteMatches(_mm_max_epu8(one.vector, other.vector))
        }

        /// The vector, all bits of a byte alike if it is that of a comparison.
        fileprivate var all: SIMD2<Int64> { vector }

        /// The bytes that one of both holds for.
        @inline(__always)
        static func ^ (one: ByteMatches, other: ByteMatches) -> ByteMatches { ByteMatches(one.vector ^ other.vector) }
    #else
        /// A bit for each byte, the lowest for the first.
        let bits: UInt64

        @inline(__always)
        init(_ bits: UInt32) { self.bits = UInt64(bits) }

        /// No byte.
        @inline(__always)
        static var none: ByteMatches { ByteMatches(0) }

        /// The bytes that either holds for.
        @inline(__always)
        static func | (one: ByteMatches, other: ByteMatches) -> ByteMatches {
            ByteMatches(UInt32(truncatingIfNeeded: one.bits | other.bits))
        }

        /// The bytes that one of both holds for.
        @inline(__always)
        static func ^ (one: ByteMatches, other: ByteMatches) -> ByteMatches {
            ByteMatches(UInt32(truncatingIfNeeded: one.bits ^ other.bits))
        }
    #endif
}

/// Counts the bytes that comparisons hold for.
struct MatchCount {
    #if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
        // A sum for each place of a block, and one for each half.
        private var places = SIMD2<Int64>.zero
        private var sums = SIMD2<Int64>.zero

        /// Adds what a single comparison holds for; ``sumUp()`` is due after 255 times.
        @inline(__always)
        mutating func add(_ matches: ByteMatches) { places = _mm_sub_epi8(places, matches.all) }

        /// Makes room to add more.
        @inline(__always)
        mutating func sumUp() {
            sums = sums &+ _mm_sad_epu8(places, .zero)
            places = .zero
        }

        /// The number of bytes, up to the last time that it was summed up.
        var count: Int { Int(sums[0] &+ sums[1]) }
    #else
        private var added = 0
        private(set) var count = 0

        /// Adds what a single comparison holds for; ``sumUp()`` is due after 255 times.
        @inline(__always)
        mutating func add(_ matches: ByteMatches) { added &+= matches.bits.nonzeroBitCount }

        /// Makes room to add more.
        @inline(__always)
        mutating func sumUp() { (count, added) = (count &+ added, 0) }
    #endif

    /// None yet.
    init() {}
}
