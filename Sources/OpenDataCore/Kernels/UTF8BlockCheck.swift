/// Tells of text whether it is UTF-8 of the common kind: ASCII, and letters of three bytes from U+1000 to U+CFFF and from
/// U+E000 to U+FFFF, which Chinese, Japanese and Korean, their punctuation and full-width forms are written with.
///
/// Of other text it says that it does not know; a validator then looks at it letter by letter. Blocks are noted first and
/// looked at later, many in a row: which of them have letters cannot be foreseen, and need not be.
@safe struct UTF8BlockCheck {
    /// Whether all text looked at is of the common kind.
    private(set) var isCommon = true

    private let base: UnsafeRawPointer
    private let places: UnsafeMutableBufferPointer<UInt32>
    private var count = 0
    // The block that a letter goes on in, and the bytes of it that have to continue the letter.
    private var next = -1
    private var due: UInt64 = 0

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
            if index != next, due != 0 { isCommon = false }
            unsafe look(base + index, due: index == next ? due : 0)
            next = index &+ 64
        }
        count = 0
    }

    /// Whether no letter was cut by the end of the last block with letters, unless it ends at `end` or later.
    func isWhole(before end: Int) -> Bool { due == 0 || next >= end }

    private mutating func look(_ address: UnsafeRawPointer, due: UInt64) {
        var (beyond, leads, continuations) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(address + part &* 16)
            let shift = UInt64(part &* 16)
            beyond |= bytes.beyondASCII.bits &<< shift
            continuations |= bytes.between(0x80, 0xBF).bits &<< shift
            // 0xED would need a look at the byte behind it: surrogates begin with it too.
            leads |= (bytes.between(0xE1, 0xEF) ^ bytes.equal(to: 0xED)).bits &<< shift
        }
        let expected = leads &<< 1 | leads &<< 2 | due
        if continuations != expected || continuations | leads != beyond { isCommon = false }
        let last = leads &>> 62
        self.due = last | last &>> 1
    }
}
