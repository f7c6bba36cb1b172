import OpenDataCore

/// A flag of a command, declared once: the parser and the help text are made from it.
struct Flag: Sendable, Hashable {
    /// The name with its dashes, `--format`.
    let name: String
    /// A name of one letter, `-p`.
    let short: String?
    /// What the value is called in help, `FORMAT`; `nil` for a flag without a value.
    let value: String?
    /// Whether it may be given more than once.
    let repeats: Bool
    /// What it does, in a line or two.
    let summary: String

    init(_ name: String, short: String? = nil, value: String? = nil, repeats: Bool = false, _ summary: String) {
        self.name = name
        self.short = short
        self.value = value
        self.repeats = repeats
        self.summary = summary
    }

    /// The flag of a data set's parameter.
    init(_ parameter: Parameter) {
        self.init(parameter.flag, value: parameter.valueName, parameter.summary)
    }

    /// The flag as help shows it, `-p, --parameter NAME=VALUE`.
    var usage: String { (short.map { "\($0), " } ?? "") + name + (value.map { " \($0)" } ?? "") }

    /// The name without dashes, by which slips are told.
    var word: String { String(name.drop { $0 == "-" }) }
}
