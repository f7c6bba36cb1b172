/// Tells of text, 64 bytes at a time, whether it is UTF-8 (RFC 3629).
///
/// It does not tell where it is not. Blocks are noted first and looked at later, many in a row: which of them have
/// letters beyond ASCII cannot be foreseen, and need not be.
@safe struct UTF8BlockCheck {
    /// Whether all text looked at is UTF-8, but for a letter at its end that may go on.
    private(set) var isUTF8 = true

    private let base: UnsafeRawPointer
    private let places: UnsafeMutableBufferPointer<UInt32>
    private var count = 0
    // The block that a letter goes on in, and the bytes of it that have to continue the letter.
    private var next = -1
    private var due: UInt64 = 0
    // The last byte of that block, if a letter begins with it that not every continuation may go on: 0xE0, 0xED, 0xF0
    // or 0xF4.
    private var lead: UInt64 = 0

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
        look(count)
        count = 0
    }

    /// Looks at the 64 bytes at an address, which stand behind those looked at before.
    @inline(__always)
    mutating func lookAtNext(_ address: UnsafeRawPointer) { due = unsafe look(address, due: due) }

    /// Looks at so many blocks, which the caller has noted itself.
    @inline(never)
    mutating func look(_ count: Int) {
        var (cut, next, due) = (0 as UInt64, next, due)
        for number in 0..<count {
            let index = Int(unsafe places[number])
            // Without a branch: whether blocks with letters stand side by side cannot be foreseen.
            cut |= index == next ? 0 : due
            due = unsafe look(base + index, due: index == next ? due : 0)
            next = index &+ 64
        }
        if cut != 0 { isUTF8 = false }
        (self.next, self.due) = (next, due)
    }

    /// Whether no letter was cut by the end of the last block with letters, unless it ends at `end` or later.
    func isWhole(before end: Int) -> Bool { due == 0 || next >= end }

    /// Looks for letters of three bytes from U+1000 to U+CFFF and from U+E000 to U+FFFF, which Chinese and Japanese,
    /// their punctuation and full-width forms are written with; any others are looked at in another way.
    @inline(__always)
    private mutating func look(_ address: UnsafeRawPointer, due: UInt64) -> UInt64 {
        var (beyond, leads, continuations) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part &* 16)
            let shift = UInt64(part &* 16)
            beyond |= bytes.beyondASCII.bits &<< shift
            continuations |= bytes.between(0x80, 0xBF).bits &<< shift
            // 0xED would need a look at the byte behind it: surrogates begin with it too.
            leads |= (bytes.between(0xE1, 0xEF) ^ bytes.equal(to: 0xED)).bits &<< shift
        }
        let wrong = continuations ^ (leads &<< 1 | leads &<< 2 | due)
        let others = wrong | ((continuations | leads) ^ beyond) | lead
        if others != 0 { return unsafe lookAtAnyLetters(address, due: due) }
        let last = leads &>> 62
        return last | last &>> 1
    }

    @inline(never)
    private mutating func lookAtAnyLetters(_ address: UnsafeRawPointer, due: UInt64) -> UInt64 {
        // First bytes of letters, by the number of bytes; continuations from 0x80, 0x90 and 0xA0 on; what is not ASCII.
        var (two, three, four) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        var (low, middle, high, beyond) = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        // What follows first bytes after which not every continuation may stand.
        func mark(_ byte: UInt64) -> UInt64 { lead == byte ? 1 : 0 }
        var (e0, ed, f0, f4) = (mark(0xE0), mark(0xED), mark(0xF0), mark(0xF4))
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part &* 16)
            let shift = UInt64(part &* 16)
            beyond |= bytes.beyondASCII.bits &<< shift
            two |= bytes.between(0xC2, 0xDF).bits &<< shift
            three |= bytes.between(0xE0, 0xEF).bits &<< shift
            four |= bytes.between(0xF0, 0xF4).bits &<< shift
            low |= bytes.between(0x80, 0x8F).bits &<< shift
            middle |= bytes.between(0x90, 0x9F).bits &<< shift
            high |= bytes.between(0xA0, 0xBF).bits &<< shift
            e0 |= bytes.equal(to: 0xE0).bits &<< (shift &+ 1)
            ed |= bytes.equal(to: 0xED).bits &<< (shift &+ 1)
            f0 |= bytes.equal(to: 0xF0).bits &<< (shift &+ 1)
            f4 |= bytes.equal(to: 0xF4).bits &<< (shift &+ 1)
        }
        let (leads, continuations) = (two | three | four, low | middle | high)
        let expected = leads &<< 1 | (three | four) &<< 2 | four &<< 3 | due
        // Longer than needed, a surrogate, or past the last letter.
        let bad = e0 & (low | middle) | ed & high | f0 & low | f4 & (middle | high)
        if continuations != expected || continuations | leads != beyond || bad != 0 { isUTF8 = false }
        lead = 0
        let last = unsafe address.load(fromByteOffset: 63, as: UInt8.self)
        if last == 0xE0 || last == 0xED || last == 0xF0 || last == 0xF4 { lead = UInt64(last) }
        return leads &>> 63 | (three | four) &>> 62 | four &>> 61
    }
}
