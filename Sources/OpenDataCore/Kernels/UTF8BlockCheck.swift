/// Tells of text, 64 bytes at a time, whether it is UTF-8 (RFC 3629).
///
/// It does not tell where it is not. Blocks are noted first and looked at later, many in a row: which of them have letters
/// beyond ASCII cannot be foreseen, and need not be.
@safe struct UTF8BlockCheck {
    /// Whether all text looked at is UTF-8, but for a letter at its end that may go on.
    private(set) var isUTF8 = true

    private let base: UnsafeRawPointer
    private let places: UnsafeMutableBufferPointer<UInt32>
    private var count = 0
    // The block that a letter goes on in, and the bytes of it that have to continue the letter.
    private var next = -1
    private var due: UInt64 = 0
    // The last byte of the block before, if what may follow it is less than the whole range of continuations.
    private var strict = Strict()

    /// First bytes after which not every continuation may stand, as bits of a block.
    private struct Strict {
        var (e0, ed, f0, f4) = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        var any: UInt64 { e0 | ed | f0 | f4 }
    }

    /// Makes a check of blocks of 64 bytes, at offsets below 2^32 from `base`; `places` is room to note some.
    init(_ base: UnsafeRawPointer, noting places: UnsafeMutableBufferPointer<UInt32>) {
        unsafe self.base = base
        unsafe self.places = places
    }

    /// Notes a block, to be looked at if it has bytes that are not ASCII; its 64 bytes must be readable.
    @inline(__always)
    mutating func note(_ index: Int, hasLetters: Bool) {
        unsafe places[count] = UInt32(truncatingIfNeeded: index)
        count &+= hasLetters ? 1 : 0
        if unsafe count == places.count { look() }
    }

    /// Looks at the blocks noted.
    mutating func look() {
        for number in 0..<count {
            let index = Int(unsafe places[number])
            if index != next {
                if due != 0 { isUTF8 = false }
                (due, strict) = (0, Strict())
            }
            unsafe look(base + index)
            next = index &+ 64
        }
        count = 0
    }

    /// Whether no letter was cut by the end of the last block with letters, unless it ends at `end` or later.
    func isWhole(before end: Int) -> Bool { due == 0 || next >= end }

    /// Looks for letters of three bytes from U+1000 to U+CFFF and from U+E000 to U+FFFF, which Chinese and Japanese, their
    /// punctuation and full-width forms are written with; any others are looked at in another way.
    private mutating func look(_ address: UnsafeRawPointer) {
        var (beyond, leads, continuations) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part &* 16)
            let shift = UInt64(part &* 16)
            beyond |= bytes.beyondASCII.bits &<< shift
            continuations |= bytes.between(0x80, 0xBF).bits &<< shift
            // 0xED would need a look at the byte behind it: surrogates begin with it too.
            leads |= (bytes.between(0xE1, 0xEF) ^ bytes.equal(to: 0xED)).bits &<< shift
        }
        if continuations != leads &<< 1 | leads &<< 2 | due || continuations | leads != beyond || strict.any != 0 {
            unsafe lookAtAnyLetters(address, beyond: beyond, continuations)
            return
        }
        let last = leads &>> 62
        due = last | last &>> 1
    }

    private mutating func lookAtAnyLetters(_ address: UnsafeRawPointer, beyond: UInt64, _ continuations: UInt64) {
        var (two, three, four) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        // Continuations from 0x80, 0x90 and 0xA0 on.
        var (low, middle, high) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        var found = Strict()
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part &* 16)
            let shift = UInt64(part &* 16)
            two |= bytes.between(0xC2, 0xDF).bits &<< shift
            three |= bytes.between(0xE0, 0xEF).bits &<< shift
            four |= bytes.between(0xF0, 0xF4).bits &<< shift
            low |= bytes.between(0x80, 0x8F).bits &<< shift
            middle |= bytes.between(0x90, 0x9F).bits &<< shift
            high |= bytes.between(0xA0, 0xBF).bits &<< shift
            found.e0 |= bytes.equal(to: 0xE0).bits &<< shift
            found.ed |= bytes.equal(to: 0xED).bits &<< shift
            found.f0 |= bytes.equal(to: 0xF0).bits &<< shift
            found.f4 |= bytes.equal(to: 0xF4).bits &<< shift
        }
        let leads = two | three | four
        let expected = leads &<< 1 | (three | four) &<< 2 | four &<< 3 | due
        if continuations != expected || continuations | leads != beyond { isUTF8 = false }
        // Longer than needed, a surrogate, or past the last letter.
        let bad =
            (found.e0 &<< 1 | strict.e0) & (low | middle) | (found.ed &<< 1 | strict.ed) & high
            | (found.f0 &<< 1 | strict.f0) & low | (found.f4 &<< 1 | strict.f4) & (middle | high)
        if bad != 0 { isUTF8 = false }
        due = leads &>> 63 | (three | four) &>> 62 | four &>> 61
        strict = Strict()
        (strict.e0, strict.ed) = (found.e0 &>> 63, found.ed &>> 63)
        (strict.f0, strict.f4) = (found.f0 &>> 63, found.f4 &>> 63)
    }
}
