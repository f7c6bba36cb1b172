/// Says whether bytes are JSON by RFC 8259, as plainly as it can be said, and nothing else.
///
/// Surrogates have to come in pairs, since half a letter is no text.
struct JSONJudge {
    private let bytes: [UInt8]
    private var index = 0

    /// Whether the bytes are one value, or an object and any values behind it, which are rejected if they are no
    /// objects.
    static func isJSON(_ bytes: [UInt8], orSequence: Bool) -> Bool {
        var judge = JSONJudge(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { judge.index = 3 }
        judge.skipSpace()
        let mayGoOn = orSequence && judge.next == UInt8(ascii: "{")
        repeat {
            guard judge.value() else { return false }
            judge.skipSpace()
        } while mayGoOn && judge.index < bytes.count
        return judge.index == bytes.count
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func value() -> Bool {
        switch next {
        case UInt8(ascii: "{"): list(closing: "}") { $0.string() && $0.takeColon() && $0.value() }
        case UInt8(ascii: "["): list(closing: "]") { $0.value() }
        case UInt8(ascii: "\""): string()
        default: take("true") || take("false") || take("null") || number()
        }
    }

    private mutating func takeColon() -> Bool {
        skipSpace()
        guard take(":") else { return false }
        skipSpace()
        return true
    }

    private mutating func list(closing: String, _ element: (inout JSONJudge) -> Bool) -> Bool {
        index += 1
        skipSpace()
        if take(closing) { return true }
        while true {
            skipSpace()
            guard element(&self) else { return false }
            skipSpace()
            if take(closing) { return true }
            guard take(",") else { return false }
        }
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0"), digits() == 0 { return false }
        if take("."), digits() == 0 { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits() > 0
        }
        return true
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, 0x30...0x39 ~= byte { index += 1 }
        return index - start
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = next {
            if take("\"") { return true }
            if byte < 0x20 { return false }
            guard take("\\") else {
                index += 1
                continue
            }
            if take("u") {
                guard let unit = unit() else { return false }
                if 0xDC00...0xDFFF ~= unit { return false }
                if 0xD800...0xDBFF ~= unit {
                    guard take("\\u"), let low = self.unit(), 0xDC00...0xDFFF ~= low else { return false }
                }
            } else {
                guard let escape = next, Array("\"\\/bfnrt".utf8).contains(escape) else { return false }
                index += 1
            }
        }
        return false
    }

    private mutating func unit() -> Int? {
        var unit = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit * 16 + digit
            index += 1
        }
        return unit
    }
}
