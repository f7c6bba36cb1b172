/// What a document says beside its records.
struct JSONMembers: Sendable {
    /// The most members that are kept.
    static let maximumCount = 64
    /// The most bytes that a member may have to be kept.
    static let maximumLength = 1 << 14

    /// Texts by name; members of an object within are named `object.member`.
    private(set) var texts: [String: String] = [:]
    /// The names that were seen, kept or not, in order.
    private(set) var names: [String] = []

    /// Notes a name, for error messages.
    mutating func note(_ name: String) {
        if names.count < JSONMembers.maximumCount { names.append(name) }
    }

    /// Keeps a checked value: a scalar, an array of strings, or the scalars of an object.
    mutating func take(_ value: Span<UInt8>, as name: String) {
        guard value[0] == UInt8(ascii: "{") else { return keep(value, as: name) }
        // Checked before: what is thrown here is never seen, and would merely end the list.
        var scanner = JSONScanner(isLast: true)
        do throws(JSONStop) {
            try scanner.take(UInt8(ascii: "{"), value, else: .value)
            while texts.count < JSONMembers.maximumCount {
                scanner.skipSpace(value)
                if try scanner.peek(value) != JSONStrings.quote { break }
                let keyStart = scanner.place.index
                _ = try scanner.string(value)
                let key = JSONStrings.text(value, (keyStart + 1)..<(scanner.place.index - 1))
                scanner.skipSpace(value)
                try scanner.take(UInt8(ascii: ":"), value, else: .colon)
                scanner.skipSpace(value)
                let start = scanner.place.index
                _ = try scanner.skipValue(value, depth: 0)
                keep(value.extracting(start..<scanner.place.index), as: "\(name).\(key)")
                scanner.skipSpace(value)
                try scanner.take(UInt8(ascii: ","), value, else: .commaOrBrace)
            }
        } catch {}
    }

    private mutating func keep(_ value: Span<UInt8>, as name: String) {
        guard value.count <= JSONMembers.maximumLength, let text = JSONMembers.text(of: value) else { return }
        if texts.count < JSONMembers.maximumCount || texts[name] != nil { texts[name] = text }
    }

    /// The text of a scalar, or of an array of strings joined by line breaks.
    private static func text(of value: Span<UInt8>) -> String? {
        switch value[0] {
        case JSONStrings.quote: JSONStrings.text(value, 1..<(value.count - 1))
        case UInt8(ascii: "{"): nil
        case UInt8(ascii: "["): strings(of: value)?.joined(separator: "\n")
        default: JSONStrings.text(value, 0..<value.count)
        }
    }

    /// The elements of a checked array, if there are any and all are strings.
    static func strings(of value: Span<UInt8>) -> [String]? {
        guard value[0] == UInt8(ascii: "[") else { return nil }
        var strings: [String] = []
        var scanner = JSONScanner(isLast: true)
        scanner.place.index = 1
        do throws(JSONStop) {
            while true {
                scanner.skipSpace(value)
                let start = scanner.place.index
                guard try scanner.peek(value) == JSONStrings.quote else { return nil }
                _ = try scanner.string(value)
                strings.append(JSONStrings.text(value, (start + 1)..<(scanner.place.index - 1)))
                scanner.skipSpace(value)
                if try scanner.peek(value) == UInt8(ascii: "]") { return strings }
                scanner.place.index += 1
            }
        } catch { return nil }
    }
}
