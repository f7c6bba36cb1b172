/// Something that a caller may or must say when asking for a data set.
public struct Parameter: Sendable, Hashable {
    /// What values a parameter takes.
    public enum Kind: Sendable, Hashable {
        /// Any text.
        case text
        /// ASCII letters and digits only, such as a security's code.
        case code
        /// One of a list.
        case choice([String])
        /// A month as `2025-03`; with `range`, also `2025-01..2025-06`.
        case month(range: Bool)
        /// A day as `2025-03-31`.
        case date
        /// A whole number that is not negative.
        case count
        /// A year of the common era as `2025`.
        case year
        /// A value of a field, by which records are chosen once they are decoded: see ``RecordFilter``.
        case filter(field: String)
        /// A key that is never shown, taken from the environment variable if not given.
        case secret(environment: String)
    }

    /// The name, ASCII `snake_case`; on the command line `--kebab-case`.
    public var name: String
    /// What values it takes.
    public var kind: Kind
    /// What it is for, in one line of English.
    public var summary: String
    /// Whether a caller must give it.
    public var isRequired: Bool
    /// A value to show in help and errors.
    public var example: String?

    /// Makes a parameter.
    public init(_ name: String, _ kind: Kind, _ summary: String, required: Bool = false, example: String? = nil) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.isRequired = required
        self.example = example
    }

    /// The command-line flag: `--stock-no` for `stock_no`.
    public var flag: String { "--" + String(name.map { $0 == "_" ? "-" : $0 }) }

    /// Whether the value must never be shown.
    public var isSecret: Bool {
        if case .secret = kind { true } else { false }
    }

    /// Throws ``OpenDataError/Code/badArgument`` if the value is not one the parameter takes.
    public func validate(_ value: String) throws(OpenDataError) {
        func bad(_ expected: String) -> OpenDataError {
            OpenDataError(.badArgument, "\(flag) \(expected), not '\(value)'", field: name)
        }
        switch kind {
        case .text, .secret, .filter:
            if value.isEmpty { throw OpenDataError(.badArgument, "\(flag) must not be empty", field: name) }
        case .code:
            let isCode =
                !value.isEmpty
                && value.utf8.allSatisfy { byte in
                    byte &- 48 < 10 || (byte | 0x20) &- 97 < 26
                }
            if !isCode { throw bad("takes ASCII letters and digits" + (example.map { ", such as \($0)" } ?? "")) }
        case .choice(let choices):
            guard !choices.contains(value) else { return }
            let hint = Spelling.nearest(to: value, in: choices).map { "; did you mean '\($0)'?" } ?? "."
            throw OpenDataError(
                .badArgument, "\(flag) has no value '\(value)'\(hint) It takes \(choices.joined(separator: ", "))",
                field: name)
        case .month(let range):
            if Arguments.months(in: value, range: range) == nil {
                throw bad(
                    range ? "takes a month as 2025-03, or a range as 2025-01..2025-06" : "takes a month as 2025-03")
            }
        case .count:
            if value.isEmpty || value.utf8.count > 9 || !value.utf8.allSatisfy({ $0 &- 48 < 10 }) {
                throw bad("takes a whole number")
            }
        case .year:
            if value.utf8.count != 4 || !value.utf8.allSatisfy({ $0 &- 48 < 10 }) { throw bad("takes a year as 2025") }
        case .date:
            if CalendarDate(parsing: value) == nil { throw bad("takes a day as 2025-03-31") }
        }
    }
}
