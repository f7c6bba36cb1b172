import OpenDataCore

/// Reads the tokens of a window of XML, strictly by XML 1.0 (fifth edition).
///
/// Every method reads at the scanner's index and moves it past what was read. One that throws may leave the index
/// anywhere; the caller goes back to where it was.
struct XMLScanner {
    /// An attribute of a tag.
    struct Attribute: XMLQualified {
        /// What an attribute tells of.
        enum Role {
            /// The data.
            case data
            /// A namespace.
            case declaration
            /// The type of the element, in the words of XML Schema.
            case instance
        }

        /// The name with its prefix.
        var name: Range<Int>
        /// Where the name begins behind its prefix.
        var local: Int
        /// The value between its quotes.
        var value: Range<Int>
        /// Whether the value is what stands there: no references, line ends or tabs.
        var isPlain: Bool
        /// What it tells of, as far as that is known.
        var role = Role.data
    }

    /// A start tag or the tag of an empty element; its attributes are the scanner's.
    struct Tag: XMLQualified {
        /// The name with its prefix.
        var name: Range<Int>
        /// Where the name begins behind its prefix.
        var local: Int
        /// Whether the tag is that of an empty element, `<a/>`.
        var isEmpty: Bool
    }

    /// Characters up to the next tag.
    struct Text {
        /// The characters.
        var range: Range<Int>
        /// Whether they are white space.
        var isBlank: Bool
        /// Whether they are what stands there: no references, and no carriage returns.
        var isPlain: Bool
    }

    /// The most attributes of a tag.
    static let maximumAttributes = 2048

    /// Where the scanner is.
    var index = 0
    /// The attributes of the tags that were read, until the caller removes them.
    var attributes: [Attribute] = []

    // MARK: Bytes

    /// The next byte, which stays unread.
    @inline(__always)
    func peek(_ bytes: Span<UInt8>) throws(XMLStop) -> UInt8 { try byte(bytes, at: index) }

    @inline(__always)
    func byte(_ bytes: Span<UInt8>, at index: Int) throws(XMLStop) -> UInt8 {
        guard index < bytes.count else { throw .needsMore }
        return bytes[index]
    }

    /// Reads bytes that must stand here.
    mutating func take(_ text: StaticString, _ bytes: Span<UInt8>) throws(XMLStop) {
        for offset in 0..<text.utf8CodeUnitCount {
            // In bounds: the offset is below the count of the text's code units.
            let wanted = unsafe text.utf8Start[offset]
            guard try byte(bytes, at: index + offset) == wanted else {
                throw .unexpected(at: index + offset, wanted: "'\(text)'")
            }
        }
        index += text.utf8CodeUnitCount
    }

    /// Whether the text stands here, which stays unread.
    func isAt(_ text: StaticString, _ bytes: Span<UInt8>) throws(XMLStop) -> Bool {
        for offset in 0..<text.utf8CodeUnitCount {
            // In bounds: the offset is below the count of the text's code units.
            let wanted = unsafe text.utf8Start[offset]
            guard try byte(bytes, at: index + offset) == wanted else { return false }
        }
        return true
    }

