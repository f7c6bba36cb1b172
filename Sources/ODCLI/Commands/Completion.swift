import OpenData
import OpenDataCore
import OpenDataFormats

/// What may stand next on a command line: what a shell offers when Tab is pressed.
enum Completion {
    /// The words that may take the last one's place, which is what has been typed of it so far; none where it is a
    /// file's name or anything else that only the person knows.
    ///
    /// - Parameter words: The words behind `odctl`.
    static func candidates(_ words: [String], _ context: Context) -> [String] {
        guard let typed = words.last else { return [] }
        return all(words.dropLast(), typed, context).filter { $0.utf8.starts(with: typed.utf8) }
    }

    private static func all(_ before: ArraySlice<String>, _ typed: String, _ context: Context) -> [String] {
        guard let name = before.first else {
            return isFlag(typed) ? [Flag.help.name, Flag.version.name] : Commands.names
        }
        guard let command = try? Commands.named(name) else { return [] }
        let words = before.dropFirst()
        if words.contains("--") { return [] }
        let source = context.registry.all.first { words.contains($0.dataset.id) }
        let parameters = takesParameters(command) ? source?.dataset.parameters ?? [] : []
        let flags = command.help.flags + parameters.map(Flag.init) + [.help]
        if let last = words.last, let flag = flags.first(where: { $0.name == last || $0.short == last }),
            flag.value != nil
        {
            return values(of: flag, parameters)
        }
        if isFlag(typed) { return flags.filter { $0.repeats || !words.contains($0.name) }.map(\.name) }
        return operands(of: command, given: source != nil, context)
    }

    private static func values(of flag: Flag, _ parameters: [Parameter]) -> [String] {
        if flag == .format { return EncoderRegistry.standard.names }
        if flag == .parameter { return parameters.map { $0.name + "=" } }
        guard let parameter = parameters.first(where: { $0.flag == flag.name }),
            case .choice(let choices) = parameter.kind
        else { return [] }
        return choices
    }

    /// What a command takes beside flags.
    private static func operands(of command: any Command.Type, given: Bool, _ context: Context) -> [String] {
        if command is HelpCommand.Type { return Commands.names + [HelpCommand.exitStatus] }
        if command is CompletionsCommand.Type { return CompletionsCommand.shells }
        let takesDataset = command.help.usage.contains { $0.holds(" ID") }
        return takesDataset && !given ? context.registry.all.map(\.dataset.id) : []
    }

    private static func takesParameters(_ command: any Command.Type) -> Bool {
        command.help.flags.contains(.parameter)
    }

    private static func isFlag(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }
}
