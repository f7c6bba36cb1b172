/// The loops over the bytes of strings and keys.
enum JSONStrings {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The index of the first quote, backslash or control character from `start` on, or the number of bytes.
    ///
    /// - Complexity: O(bytes), eight at a time.
    @inline(__always)
    static func end(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = unsafe bytes.bytes
        while index + 8 <= raw.byteCount {
            // In bounds: eight bytes remain from `index` on. Any eight bytes are a UInt64.
            let word = UInt64(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A byte's high bit is set where the byte is below 0x20, or zero once the quote or backslash is taken out.
            // A borrow can set bits of later bytes falsely, never of the first.
            let quotes = word ^ (ones &* UInt64(quote))
            let backslashes = word ^ (ones &* UInt64(backslash))
            let found =
                ((word &- ones &* 0x20) & ~word | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
                & highBits
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == quote || byte == backslash { break }
            index += 1
        }
        return index
    }

    /// Whether `bytes` has the bytes of `pattern` in `range` at the index.
    @inline(__always)
    static func matches(_ bytes: Span<UInt8>, at index: Int, _ pattern: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard index + range.count <= bytes.count, range.upperBound <= pattern.count else { return false }
        let (left, right) = unsafe (bytes.bytes, pattern.bytes)
        var offset = 0
        while offset + 8 <= range.count {
            // In bounds: eight bytes remain from `offset` on in the range, and the range is within both.
            let difference =
                unsafe left.unsafeLoadUnaligned(fromByteOffset: index + offset, as: UInt64.self)
                ^ right.unsafeLoadUnaligned(fromByteOffset: range.lowerBound + offset, as: UInt64.self)
            if difference != 0 { return false }
            offset += 8
        }
        while offset < range.count {
            if bytes[index + offset] != pattern[range.lowerBound + offset] { return false }
            offset += 1
        }
        return true
    }

    /// Undoes the escapes of a checked string between its quotes, in place, and returns the number of bytes left.
    ///
    /// No escape is shorter than the UTF-8 that it stands for, so writing never overtakes reading.
    static func unescape(_ bytes: inout [UInt8], _ range: Range<Int>) -> Int {
        var (from, to) = (range.lowerBound, range.lowerBound)
        while from < range.upperBound {
            let byte = bytes[from]
            guard byte == backslash, from + 1 < range.upperBound else {
                bytes[to] = byte
                (from, to) = (from + 1, to + 1)
                continue
            }
            let letter = bytes[from + 1]
            guard letter == UInt8(ascii: "u") else {
                bytes[to] = plain(letter)
                (from, to) = (from + 2, to + 1)
                continue
            }
            var scalar = unit(in: bytes, at: from + 2)
            from += 6
            if scalar & 0xFC00 == 0xD800, from < range.upperBound {
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + unit(in: bytes, at: from + 2) & 0x3FF
                from += 6
            }
            to = write(scalar, to: &bytes, at: to)
        }
        return to - range.lowerBound
    }

    /// The text between two quotes, unescaped.
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(bytes[index]) }
        let count = unescape(&copy, 0..<copy.count)
        return String(decoding: copy[..<count], as: UTF8.self)
    }

    /// Takes the white space outside strings out of a checked value, in place, and returns the number of bytes left.
    static func minify(_ bytes: inout [UInt8], _ range: Range<Int>) -> Int {
        var to = range.lowerBound
        var isInString = false
        var isEscaped = false
        for from in range {
            let byte = bytes[from]
            if isInString {
                if byte == quote, !isEscaped { isInString = false }
                isEscaped = byte == backslash && !isEscaped
            } else if byte == quote {
                isInString = true
            } else if byte <= 0x20 {
                continue
            }
            bytes[to] = byte
            to += 1
        }
        return to - range.lowerBound
    }

    /// The value of a hexadecimal digit.
    @inline(__always)
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    /// What the letter after a backslash stands for.
    private static func plain(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// The four hexadecimal digits at the index, which the scanner has checked.
    private static func unit(in bytes: [UInt8], at index: Int) -> UInt32 {
        bytes[index..<(index + 4)].reduce(0) { $0 << 4 | (digit($1) ?? 0) }
    }

    /// Writes a code point as UTF-8 and returns the index after it.
    private static func write(_ scalar: UInt32, to bytes: inout [UInt8], at index: Int) -> Int {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            bytes[index] = UInt8(scalar)
            return index + 1
        case ..<0x800:
            bytes[index] = UInt8(0xC0 | scalar >> 6)
            bytes[index + 1] = continuation(0)
            return index + 2
        case ..<0x10000:
            bytes[index] = UInt8(0xE0 | scalar >> 12)
            bytes[index + 1] = continuation(6)
            bytes[index + 2] = continuation(0)
            return index + 3
        default:
            bytes[index] = UInt8(0xF0 | scalar >> 18)
            bytes[index + 1] = continuation(12)
            bytes[index + 2] = continuation(6)
            bytes[index + 3] = continuation(0)
            return index + 4
        }
    }
}
