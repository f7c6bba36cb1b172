import OpenDataCore
import OpenDataFormats

/// A slow and simple reading of JSON, to compare with: recursive, by Unicode scalars, the whole document as a tree.
struct JSONReference {
    indirect enum Tree {
        case null
        case boolean(Bool)
        case number(String)
        /// The text, and how it was written.
        case string(String, String)
        case array([Tree])
        case object([(key: (String, String), value: Tree)])

        /// The value on one line, strings and numbers as written.
        var minified: String {
            switch self {
            case .null: "null"
            case .boolean(let value): value ? "true" : "false"
            case .number(let literal): literal
            case .string(_, let raw): raw
            case .array(let elements): "[" + elements.map(\.minified).joined(separator: ",") + "]"
            case .object(let members):
                "{" + members.map { "\($0.key.1):\($0.value.minified)" }.joined(separator: ",") + "}"
            }
        }

        var value: Value {
            switch self {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .number(let literal): .number(literal)
            case .string(let text, _): .text(text)
            case .array, .object: .json(minified)
            }
        }
    }

    struct Refused: Error {}

    private var scalars: [Unicode.Scalar]
    private var index = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Whether the text is a document of RFC 8259.
    static func isDocument(_ text: String) -> Bool { (try? values(text))?.count == 1 }

    /// The values of a text, one after the other.
    static func values(_ text: String) throws -> [Tree] {
        var reader = JSONReference(text)
        var values: [Tree] = []
        reader.space()
        while reader.index < reader.scalars.count {
            values.append(try reader.value())
            reader.space()
        }
        return values
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func space() {
        while let next, " \t\r\n".unicodeScalars.contains(next) { index += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) throws {
        guard next == scalar else { throw Refused() }
        index += 1
    }

    private mutating func value() throws -> Tree {
        switch next {
        case "{":
            var members: [(key: (String, String), value: Tree)] = []
            index += 1
            space()
            while next != "}" {
                if !members.isEmpty {
                    try take(",")
                    space()
                }
                let key = try string()
                space()
                try take(":")
                space()
                members.append((key, try value()))
                space()
            }
            index += 1
            return .object(members)
        case "[":
            var elements: [Tree] = []
            index += 1
            space()
            while next != "]" {
                if !elements.isEmpty {
                    try take(",")
                    space()
                }
                elements.append(try value())
                space()
            }
            index += 1
            return .array(elements)
        case "\"":
            let (text, raw) = try string()
            return .string(text, raw)
        default:
            let start = index
            while let next, next.isASCII, next.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(next)
            {
                index += 1
            }
            let word = String(String.UnicodeScalarView(scalars[start..<index]))
            switch word {
            case "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default: return .number(try number(word, from: start))
            }
        }
    }

    /// The longest number at the start of the word; what is left of the word is left to be read.
    private mutating func number(_ word: String, from start: Int) throws -> String {
        guard let match = word.prefixMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) else {
            throw Refused()
        }
        index = start + match.output.0.count
        // A number must be followed by something that ends it: what begins like a fraction or an exponent does not.
        if let next, ".eE+-0123456789".unicodeScalars.contains(next) { throw Refused() }
        return String(match.output.0)
    }

    private mutating func string() throws -> (String, String) {
        let start = index
        try take("\"")
        var units: [UInt16] = []
        while let scalar = next, scalar != "\"" {
            index += 1
            guard scalar.value >= 0x20 else { throw Refused() }
            guard scalar == "\\" else {
                units += Array(String(Character(scalar)).utf16)
                continue
            }
            guard let letter = next else { throw Refused() }
            index += 1
            if letter == "u" {
                guard index + 4 <= scalars.count else { throw Refused() }
                let digits = scalars[index..<(index + 4)]
                guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
                    let unit = UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
                else { throw Refused() }
                units.append(unit)
                index += 4
            } else {
                let plain: [Unicode.Scalar: UInt16] = [
                    "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
                ]
                guard let unit = plain[letter] else { throw Refused() }
                units.append(unit)
            }
        }
        try take("\"")
        guard let text = String(validating: units, as: UTF16.self) else { throw Refused() }
        return (text, String(String.UnicodeScalarView(scalars[start..<index])))
    }
}
