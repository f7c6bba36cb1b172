/// Turns UTF-16 into UTF-8; lone surrogates and NULs are no letters.
struct UTF16Converter: TextConverter {
    /// Whether the high byte of each unit comes first.
    let isBigEndian: Bool

    func convert(_ input: [UInt8], from start: Int, into output: inout [UInt8]) -> TextConversion {
        unsafe append(input, from: start, to: &output) { bytes, text, conversion in
            unsafe convert(bytes, into: text, &conversion)
        }
    }

    /// Returns the number of bytes written.
    ///
    /// - Parameter text: Has three bytes for every two of the input, and four more: a unit makes three at most, and two
    ///   units make four.
    private func convert(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer, _ conversion: inout TextConversion
    ) -> Int {
        let (high, low) = isBigEndian ? (0, 1) : (1, 0)
        func unit(_ index: Int) -> UInt32 { unsafe UInt32(bytes[index + high]) << 8 | UInt32(bytes[index + low]) }
        var (index, written) = (0, 0)
        func put(_ byte: UInt32) {
            unsafe text[written] = UInt8(truncatingIfNeeded: byte)
            written += 1
        }
        loop: while index + 2 <= bytes.count {
            let value = unit(index)
            switch value {
            case 1..<0x80: put(value)
            case 0x80..<0x800:
                put(0xC0 | value >> 6)
                put(0x80 | value & 0x3F)
            case 0xD800..<0xDC00:
                guard index + 4 <= bytes.count else { break loop }
                let second = unit(index + 2)
                guard 0xDC00..<0xE000 ~= second else {
                    conversion.stop = .bad(2)
                    break loop
                }
                let scalar = 0x1_0000 + (value & 0x3FF) << 10 + second & 0x3FF
                put(0xF0 | scalar >> 18)
                put(0x80 | scalar >> 12 & 0x3F)
                put(0x80 | scalar >> 6 & 0x3F)
                put(0x80 | scalar & 0x3F)
                index += 2
            case 0, 0xDC00..<0xE000:
                conversion.stop = .bad(2)
                break loop
            default:
                put(0xE0 | value >> 12)
                put(0x80 | value >> 6 & 0x3F)
                put(0x80 | value & 0x3F)
            }
            index += 2
        }
        conversion.consumed = index
        if conversion.stop == .done, index < bytes.count { conversion.stop = .cut }
        return written
    }

    /// The byte order that NULs give away, which are the high bytes of ASCII letters; `nil` where they tell nothing.
    static func byteOrder(of bytes: ArraySlice<UInt8>) -> UTF16Converter? {
        var (first, second) = (0, 0)
        for (place, byte) in bytes.enumerated() where byte == 0 {
            if place & 1 == 0 { first += 1 } else { second += 1 }
        }
        // Letters such as 一, U+4E00, have a low byte of zero, but they are few.
        if second > 0, second >= first * 4 { return UTF16Converter(isBigEndian: false) }
        if first > 0, first >= second * 4 { return UTF16Converter(isBigEndian: true) }
        return nil
    }
}
