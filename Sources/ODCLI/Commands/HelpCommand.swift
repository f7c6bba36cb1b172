import OpenDataCore

/// `odctl help`: the help of the whole, of a command, or the exit statuses.
struct HelpCommand: AnswerCommand {
    static let help = Help(
        name: "help", summary: "Show help on a command, or the exit statuses",
        usage: ["odctl help", "odctl help COMMAND", "odctl help exit-status"])

    private let text: String

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: HelpCommand.help.flags)
        text = parsed.operands.isEmpty ? MainHelp.text : try HelpCommand.text(on: parsed.operand("a command"), context)
    }

    func answer(_ context: Context) -> String { text }

    /// The topic that is no command.
    static let exitStatus = "exit-status"

    private static func text(on topic: String, _ context: Context) throws(OpenDataError) -> String {
        let names = Commands.names + [exitStatus]
        guard names.contains(topic) else { throw Commands.unknown("help on", topic, among: names) }
        if topic == exitStatus { return exitStatusText }
        let command = try Commands.named(topic)
        return command.help.text(command.extraHelp([], context))
    }

    private static var exitStatusText: String {
        let rows = ExitStatus.table.map { status in
            let number = String(status.number)
            let codes = status.codes.map(\.rawValue).joined(separator: ", ")
            return (
                number + String(repeating: " ", count: 5 - number.count) + status.name,
                status.meaning + (codes.isEmpty ? "" : " (\(codes))")
            )
        }
        return """
            What odctl says when it ends.

            \(Help.section("Statuses", Help.rows(rows, width: 21)))

            The words in brackets are those that follow 'odctl:' in an error.

            """
    }
}
