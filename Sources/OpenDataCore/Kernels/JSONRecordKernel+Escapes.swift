// Texts with escapes. They are put together in the scratch buffer, and copied to their places once their record is
// whole.
extension JSONRecordKernel {
    /// The bytes in front of each text in the scratch buffer: its place in the window, and its length.
    private static let header = 8

    /// Reads a text whose first escape is at an index, up to its closing quote.
    ///
    /// In bounds: the window is read at indices up to `last`, behind which there are 32 bytes, and at most 14 from an
    /// index on. The scratch buffer is written to at places up to `scratchRoom`, behind which there are as many.
    @inline(never)
    mutating func escapedText(from start: Int, firstEscape: Int) -> (cell: Cell, end: Int) {
        let head = used
        var to = head &+ JSONRecordKernel.header
        var index = start
        if to &+ (firstEscape &- start) > scratchRoom { return (.null, 0) }
        while index < firstEscape {
            unsafe (scratch + to + (index &- start)).copyBlock(from: base + index)
            index &+= 16
        }
        to &+= firstEscape &- start
        index = firstEscape
        var isPlain = true
        // At a quote, a backslash or a control.
        while true {
            if index > last || to > scratchRoom {
                isAtEnd = index > last
                return (.null, 0)
            }
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            if UInt8(truncatingIfNeeded: word) == UInt8(ascii: "\"") { break }
            if UInt8(truncatingIfNeeded: word) != UInt8(ascii: "\\") { return (.null, 0) }
            if word & 0xFFFF == JSONRecordKernel.unitEscape {
                guard let length = takeUnits(word, at: index, to: &to, &isPlain) else { return (.null, 0) }
                index &+= length
            } else {
                let byte: UInt8
                switch UInt8(truncatingIfNeeded: word >> 8) {
                case UInt8(ascii: "/"): byte = UInt8(ascii: "/")
                case UInt8(ascii: "\""): byte = UInt8(ascii: "\"")
                case UInt8(ascii: "\\"): byte = UInt8(ascii: "\\")
                case UInt8(ascii: "n"): byte = 0x0A
                case UInt8(ascii: "r"): byte = 0x0D
                case UInt8(ascii: "t"): byte = 0x09
                case UInt8(ascii: "b"): byte = 0x08
                case UInt8(ascii: "f"): byte = 0x0C
                default: return (.null, 0)
                }
                if byte != UInt8(ascii: "/") { isPlain = false }
                unsafe scratch.storeBytes(of: byte, toByteOffset: to, as: UInt8.self)
                to &+= 1
                index &+= 2
            }
            // Text that is escaped throughout has one escape after the other.
            if unsafe base.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\\") { continue }
            while index <= last, to <= scratchRoom {
                let special = unsafe JSONRecordKernel.specials(ByteBlock(base + index))
                unsafe (scratch + to).copyBlock(from: base + index)
                let count = special == 0 ? 16 : special.trailingZeroBitCount
                index &+= count
                to &+= count
                if special != 0 { break }
            }
        }
        let from = head &+ JSONRecordKernel.header
        let note = UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: to &- from) << 32
        unsafe scratch.storeBytes(of: note, toByteOffset: head, as: UInt64.self)
        used = to
        return (Cell(.text, offset: start, length: to &- from, quoted: true, plain: isPlain), index &+ 1)
    }

    /// Copies the texts of a record from the scratch buffer to where they belong.
    ///
    /// In bounds: each text goes to where it was read from, which had more bytes.
    mutating func putBack() {
        var place = 0
        while place < used {
            let note = unsafe scratch.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let target = unsafe base + Int(truncatingIfNeeded: note & 0xFFFF_FFFF)
            let count = Int(truncatingIfNeeded: note >> 32)
            unsafe JSONRecordKernel.copy(scratch + place + JSONRecordKernel.header, to: target, count)
            place &+= JSONRecordKernel.header &+ count
        }
    }

    // MARK: Escapes of code units

    /// `\u`.
    private static let unitEscape: UInt64 = 0x755C

    /// Writes what a `\u` escape stands for, with the one behind it where there is one, and returns the bytes they
    /// have.
    ///
    /// `nil` for what is no such escape, and for half of a surrogate pair.
    @inline(__always)
    private func takeUnits(_ word: UInt64, at index: Int, to: inout Int, _ isPlain: inout Bool) -> Int? {
        let next = unsafe base.loadUnaligned(fromByteOffset: index &+ 6, as: UInt64.self).littleEndian
        let isPair = next & 0xFFFF == JSONRecordKernel.unitEscape
        let first = word >> 16 & 0xFFFF_FFFF
        // Both at once, if there are two. (If the second is at fault, that may be another text; the scanner will tell.)
        let units: UInt64
        if isPair {
            guard let pair = JSONRecordKernel.units(first | (next >> 16) << 32) else { return nil }
            units = pair
            let (high, low) = (units & 0xF800, units >> 32 & 0xF800)
            if high != 0, low != 0, high != 0xD800, low != 0xD800 {
                // Two letters of three bytes, as most of Chinese is.
                let letters =
                    0x0080_80E0_0080_80E0 | units >> 12 & 0x0000_000F_0000_000F
                    | ((units & 0x0000_0FC0_0000_0FC0) << 2) | ((units & 0x0000_003F_0000_003F) << 16)
                let bytes = letters & 0xFF_FFFF | (letters >> 32) << 24
                unsafe scratch.storeBytes(of: bytes.littleEndian, toByteOffset: to, as: UInt64.self)
                to &+= 6
                return 12
            }
        } else {
            guard let one = JSONRecordKernel.units(first | 0x3030_3030_0000_0000) else { return nil }
            units = one
        }
        var scalar = UInt32(truncatingIfNeeded: units)
        var length = 6
        if scalar & 0xF800 == 0xD800 {
            let second = UInt32(truncatingIfNeeded: units >> 32)
            guard isPair, scalar & 0xFC00 == 0xD800, second & 0xFC00 == 0xDC00 else { return nil }
            scalar = 0x10000 &+ (scalar & 0x3FF) << 10 &+ second & 0x3FF
            length = 12
        }
        if scalar < 0x20 || scalar == 0x22 || scalar == 0x5C { isPlain = false }
        let (bytes, count) = JSONRecordKernel.letter(scalar)
        unsafe scratch.storeBytes(of: bytes.littleEndian, toByteOffset: to, as: UInt32.self)
        to &+= count
        return length
    }

    /// The values of two groups of four hexadecimal digits, the first digit in the lowest byte, each in its half of the
    /// word; `nil` if any is something else.
    @inline(__always)
    private static func units(_ digits: UInt64) -> UInt64? {
        let ones = 0x0101_0101_0101_0101 as UInt64
        let highBits = 0x8080_8080_8080_8080 as UInt64
        let letters = digits | ones &* 0x20
        // With bytes below 0x80, adding 0x80 less a bound sets the high bit from the bound on, and carries nowhere.
        let isDigit = (digits &+ ones &* (0x80 - 0x30)) & ~(digits &+ ones &* (0x80 - 0x3A))
        let isLetter = (letters &+ ones &* (0x80 - 0x61)) & ~(letters &+ ones &* (0x80 - 0x67))
        if digits & highBits != 0 || (isDigit | isLetter) & highBits != highBits { return nil }
        let values = (digits & (ones &* 0x0F)) &+ (digits >> 6 & ones) &* 9
        let pairs = values << 4 | values >> 8
        let half = 0x0000_00FF_0000_00FF as UInt64
        return (pairs & half) << 8 | pairs >> 16 & half
    }

    /// The bytes of a letter in UTF-8, the first in the lowest bits, and how many they are.
    @inline(__always)
    private static func letter(_ scalar: UInt32) -> (bytes: UInt32, count: Int) {
        if scalar < 0x80 { return (scalar, 1) }
        if scalar < 0x800 { return (0x80C0 | scalar >> 6 | (scalar & 0x3F) << 8, 2) }
        if scalar < 0x10000 {
            return (0x8080E0 | scalar >> 12 | (scalar & 0xFC0) << 2 | (scalar & 0x3F) << 16, 3)
        }
        let middle = (scalar >> 12 & 0x3F) << 8 | (scalar & 0xFC0) << 10
        return (0x8080_80F0 | scalar >> 18 | middle | (scalar & 0x3F) << 24, 4)
    }

    // MARK: Copies

    /// Copies exactly so many bytes between buffers that do not overlap, the last ones of them twice.
    @inline(__always)
    private static func copy(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        func move<T: BitwiseCopyable>(_ type: T.Type, _ offset: Int) {
            unsafe target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: offset, as: type), toByteOffset: offset, as: type)
        }
        if count >= 16 {
            var done = 0
            while done < count &- 16 {
                move(SIMD16<UInt8>.self, done)
                done &+= 16
            }
            move(SIMD16<UInt8>.self, count &- 16)
        } else if count >= 8 {
            move(UInt64.self, 0)
            move(UInt64.self, count &- 8)
        } else if count >= 4 {
            move(UInt32.self, 0)
            move(UInt32.self, count &- 4)
        } else {
            for offset in 0..<count { move(UInt8.self, offset) }
        }
    }
}
