/// Tells of the text of a cell whether it is plain: UTF-8 (RFC 3629), without controls and backslashes.
///
/// JSON writes such a text as it is, if it has no quotes.
@safe enum PlainTextKernel {
    private static let block = 16

    /// Whether a text is plain.
    ///
    /// - Parameters:
    ///   - text: The text, of which thirty-two bytes can be read however long it is.
    ///   - first: The first sixteen of them.
    @inline(__always)
    static func isPlain(_ text: UnsafeRawPointer, _ length: Int, first: ByteBlock) -> Bool {
        guard length <= 2 &* block else {
            return unsafe isPlain(UnsafeRawBufferPointer(start: text, count: length))
        }
        let second = unsafe ByteBlock(text + block)
        let kept = 1 &<< UInt64(length) &- 1 as UInt64
        let odd = (first.odd.bits | second.odd.bits &<< UInt64(block)) & kept
        if odd == 0 { return true }
        // Letters of three bytes from U+1000 to U+CFFF and from U+E000 to U+FFFF, which Chinese and Japanese are
        // written with; any others are looked at in another way.
        var (leads, continuations) = (first.leads.bits, first.between(0x80, 0xBF).bits)
        leads = (leads | second.leads.bits &<< UInt64(block)) & kept
        continuations = (continuations | second.between(0x80, 0xBF).bits &<< UInt64(block)) & kept
        // A letter that goes on past the end has bits where nothing is kept.
        if continuations == leads &<< 1 | leads &<< 2, continuations | leads == odd { return true }
        return unsafe isPlain(UnsafeRawBufferPointer(start: text, count: length))
    }

    /// Whether a text of any length is plain, whatever letters it has.
    ///
    /// - Complexity: O(bytes), 64 at a time.
    @inline(never)
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress else { return true }
        var letters = unsafe UTF8BlockCheck(start, noting: UnsafeMutableBufferPointer(start: nil, count: 0))
        var index = 0
        while index &+ 64 <= text.count {
            // In bounds: all of the block is text.
            guard unsafe isPlain(block: start + index, &letters) else { return false }
            index &+= 64
        }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { rest in
            unsafe rest.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
            unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[index...]))
            guard let start = rest.baseAddress else { return false }
            return unsafe isPlain(block: start, &letters) && letters.isUTF8
        }
    }

    /// Whether 64 bytes are, as far as it shows without a look at the letters, and looks at those.
    @inline(__always)
    private static func isPlain(block start: UnsafeRawPointer, _ letters: inout UTF8BlockCheck) -> Bool {
        var odd = ByteMatches.none
        for part in 0..<4 {
            let bytes = unsafe ByteBlock(start + part &* block)
            odd = odd | bytes.atMost(0x1F) | bytes.equal(to: UInt8(ascii: "\\"))
        }
        unsafe letters.lookAtNext(start)
        return odd.bits == 0
    }
}

extension ByteBlock {
    /// The bytes that are controls, not ASCII, or a backslash.
    @inline(__always)
    fileprivate var odd: ByteMatches { controlsOrBeyondASCII | equal(to: UInt8(ascii: "\\")) }

    /// First bytes of letters of three bytes: 0xED would need a look at the byte behind it, since surrogates begin with
    /// it.
    @inline(__always)
    fileprivate var leads: ByteMatches { between(0xE1, 0xEF) ^ equal(to: 0xED) }
}
