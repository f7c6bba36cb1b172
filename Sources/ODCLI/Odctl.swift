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
        switch begin(
            arguments: arguments, environment: Environment(environment), console: console, registry: registry(),
            transport: transport)
        {
        case .ended(let status): status
        case .left(let work): await work()
        }
    }

    /// How far a command line comes without waiting for anything.
    enum Beginning {
        /// To its end, with an exit status.
        case ended(Int32)
        /// To work that may wait and gives the exit status.
        case left(@Sendable () async -> Int32)
    }

    /// Does what needs no task, as ``run(arguments:environment:console:registry:transport:)`` says.
    static func begin(
        arguments: [String], environment: Environment, console: Console, registry: @autoclosure () -> Registry,
        transport: (any Transport)?
    ) -> Beginning {
        do throws(OpenDataError) {
            guard let name = arguments.first else {
                console.tell(MainHelp.text)
                return .ended(ExitStatus.usage.number)
            }
            if name.utf8.first == UInt8(ascii: "-") {
                try console.write(try frontMatter(arguments))
                return .ended(ExitStatus.success.number)
            }
            let command = try Commands.named(name)
            let words = Array(arguments.dropFirst())
            let context = Context(
                console: console, environment: environment, registry: registry(), transport: transport)
            if ParsedArguments.askForHelp(words) {
                try console.write(command.help.text(command.extraHelp(words, context)))
            } else if let work = try command.init(words, context).begin(context) {
                return .left {
                    do throws(OpenDataError) {
                        try await work()
                        return ExitStatus.success.number
                    } catch {
                        return status(error, name, console)
                    }
                }
            }
            return .ended(ExitStatus.success.number)
        } catch {
            return .ended(status(error, arguments.first, console))
        }
    }

    /// Tells an error and returns the exit status that it stands for.
    private static func status(_ error: OpenDataError, _ command: String?, _ console: Console) -> Int32 {
        let status = ExitStatus(error)
        if status != .closedPipe { console.tell(ErrorReport.text(error, command: command)) }
        return status.number
    }

    /// What flags in front of any command ask for.
    private static func frontMatter(_ words: [String]) throws(OpenDataError) -> String {
        let parsed = try ParsedArguments(words, flags: [.help, .version])
        try parsed.noOperands()
        return parsed.has(.help) ? MainHelp.text : Version.line + "\n"
    }
}
