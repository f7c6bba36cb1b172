import OpenDataCore

/// The words of a command line, told apart into flags and operands.
struct ParsedArguments: Sendable, Hashable {
    /// What is no flag and no flag's value, in order.
    private(set) var operands: [String] = []
    // Values by the flag's name; a flag without a value has one empty value.
    private var values: [String: [String]] = [:]

    /// Tells the words apart.
    ///
    /// A flag's value is the next word, or follows `=` in the same one. A next word that begins with a dash is no
    /// value, but for `-` alone. After `--` every word is an operand. Throws ``OpenDataError/Code/badArgument``.
    /// - Parameters:
    ///   - flags: The flags that count; of two with one name the first.
    ///   - suggestions: The flags that a wrong one is compared with; those that count unless given.
    init(_ words: [String], flags: [Flag], suggestions: [Flag]? = nil) throws(OpenDataError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let flag = flags.first(where: { $0.name == name || $0.short == name }) else {
                throw ParsedArguments.unknown(name, suggestions ?? flags)
            }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if flag.value == nil {
                guard value == nil else { throw OpenDataError(.badArgument, "\(name) takes no value") }
            } else if value == nil, let next = rest.first, next == "-" || next.utf8.first != UInt8(ascii: "-") {
                value = rest.removeFirst()
            }
            try add(flag, value)
        }
    }

    private mutating func add(_ flag: Flag, _ value: String?) throws(OpenDataError) {
        if let name = flag.value, value?.isEmpty ?? true {
            throw OpenDataError(.badArgument, "\(flag.name) needs a value: \(flag.name) \(name)")
        }
        guard flag.repeats || values[flag.name] == nil else {
            throw OpenDataError(.badArgument, "\(flag.name) is given twice")
        }
        values[flag.name, default: []].append(value ?? "")
    }

    private static func unknown(_ name: String, _ flags: [Flag]) -> OpenDataError {
        let word = String(name.drop { $0 == "-" })
        let near = Spelling.nearest(to: word, in: flags.map(\.word)).map { "; did you mean '--\($0)'?" } ?? ""
        return OpenDataError(.badArgument, "there is no flag '\(name)'\(near)")
    }

    /// Whether the words ask for help rather than for the work.
    static func askForHelp(_ words: some Sequence<String>) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == Flag.help.name || $0 == Flag.help.short }
    }

    /// Whether the flag was given.
    func has(_ flag: Flag) -> Bool { values[flag.name] != nil }

    /// The names of the flags given, sorted.
    var names: [String] { values.keys.sorted() }

    /// The value of a flag, the last if it repeats, or `nil` if it was not given.
    subscript(_ flag: Flag) -> String? { values[flag.name]?.last }

    /// The values of a flag, in order.
    func all(_ flag: Flag) -> [String] { values[flag.name] ?? [] }

    /// The one operand.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` if there is none, or more; `what` says what it is.
    func operand(_ what: String) throws(OpenDataError) -> String {
        guard let first = operands.first else { throw OpenDataError(.badArgument, "\(what) is needed") }
        guard operands.count == 1 else {
            throw OpenDataError(.badArgument, "'\(operands[1])' is one word too many after '\(first)'")
        }
        return first
    }

    /// Throws ``OpenDataError/Code/badArgument`` if there is an operand.
    func noOperands() throws(OpenDataError) {
        guard let first = operands.first else { return }
        throw OpenDataError(.badArgument, "'\(first)' is one word too many")
    }
}
