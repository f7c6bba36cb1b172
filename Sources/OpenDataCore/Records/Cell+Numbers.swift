// In this module, where the kernels are; short numbers in front, so that reading one calls nothing.
extension Cell {
    /// The number of a cell, `nil` if it holds none or one of more than 38 digits.
    @usableFromInline @inline(never)
    func decimal(in bytes: Span<UInt8>) -> ExactDecimal? {
        if kind == .number, let short = ShortNumber(ofEight: bytes, offset, length) { return ExactDecimal(short) }
        return anyDecimal(in: bytes)
    }

    @inline(never)
    private func anyDecimal(in bytes: Span<UInt8>) -> ExactDecimal? {
        kind == .number ? ExactDecimal(bytes, range) : nil
    }

    /// The whole number of a cell, `nil` if it holds none that fits.
    @usableFromInline @inline(never)
    func integer(in bytes: Span<UInt8>) -> Int? {
        if kind == .number, let integer = ShortNumber(ofEight: bytes, offset, length)?.integer { return integer }
        return anyInteger(in: bytes)
    }

    @inline(never)
    private func anyInteger(in bytes: Span<UInt8>) -> Int? {
        kind == .number ? ExactDecimal.integer(bytes, range) : nil
    }
}
