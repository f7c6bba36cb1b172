#if arch(x86_64) && canImport(_Builtin_intrinsics)
    import _Builtin_intrinsics.intel.sse2
#endif

/// Which bytes of a ``ByteBlock`` a comparison holds for.
///
/// Comparisons are combined first and turned into bits last: the turning costs more than the combining.
struct ByteMatches {
    #if arch(x86_64) && canImport(_Builtin_intrinsics)
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
        @inline(__always)
        static func | (one: ByteMatches, other: ByteMatches) -> ByteMatches { ByteMatches(one.vector | other.vector) }

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
