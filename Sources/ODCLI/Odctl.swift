public import OpenData
public import OpenDataCore

/// The command line `odctl`.
public enum Odctl {
    /// Runs a command line and returns the exit status.
    ///
    /// Data go to the console's output, everything else to its errors. Cancelling the task ends the work.
    /// - Parameters:
    ///   - arguments: The words after the program's name.
    ///   - environment: The variables of the environment by name.
    ///   - registry: The data sets; not made for command lines that need none.
    ///   - transport: The network to use in place of the real one.
    public static func run(
        arguments: [String], environment: [String: String], console: Console,
        registry: @autoclosure () -> Registry = .standard, transport: (any Transport)? = nil
    ) async -> Int32 {
        do throws(OpenDataError) {
            guard let name = arguments.first else {
                console.tell(MainHelp.text)
                return ExitStatus.usage.number
            }
            if name.utf8.first == UInt8(ascii: "-") {
                try console.write(try frontMatter(arguments))
                return ExitStatus.success.number
            }
            let command = try Commands.named(name)
            let words = Array(arguments.dropFirst())
            let context = Context(
                console: console, environment: environment, registry: registry(), transport: transport)
            if ParsedArguments.askForHelp(words) {
                try console.write(command.help.text(command.extraHelp(words, context)))
            } else {
                try await command.init(words, context).run(context)
            }
            return ExitStatus.success.number
        } catch {
            let status = ExitStatus(error)
            if status != .closedPipe { console.tell(ErrorReport.text(error, command: arguments.first)) }
            return status.number
        }
    }

    /// What flags in front of any command ask for.
    private static func frontMatter(_ words: [String]) throws(OpenDataError) -> String {
        let parsed = try ParsedArguments(words, flags: [.help, .version])
        try parsed.noOperands()
        return parsed.has(.help) ? MainHelp.text : Version.line + "\n"
    }
}
