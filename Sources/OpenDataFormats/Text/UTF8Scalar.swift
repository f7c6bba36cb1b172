/// Reads Unicode scalars from UTF-8 that is expected, but not trusted, to be well formed.
enum UTF8Scalar {
    /// The scalar that begins at `index`, and the number of its bytes; `nil` where the bytes before `end` are not one.
    static func decode(_ bytes: Span<UInt8>, at index: Int, end: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        let lead = bytes[index]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard lead >= 0xC2, lead <= 0xF4, index + length <= end else { return nil }
        var value = UInt32(lead) & (0xFF >> UInt32(length + 1))
        for place in (index + 1)..<(index + length) {
            guard bytes[place] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[place] & 0x3F)
        }
        // Longer than needed, a surrogate, or past the last scalar.
        guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return (scalar, length)
    }
}
