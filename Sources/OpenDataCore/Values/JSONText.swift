/// A JSON document in the making: members stay in order, slashes are not escaped, every run gives the same bytes.
package enum JSONText: Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// Any other number, by its literal.
    case literal(String)
    case string(String)
    case array([JSONText])
    case object([(name: String, value: JSONText)])

    /// A string, or null.
    package static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// An array of strings.
    package static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    /// The document, indented by two spaces a level, with a line break at the end.
    package var document: String {
        var result = ""
        append(to: &result, indent: "")
        return result + "\n"
    }

    /// The document on one line, with a line break at the end.
    package var line: String {
        var result = ""
        append(to: &result)
        return result + "\n"
    }

    private func append(to result: inout String) {
        switch self {
        case .null, .boolean, .integer, .literal, .string: append(to: &result, indent: "")
        case .array(let elements):
            result += "["
            for (number, element) in elements.enumerated() {
                if number > 0 { result += "," }
                element.append(to: &result)
            }
            result += "]"
        case .object(let members):
            result += "{"
            for (number, member) in members.enumerated() {
                if number > 0 { result += "," }
                JSONText.append(member.name, to: &result)
                result += ":"
                member.value.append(to: &result)
            }
            result += "}"
        }
    }

    private func append(to result: inout String, indent: String) {
        switch self {
        case .null: result += "null"
        case .boolean(let truth): result += truth ? "true" : "false"
        case .integer(let number): result += String(number)
        case .literal(let number): result += number
        case .string(let text): JSONText.append(text, to: &result)
        case .array(let elements):
            JSONText.append(elements, "[", "]", to: &result, indent) { element, result, inner in
                element.append(to: &result, indent: inner)
            }
        case .object(let members):
            JSONText.append(members, "{", "}", to: &result, indent) { member, result, inner in
                JSONText.append(member.name, to: &result)
                result += ": "
                member.value.append(to: &result, indent: inner)
            }
        }
    }

    private static func append<Item>(
        _ items: [Item], _ open: String, _ close: String, to result: inout String, _ indent: String,
        _ write: (Item, inout String, String) -> Void
    ) {
        result += open
        let inner = indent + "  "
        for (number, item) in items.enumerated() {
            result += (number == 0 ? "\n" : ",\n") + inner
            write(item, &result, inner)
        }
        result += (items.isEmpty ? "" : "\n" + indent) + close
    }

    private static func append(_ text: String, to result: inout String) {
        result += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        result += "\""
    }
}
