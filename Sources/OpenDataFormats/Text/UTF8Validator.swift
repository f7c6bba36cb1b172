/// Checks UTF-8 (RFC 3629) in pieces: no overlong forms, no surrogates, nothing above U+10FFFF, and no NUL.
struct UTF8Validator {
    // How many continuation bytes are due, and what the next of them may be.
    private var due = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text so far ends with a whole letter.
    var isComplete: Bool { due == 0 }

    /// The index of the first byte that cannot stand where it does, or `nil`.
    ///
    /// - Complexity: O(bytes); up to 32 at a time where they are ASCII, letter by letter where they are Chinese.
    mutating func firstInvalid(in bytes: Span<UInt8>) -> Int? {
        let count = bytes.count
        var index = 0
        while index < count {
            if due == 0 {
                index = UTF8Validator.commonRun(in: bytes, from: index)
                if index == count { return nil }
            }
            let byte = bytes[index]
            if due > 0 {
                guard lowest...highest ~= byte else { return index }
                due -= 1
                (lowest, highest) = (0x80, 0xBF)
            } else {
                switch byte {
                case 1..<0x80: break
                case 0xC2...0xDF: due = 1
                case 0xE0: (due, lowest) = (2, 0xA0)
                case 0xE1...0xEC, 0xEE, 0xEF: due = 2
                case 0xED: (due, highest) = (2, 0x9F)
                case 0xF0: (due, lowest) = (3, 0x90)
                case 0xF1...0xF3: due = 3
                case 0xF4: (due, highest) = (3, 0x8F)
                default: return index
                }
            }
            index += 1
        }
        return nil
    }

    /// The end of a run of ASCII without NULs and of letters from U+1000 to U+CFFF, which starts at the index.
    ///
    /// It may end before the run does; what it passes over is valid.
    private static func commonRun(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // In bounds: words are read only where all their bytes lie within the span.
        unsafe bytes.withUnsafeBytes { raw in
            let count = raw.count
            while index + 8 <= count {
                var odd = 0 as UInt64
                while index + 32 <= count {
                    for step in 0..<4 {
                        odd |= oddities(in: unsafe raw.loadUnaligned(fromByteOffset: index + step * 8, as: UInt64.self))
                    }
                    if odd != 0 { break }
                    index += 32
                }
                if index + 8 > count { break }
                let word = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                odd = oddities(in: word)
                if odd == 0 {
                    index += 8
                    continue
                }
                index += odd.trailingZeroBitCount >> 3
                // Letters of three bytes whose first byte allows any continuation.
                var letters = 0
                while index + 4 <= count {
                    let letter = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian
                    guard letter & 0xC0_C0F0 == 0x80_80E0, 0xE1...0xEC ~= letter & 0xFF else { break }
                    index += 3
                    letters += 1
                }
                if letters == 0 { break }
            }
        }
        return index
    }

    /// The high bit of the first byte that is not ASCII, or is zero; bits above it may be wrong.
    private static func oddities(in word: UInt64) -> UInt64 {
        ((word &- 0x0101_0101_0101_0101) | word) & 0x8080_8080_8080_8080
    }
}
