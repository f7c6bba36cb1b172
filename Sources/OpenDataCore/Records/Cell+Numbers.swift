// In this module, where the kernels are; short numbers in front, so that reading one makes one call.
extension Cell {
    /// The number of a cell, `nil` if it holds none or one of more than 38 digits.
    @inlinable @inline(__always)
    func decimal(in bytes: Span<UInt8>) -> ExactDecimal? {
        let (magnitude, shape) = short(in: bytes)
        return shape >= 0 ? ExactDecimal(magnitude, shape) : longDecimal(in: bytes)
    }

    /// The whole number of a cell, `nil` if it holds none that fits.
    @inlinable @inline(__always)
    func integer(in bytes: Span<UInt8>) -> Int? {
        let (magnitude, shape) = short(in: bytes)
        return shape == 0 ? Int(truncatingIfNeeded: magnitude) : otherInteger(in: bytes)
    }

    /// The parts of a ``ShortNumber``; the second is below zero where the cell holds none.
    @usableFromInline @inline(never)
    func short(in bytes: Span<UInt8>) -> (magnitude: UInt64, shape: Int) {
        kind == .number ? ShortNumber.parts(bytes, offset, length) : (0, -1)
    }

    @usableFromInline @inline(never)
    func longDecimal(in bytes: Span<UInt8>) -> ExactDecimal? {
        kind == .number ? ExactDecimal(bytes, range) : nil
    }

    @usableFromInline @inline(never)
    func otherInteger(in bytes: Span<UInt8>) -> Int? {
        kind == .number ? ExactDecimal.integer(bytes, range) : nil
    }
}
