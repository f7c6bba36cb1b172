#if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
    import _Builtin_intrinsics.intel.sse2
#endif

/// Makes numbers of up to sixteen digits, all of them at a time.
///
/// For texts that are known to be digits, with a point between two of them or without one.
@safe struct DigitBlock {
    // Sixteen zeros, then sixteen bytes of which every bit is set: a block from the n-th on has them in its last n
    // bytes.
    private let steps: UnsafeRawPointer

    /// Calls `body` with a maker of numbers, which is good only as long as it runs.
    @inline(__always)
    static func with<Result>(_ body: (DigitBlock) -> Result) -> Result {
        let steps = (UInt64.zero, UInt64.zero, UInt64.max, UInt64.max)
        return unsafe withUnsafeBytes(of: steps) { bytes in
            // Four words have an address.
            guard let base = bytes.baseAddress else { preconditionFailure("there are no bytes") }
            return unsafe body(DigitBlock(steps: base))
        }
    }

    /// The bytes in front of an address, which seventeen bytes that can be read come before, as a number.
    ///
    /// - Parameters:
    ///   - digits: How many digits there are, sixteen at most.
    ///   - behindPoint: How many of them stand behind the point; sixteen without one.
    @inline(__always)
    func number(before end: UnsafeRawPointer, digits: Int, behindPoint: Int) -> UInt64 {
        // In bounds: both numbers are sixteen at most, as far as the blocks reach.
        unsafe DigitBlock.number(end, behind: steps + behindPoint, all: steps + digits)
    }

    #if arch(x86_64) && canImport(_Builtin_intrinsics) && !PLAIN_WORDS
        @inline(__always)
        private static func number(
            _ end: UnsafeRawPointer, behind: UnsafeRawPointer, all: UnsafeRawPointer
        ) -> UInt64 {
            // Digits in front of the point move up by one.
            let right = unsafe behind.loadUnaligned(as: SIMD2<Int64>.self)
            let near = unsafe (end - 16).loadUnaligned(as: SIMD2<Int64>.self)
            let far = unsafe (end - 17).loadUnaligned(as: SIMD2<Int64>.self)
            let text = near & right | far & ~right
            let zeros = SIMD2(repeating: 0x3030_3030_3030_3030 as Int64)
            let digits = _mm_sub_epi8(text, zeros) & (unsafe all.loadUnaligned(as: SIMD2<Int64>.self))
            // Pairs of digits, then fours, then eights; the first of two stands in the lower half.
            let lower = digits & SIMD2(repeating: 0x00FF_00FF_00FF_00FF)
            let tens = _mm_mullo_epi16(lower, SIMD2(repeating: 0x000A_000A_000A_000A))
            let pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8))
            let fours = _mm_madd_epi16(pairs, SIMD2(repeating: 0x0001_0064_0001_0064))
            let eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), SIMD2(repeating: 0x0001_2710_0001_2710))
            let both = UInt64(bitPattern: eights[0])
            return (both & 0xFFFF_FFFF) &* 100_000_000 &+ both &>> 32
        }
    #else
        @inline(__always)
        private static func number(
            _ end: UnsafeRawPointer, behind: UnsafeRawPointer, all: UnsafeRawPointer
        ) -> UInt64 {
            let upper = unsafe eight(end - 8, behind + 8, all + 8)
            return unsafe eight(end - 16, behind, all) &* 100_000_000 &+ upper
        }

        /// The number that eight bytes are, and the one in front of them where the point stands behind it.
        @inline(__always)
        private static func eight(
            _ text: UnsafeRawPointer, _ behind: UnsafeRawPointer, _ all: UnsafeRawPointer
        ) -> UInt64 {
            let right = unsafe behind.loadUnaligned(as: UInt64.self).littleEndian
            let near = unsafe text.loadUnaligned(as: UInt64.self).littleEndian
            let far = unsafe (text - 1).loadUnaligned(as: UInt64.self).littleEndian
            let digits = (near & right | far & ~right) ^ ShortNumber.zeros
            return ShortNumber.value(digits & (unsafe all.loadUnaligned(as: UInt64.self).littleEndian))
        }
    #endif
}
