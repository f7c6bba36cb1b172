import OpenDataCore

/// Reads the tokens and values of a window of JSON, strictly by RFC 8259.
///
/// Every method reads at the scanner's place and moves it past what was read. One that throws may leave the place
/// anywhere; the caller goes back to where it was.
struct JSONScanner {
    /// A place in the window, and the line that it is on.
    struct Place {
        /// The index of the next byte.
        var index = 0
        /// The physical line, from 1.
        var line = 1
        /// The index at which that line begins, below 0 where it begins in an earlier window.
        var lineStart = 0
        /// Whether the line end before it is a CR, to which a LF may still belong.
        var followsCarriageReturn = false
    }

    /// The most objects and arrays that may be open at once.
    static let maximumDepth = 512

    /// Where the scanner is.
    var place: Place
    /// Whether a cell was read that has to be rewritten before use.
    ///
    /// Reset by the caller.
    var hasEscapes = false
    /// Whether the document ends with the window.
    let isLast: Bool
    // Whether each open container of a skipped value is an object. Allocated once for all values of a window.
    var isObject = [Bool](repeating: false, count: maximumDepth)

    init(at place: Place = Place(), isLast: Bool) {
        self.place = place
        self.isLast = isLast
    }

    // MARK: Bytes

    /// The next byte, which stays unread.
    @inline(__always)
    func peek(_ bytes: Span<UInt8>) throws(JSONStop) -> UInt8 {
        guard place.index < bytes.count else { throw .needsMore }
        return bytes[place.index]
    }

    @inline(__always)
    private func byte(_ bytes: Span<UInt8>, at index: Int) throws(JSONStop) -> UInt8 {
        guard index < bytes.count else { throw .needsMore }
        return bytes[index]
    }

    /// Reads one byte that must stand here.
    @inline(__always)
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>, else wanted: JSONExpectation) throws(JSONStop) {
        guard try peek(bytes) == byte else { throw .unexpected(at: place.index, wanted: wanted) }
        place.index += 1
    }

    /// Passes white space and says whether there was any.
    @inline(__always)
    @discardableResult
    mutating func skipSpace(_ bytes: Span<UInt8>) -> Bool {
        guard place.index < bytes.count, bytes[place.index] <= 0x20 else { return false }
        return skipSpaces(bytes)
    }

    private mutating func skipSpaces(_ bytes: Span<UInt8>) -> Bool {
        let start = place.index
        var index = start
        loop: while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09: break
            case 0x0A:
                if !(place.followsCarriageReturn && place.lineStart == index) { place.line += 1 }
                place.lineStart = index + 1
                place.followsCarriageReturn = false
            case 0x0D:
                place.line += 1
                place.lineStart = index + 1
                place.followsCarriageReturn = true
            default: break loop
            }
            index += 1
        }
        place.index = index
        return index > start
    }

    // MARK: Scalars

    /// Reads a string and says whether it has escapes.
    ///
    /// The next byte is its opening quote.
    @inline(__always)
    mutating func string(_ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        let end = JSONStrings.end(in: bytes, from: place.index + 1)
        if end < bytes.count, bytes[end] == JSONStrings.quote {
            place.index = end + 1
            return false
        }
        try escapedString(bytes, from: end)
        return true
    }

    /// Reads the rest of a string, from its first escape on.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONStop) {
        var index = start
        while true {
            let byte = try byte(bytes, at: index)
            if byte == JSONStrings.quote { break }
            guard byte == JSONStrings.backslash else { throw .unexpected(at: index, wanted: .letter) }
            index = try escapeEnd(bytes, index)
            // Text that is escaped throughout has one escape after the other.
            if index < bytes.count, bytes[index] != JSONStrings.backslash {
                index = JSONStrings.end(in: bytes, from: index)
            }
        }
        place.index = index + 1
    }

    /// The index after the escape at the index.
    private func escapeEnd(_ bytes: Span<UInt8>, _ index: Int) throws(JSONStop) -> Int {
        switch try byte(bytes, at: index + 1) {
        case JSONStrings.quote, JSONStrings.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return index + 2
        case UInt8(ascii: "u"):
            let unit = try hexadecimal(bytes, index + 2)
            if unit & 0xFC00 == 0xDC00 { throw .unexpected(at: index + 2, wanted: .codePoint) }
            guard unit & 0xFC00 == 0xD800 else { return index + 6 }
            guard try byte(bytes, at: index + 6) == JSONStrings.backslash else {
                throw .unexpected(at: index + 6, wanted: .lowSurrogate)
            }
            guard try byte(bytes, at: index + 7) == UInt8(ascii: "u") else {
                throw .unexpected(at: index + 7, wanted: .lowSurrogate)
            }
            guard try hexadecimal(bytes, index + 8) & 0xFC00 == 0xDC00 else {
                throw .unexpected(at: index + 8, wanted: .lowSurrogate)
            }
            return index + 12
        default: throw .unexpected(at: index + 1, wanted: .escape)
        }
    }

    @inline(__always)
    private func hexadecimal(_ bytes: Span<UInt8>, _ index: Int) throws(JSONStop) -> UInt32 {
        if let unit = JSONStrings.hexadecimal(bytes, at: index) { return unit }
        for next in index..<(index + 4) {
            let isDigit = Unicode.Scalar(try byte(bytes, at: next)).properties.isASCIIHexDigit
            if !isDigit { throw .unexpected(at: next, wanted: .hexadecimal) }
        }
        throw .needsMore
    }

    /// Reads a number: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONStop) {
        var index = place.index
        if try byte(bytes, at: index) == UInt8(ascii: "-") { index += 1 }
        if try byte(bytes, at: index) == UInt8(ascii: "0") {
            index += 1
        } else {
            index = try digits(bytes, index)
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") { index = try digits(bytes, index + 1) }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let sign = try byte(bytes, at: index)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
            index = try digits(bytes, index)
        }
        // More digits may follow in the next window.
        if index == bytes.count, !isLast { throw .needsMore }
        place.index = index
    }

    /// The index after one or more digits.
    @inline(__always)
    private func digits(_ bytes: Span<UInt8>, _ start: Int) throws(JSONStop) -> Int {
        guard try byte(bytes, at: start) &- UInt8(ascii: "0") < 10 else {
            throw .unexpected(at: start, wanted: .digit)
        }
        var index = start + 1
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index
    }

    /// Reads `true`, `false` or `null`.
    mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONStop) {
        let count = word.utf8CodeUnitCount
        for offset in 0..<count {
            // In bounds: the offset is below the count of the word's code units.
            let wanted = unsafe word.utf8Start[offset]
            guard try byte(bytes, at: place.index + offset) == wanted else {
                throw .unexpected(at: place.index + offset, wanted: offset == 0 ? .value : .literal)
            }
        }
        place.index += count
    }

    /// Reads a value that is neither an object nor an array.
    mutating func scalar(_ first: UInt8, _ bytes: Span<UInt8>) throws(JSONStop) {
        switch first {
        case JSONStrings.quote: _ = try string(bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        case UInt8(ascii: "t"): try literal("true", bytes)
        case UInt8(ascii: "f"): try literal("false", bytes)
        case UInt8(ascii: "n"): try literal("null", bytes)
        default: throw .unexpected(at: place.index, wanted: .value)
        }
    }
}
