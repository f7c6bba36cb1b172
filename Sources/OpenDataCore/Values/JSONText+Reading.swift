extension JSONText {
    /// Reads a document about data, at most 64 levels deep: a record of this package, or what a portal says of a data
    /// set.
    ///
    /// `nil` for anything else, such as a document that ends early. Data are read by the decoders of the formats, not
    /// by this.
    package init?(parsing text: String) { self.init(parsing: Array(text.utf8)) }

    /// Reads a document from UTF-8, with or without a byte order mark: see ``init(parsing:)-(String)``.
    package init?(parsing bytes: [UInt8]) {
        var reader = Reader(bytes: bytes, index: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpaces()
        guard reader.index == reader.bytes.count else { return nil }
        self = value
    }

    /// The member of an object, the first of that name.
    package subscript(_ name: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string.
    package var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The text of a string, or the literal of a number.
    package var scalar: String? {
        switch self {
        case .string(let text), .literal(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
    /// The number of an integer.
    package var number: Int? { if case .integer(let number) = self { number } else { nil } }
    /// The truth of a boolean.
    package var truth: Bool? { if case .boolean(let truth) = self { truth } else { nil } }
    /// The elements of an array.
    package var elements: [JSONText]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members of an object, in order.
    package var members: [(name: String, value: JSONText)]? {
        if case .object(let members) = self { members } else { nil }
    }
}

/// A cursor over the bytes of a document.
private struct Reader {
    let bytes: [UInt8]
    var index = 0

    private static let deepest = 64

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpaces()
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func word(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    mutating func value(depth: Int) -> JSONText? {
        guard depth < Reader.deepest else { return nil }
        skipSpaces()
        switch next {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        case UInt8(ascii: "t"): return word("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .boolean(false) : nil
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONText? {
        index += 1
        var members: [(name: String, value: JSONText)] = []
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpaces()
            guard next == UInt8(ascii: "\""), let name = string(), take(UInt8(ascii: ":")),
                let value = value(depth: depth + 1)
            else { return nil }
            members.append((name, value))
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func array(_ depth: Int) -> JSONText? {
        index += 1
        var elements: [JSONText] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    /// A number by the grammar of JSON: no zeros in front of it, digits on both sides of its point.
    private mutating func number() -> JSONText? {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let first = next
        guard let count = digits(), first != UInt8(ascii: "0") || count == 1 else { return nil }
        if next == UInt8(ascii: ".") {
            index += 1
            guard digits() != nil else { return nil }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() != nil else { return nil }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if let number = Int(text), text != "-0" { return .integer(number) }
        return ExactDecimal(text) != nil ? .literal(text) : nil
    }

    /// Passes digits and returns how many there are; `nil` for none.
    private mutating func digits() -> Int? {
        let start = index
        while let byte = next, byte &- 48 < 10 { index += 1 }
        return index > start ? index - start : nil
    }

    private mutating func string() -> String? {
        index += 1
        var result: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let text = String(decoding: result, as: UTF8.self)
                return text.utf8.elementsEqual(result) ? text : nil
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                result += escaped
            case 0..<0x20: return nil
            default: result.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard let byte = next else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            guard let first = unit() else { return nil }
            guard 0xD800..<0xDC00 ~= first else { return Unicode.Scalar(first).map { Array(String($0).utf8) } }
            // The other half of a pair of surrogates.
            guard word("\\u"), let second = unit(), 0xDC00..<0xE000 ~= second else { return nil }
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            return scalar.map { Array(String($0).utf8) }
        default: return nil
        }
    }

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt32? {
        // (Without a look at the first, a sign would be taken for a digit.)
        guard index + 4 <= bytes.count, bytes[index] != UInt8(ascii: "+"), bytes[index] != UInt8(ascii: "-") else {
            return nil
        }
        let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
        index += 4
        return UInt32(digits, radix: 16)
    }
}
