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

    /// The value of four hexadecimal digits, the first in the lowest byte; `nil` if any is something else.
    @inline(__always)
    static func hexadecimal(_ word: UInt32) -> UInt32? {
        let ones: UInt32 = 0x0101_0101
        let letters = word | ones &* 0x20
        // With bytes below 0x80, adding 0x80 less a bound sets the high bit from the bound on, and carries nowhere.
        let isDigit = (word &+ ones &* (0x80 - 0x30)) & ~(word &+ ones &* (0x80 - 0x3A))
        let isLetter = (letters &+ ones &* (0x80 - 0x61)) & ~(letters &+ ones &* (0x80 - 0x67))
        guard word & (ones &* 0x80) == 0, (isDigit | isLetter) & (ones &* 0x80) == ones &* 0x80 else { return nil }
        let values = (word & (ones &* 0x0F)) &+ (word >> 6 & ones) &* 9
        return (values & 0xF) << 12 | (values >> 8 & 0xF) << 8 | (values >> 16 & 0xF) << 4 | values >> 24
    }

    /// The value of the four hexadecimal digits at the index; `nil` if they are not all there.
    @inline(__always)
    static func hexadecimal(_ bytes: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        // In bounds: four bytes remain from the index on. Any four bytes are a UInt32.
        return unsafe hexadecimal(
            UInt32(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)))
    }

    /// Undoes the escapes of a checked string between its quotes, in place, and returns the number of bytes left.
    static func unescape(_ bytes: inout ArraySlice<UInt8>, _ range: Range<Int>) -> Int {
        unsafe bytes.withUnsafeMutableBytes { raw in
            unsafe unescape(UnsafeMutableRawBufferPointer(rebasing: raw[range]))
        }
    }

    /// Undoes the escapes of a whole buffer.
    ///
    /// In bounds: reading goes from `from`, which stays below the count, and eight bytes or an escape are read only
    /// where as many remain. Writing goes to `to`, which never overtakes `from`, since no escape is shorter than the
    /// UTF-8 that it stands for; so eight bytes written at `to` cover none that are still to be read.
    private static func unescape(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        let count = bytes.count
        var (from, to) = (0, 0)
        while from < count {
            if from + 8 <= count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self)
                let backslashes = word ^ (ones &* UInt64(backslash))
                if (backslashes &- ones) & ~backslashes & highBits == 0 {
                    unsafe bytes.storeBytes(of: word, toByteOffset: to, as: UInt64.self)
                    (from, to) = (from + 8, to + 8)
                    continue
                }
            }
            let byte = unsafe bytes[from]
            guard byte == backslash, from + 1 < count else {
                unsafe bytes[to] = byte
                (from, to) = (from + 1, to + 1)
                continue
            }
            let letter = unsafe bytes[from + 1]
            guard letter == UInt8(ascii: "u") else {
                unsafe bytes[to] = plain(letter)
                (from, to) = (from + 2, to + 1)
                continue
            }
            guard from + 6 <= count else { break }
            var scalar = unsafe unit(in: bytes, at: from + 2)
            from += 6
            if scalar & 0xFC00 == 0xD800, from + 6 <= count {
                scalar = unsafe 0x10000 + (scalar & 0x3FF) << 10 + unit(in: bytes, at: from + 2) & 0x3FF
                from += 6
            }
            to = unsafe write(scalar, to: bytes, at: to)
        }
        return to
    }

    /// The value of the four hexadecimal digits at the index, which the scanner has checked.
    ///
    /// In bounds: the caller has seen that six bytes remain from two before the index.
    @inline(__always)
    private static func unit(in bytes: UnsafeMutableRawBufferPointer, at index: Int) -> UInt32 {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        return hexadecimal(UInt32(littleEndian: word)) ?? 0xFFFD
    }

    /// Writes a code point as UTF-8 and returns the index after it.
    ///
    /// In bounds: the bytes written are fewer than those of the escape that was read from the index or after it.
    @inline(__always)
    private static func write(_ scalar: UInt32, to bytes: UnsafeMutableRawBufferPointer, at index: Int) -> Int {
        func byte(_ lead: UInt32, _ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: lead | scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            unsafe bytes[index] = UInt8(truncatingIfNeeded: scalar)
            return index + 1
        case ..<0x800:
            unsafe bytes[index] = byte(0xC0, 6)
            unsafe bytes[index + 1] = byte(0x80, 0)
            return index + 2
        case ..<0x10000:
            unsafe bytes[index] = byte(0xE0, 12)
            unsafe bytes[index + 1] = byte(0x80, 6)
            unsafe bytes[index + 2] = byte(0x80, 0)
            return index + 3
        default:
            unsafe bytes[index] = byte(0xF0, 18)
            unsafe bytes[index + 1] = byte(0x80, 12)
            unsafe bytes[index + 2] = byte(0x80, 6)
            unsafe bytes[index + 3] = byte(0x80, 0)
            return index + 4
        }
    }

    /// The text between two quotes, unescaped.
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        var copy: ArraySlice<UInt8> = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(bytes[index]) }
        let count = unescape(&copy, 0..<copy.count)
        return String(decoding: copy[..<count], as: UTF8.self)
    }

    /// Takes the white space outside strings out of a checked value, in place, and returns the number of bytes left.
    static func minify(_ bytes: inout ArraySlice<UInt8>, _ range: Range<Int>) -> Int {
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
}