    /// Passes white space and says whether there was any.
    @inline(__always)
    @discardableResult
    mutating func skipSpace(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        while index < bytes.count, XMLCharacters.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    /// Reads white space that must stand here.
    mutating func takeSpace(_ bytes: Span<UInt8>) throws(XMLStop) {
        _ = try peek(bytes)
        guard skipSpace(bytes) else { throw .unexpected(at: index, wanted: "white space") }
    }

    // MARK: Names

    /// Reads a name; returns where it begins behind its prefix.
    mutating func name(_ bytes: Span<UInt8>, _ what: String) throws(XMLStop) -> Int {
        let start = index
        var local = start
        while true {
            let byte = try peek(bytes)
            if byte < 0x80 {
                if index == local {
                    guard XMLCharacters.beginsName(byte), byte != UInt8(ascii: ":") else {
                        throw .unexpected(at: index, wanted: what)
                    }
                } else if !XMLCharacters.continuesName(byte) {
                    return local
                } else if byte == UInt8(ascii: ":") {
                    guard local == start else { throw .broken(at: index, "a name has two colons") }
                    local = index + 1
                }
                index += 1
            } else {
                let (scalar, length) = try scalar(bytes)
                if index == local {
                    guard XMLCharacters.beginsName(scalar) else { throw .unexpected(at: index, wanted: what) }
                } else if !XMLCharacters.continuesName(scalar) {
                    return local
                }
                index += length
            }
        }
    }

    /// The scalar that stands here.
    private func scalar(_ bytes: Span<UInt8>) throws(XMLStop) -> (Unicode.Scalar, Int) {
        if let found = UTF8Scalar.decode(bytes, at: index, end: bytes.count) { return (found.scalar, found.length) }
        // The text is checked to be UTF-8, so a scalar that is not whole goes on in the next window.
        if bytes.count - index < 4 { throw .needsMore }
        throw .broken(at: index, "a letter is not UTF-8")
    }

    // MARK: Characters

    /// Passes characters of content up to a `<`, which has to come.
    mutating func text(_ bytes: Span<UInt8>) throws(XMLStop) -> Text {
        let start = index
        var isPlain = true
        while index < bytes.count, XMLCharacters.isSpace(bytes[index]) {
            if bytes[index] == 0x0D { isPlain = false }
            index += 1
        }
        if try peek(bytes) == UInt8(ascii: "<") { return Text(range: start..<index, isBlank: true, isPlain: isPlain) }
        while true {
            index = ByteScan.firstIndex(in: bytes, index..<bytes.count) { word in
                ByteScan.bytes(of: word, lessThan: 0x20) | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "<"))
                    | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "&"))
                    | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "]")) | ByteScan.bytes(of: word, equalTo: 0xEF)
            }
            switch try peek(bytes) {
            case UInt8(ascii: "<"): return Text(range: start..<index, isBlank: false, isPlain: isPlain)
            case UInt8(ascii: "&"):
                _ = try reference(bytes)
                isPlain = false
            case UInt8(ascii: "]"):
                if try byte(bytes, at: index + 1) == UInt8(ascii: "]"),
                    try byte(bytes, at: index + 2) == UInt8(ascii: ">")
                {
                    throw .broken(at: index, "']]>' stands in text, where '>' has to be written as '&gt;'")
                }
                index += 1
            case 0x0D:
                isPlain = false
                index += 1
            default: try character(bytes)
            }
        }
    }

    /// Passes one byte of a character, or more, that a document may hold.
    @inline(__always)
    mutating func character(_ bytes: Span<UInt8>) throws(XMLStop) {
        let byte = try peek(bytes)
        if byte < 0x20, !XMLCharacters.isSpace(byte) {
            throw .broken(
                at: index, "the control character 0x\(String(byte, radix: 16, uppercase: true)) is not allowed")
        }
        if byte == 0xEF, try self.byte(bytes, at: index + 1) == 0xBF, try self.byte(bytes, at: index + 2) >= 0xBE {
            throw .broken(at: index, "the character U+FFFE or U+FFFF is not allowed")
        }
        index += 1
    }

    /// Reads a reference, `&amp;` or `&#x9F8D;`, and returns its character.
    mutating func reference(_ bytes: Span<UInt8>) throws(XMLStop) -> Unicode.Scalar {
        let start = index
        index += 1
        if try peek(bytes) == UInt8(ascii: "#") { return try number(bytes, start) }
        let nameStart = index
        _ = try name(bytes, "the name of an entity, or '&amp;' in place of '&'")
        guard try peek(bytes) == UInt8(ascii: ";") else {
            throw .unexpected(at: index, wanted: "';' behind the name of an entity")
        }
        let name = XMLText.string(bytes, nameStart..<index)
        index += 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            throw .broken(
                at: start,
                "the entity '&\(name.prefix(40));' is none of XML's own (amp, lt, gt, quot, apos); "
                    + "others are not expanded"
            )
        }
    }

    /// Reads the rest of a reference to a character by its number, from the `#` on.
    private mutating func number(_ bytes: Span<UInt8>, _ start: Int) throws(XMLStop) -> Unicode.Scalar {
        index += 1
        let isHexadecimal = try peek(bytes) == UInt8(ascii: "x")
        if isHexadecimal { index += 1 }
        let base: UInt32 = isHexadecimal ? 16 : 10
        var value: UInt32 = 0
        var isFirst = true
        while true {
            let byte = try peek(bytes)
            if byte == UInt8(ascii: ";"), !isFirst { break }
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal:
                digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal:
                digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: throw .unexpected(at: index, wanted: "a digit of the number of a character, or ';'")
            }
            value = min(value * base + digit, 0x11_0000)
            isFirst = false
            index += 1
        }
        index += 1
        guard XMLCharacters.isAllowed(value), let scalar = Unicode.Scalar(value) else {
            throw .broken(at: start, "the number of a character is not one that a document may hold")
        }
        return scalar
    }
}

/// What has a name that may have a prefix, `cwb:location`.
protocol XMLQualified {
    /// The name with its prefix.
    var name: Range<Int> { get }
    /// Where the name begins behind its prefix.
    var local: Int { get }
}

extension XMLQualified {
    /// The name without its prefix.
    var localName: Range<Int> { local..<name.upperBound }
    /// The prefix; empty where there is none.
    var prefix: Range<Int> { name.lowerBound..<max(local - 1, name.lowerBound) }
}
