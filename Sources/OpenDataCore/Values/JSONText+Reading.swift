extension JSONText {
    /// Reads a document that this type has written, or one like it: at most 64 levels deep, whole numbers only.
    ///
    /// `nil` for anything else, such as a document that ends early. Data are read by the decoders of the formats, not by
    /// this.
    package init?(parsing text: String) {
        var reader = Reader(bytes: Array(text.utf8))
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
        default: return integer()
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

    private mutating func integer() -> JSONText? {
        let start = index
        while let byte = next, byte &- 48 < 10 || byte == UInt8(ascii: "-") { index += 1 }
        return Int(String(decoding: bytes[start..<index], as: UTF8.self)).map { .integer($0) }
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
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            guard index + 4 <= bytes.count else { return nil }
            let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
            index += 4
            // Pairs of surrogates are never written here.
            return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
        default: return nil
        }
    }
}
