/// Makes texts of bytes that are nearly always UTF-8, which they are found to be sixteen at a time.
enum TextKernel {
    /// What bytes are.
    enum Content {
        case ascii
        case utf8
        /// Not UTF-8, or letters that are not looked for here.
        case other
    }

    /// The text of a range of bytes; what is not UTF-8 is replaced in it.
    @inline(__always)
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        let (start, count) = (range.lowerBound, range.upperBound &- range.lowerBound)
        if count == 0 { return "" }
        // In bounds: there are as many bytes as whole blocks are read, one at least.
        guard start >= 0, 0...Cell.maximumLength ~= count, start &+ max((count &+ 15) & ~15, 16) <= bytes.count else {
            return decode(bytes, range)
        }
        let found = unsafe bytes.withUnsafeBytes { all in
            guard let first = all.baseAddress else { return Content.other }
            return unsafe count <= 16 ? content(block: first + start, count) : content(first + start, count)
        }
        return found == .other ? decode(bytes, range) : make(bytes, range, isASCII: found == .ascii)
    }

    /// The text of bytes that have just been found to be UTF-8.
    @inline(__always)
    private static func make(_ bytes: Span<UInt8>, _ range: Range<Int>, isASCII: Bool) -> String {
        #if canImport(Darwin)
            // The oldest systems have no means to say that it is.
            return decode(bytes, range)
        #else
            let part = bytes.extracting(range)
            let text = unsafe UTF8Span(unchecked: part, isKnownASCII: isASCII)
            return String(copying: text)
        #endif
    }

    @inline(never)
    private static func decode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
        }
    }

    /// Looks at up to sixteen bytes, of which all sixteen are read.
    @inline(__always)
    private static func content(block start: UnsafeRawPointer, _ count: Int) -> Content {
        let bytes = unsafe ByteBlock(start)
        let kept = 1 &<< UInt64(count) &- 1 as UInt64
        let beyond = bytes.beyondASCII.bits & kept
        return beyond == 0 ? .ascii : areLetters(bytes, kept, beyond) ? .utf8 : .other
    }

    @inline(__always)
    private static func areLetters(_ bytes: ByteBlock, _ kept: UInt64, _ beyond: UInt64) -> Bool {
        let continuations = bytes.between(0x80, 0xBF).bits & kept
        let leads = TextKernel.leads(bytes).bits & kept
        return continuations == leads &<< 1 | leads &<< 2 && continuations | leads == beyond
    }

    /// First bytes of the letters looked for: 0xED would need a look at the byte behind it, since surrogates begin with
    /// it.
    @inline(__always)
    private static func leads(_ bytes: ByteBlock) -> ByteMatches {
        bytes.between(0xE1, 0xEF) ^ bytes.equal(to: 0xED)
    }

    /// Looks at `count` bytes, of which as many are read as fill blocks of sixteen.
    ///
    /// The letters looked for are ASCII and those of three bytes from U+1000 to U+CFFF and from U+E000 to U+FFFF, which
    /// Chinese and Japanese, their punctuation and full-width forms are written with.
    @inline(never)
    private static func content(_ start: UnsafeRawPointer, _ count: Int) -> Content {
        var isASCII = true
        // The first bytes of the next 64 that have to continue a letter.
        var due = 0 as UInt64
        var index = 0
        while index < count {
            let blocks = min((count &- index &+ 15) &>> 4, 4)
            let kept = count &- index >= 64 ? ~0 : 1 &<< UInt64(count &- index) &- 1 as UInt64
            var beyond = 0 as UInt64
            for block in 0..<blocks {
                beyond |= unsafe ByteBlock(start + (index &+ block &* 16)).beyondASCII.bits &<< UInt64(block &* 16)
            }
            beyond &= kept
            if beyond | due != 0 {
                isASCII = false
                var (leads, continuations) = (0 as UInt64, 0 as UInt64)
                for block in 0..<blocks {
                    let bytes = unsafe ByteBlock(start + (index &+ block &* 16))
                    continuations |= bytes.between(0x80, 0xBF).bits &<< UInt64(block &* 16)
                    leads |= TextKernel.leads(bytes).bits &<< UInt64(block &* 16)
                }
                (leads, continuations) = (leads & kept, continuations & kept)
                // A letter that goes on past the end has bits where nothing is kept.
                if continuations != leads &<< 1 | leads &<< 2 | due || continuations | leads != beyond { return .other }
                let last = leads &>> 62
                due = last | last &>> 1
            }
            index &+= 64
        }
        return due != 0 ? .other : isASCII ? .ascii : .utf8
    }
}
