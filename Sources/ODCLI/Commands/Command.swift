import OpenData
import OpenDataCore
import OpenDataStore

/// A command as a value: made from the command line, then run.
protocol Command: Sendable {
    /// What help shows, and the flags that the command takes.
    static var help: Help { get }

    /// Reads the command line. Throws ``OpenDataError/Code/badArgument`` and ``OpenDataError/Code/unknownDataset``.
    init(_ words: [String], _ context: Context) throws(OpenDataError)

    /// Does the work. What it throws is shown and decides the exit status.
    func run(_ context: Context) async throws(OpenDataError)

    /// Does what waits for nothing, and returns the work that is left, if any is: all of it, unless declared.
    func begin(_ context: Context) throws(OpenDataError) -> Work?

    /// Sections of help that depend on the rest of the command line; none unless declared.
    static func extraHelp(_ words: [String], _ context: Context) -> [String]
}

/// What is left of a command, which may wait: for a host, a file, another thread.
typealias Work = @Sendable () async throws(OpenDataError) -> Void

extension Command {
    func begin(_ context: Context) throws(OpenDataError) -> Work? {
        { () async throws(OpenDataError) in try await run(context) }
    }

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { [] }
}

/// A command that knows its answer: no task or thread is started for it.
protocol AnswerCommand: Command {
    /// The text for standard output.
    func answer(_ context: Context) throws(OpenDataError) -> String
}

extension AnswerCommand {
    func run(_ context: Context) throws(OpenDataError) { try context.console.write(answer(context)) }

    func begin(_ context: Context) throws(OpenDataError) -> Work? {
        try run(context)
        return nil
    }
}

/// What commands work with.
struct Context: Sendable {
    /// Where they read and write.
    var console: Console
    /// The variables of the environment.
    var environment: Environment
    /// The data sets.
    var registry: Registry
    /// The network to use in place of the real one, for tests.
    var transport: (any Transport)?

    /// What outlasts a run is kept here.
    func cache(_ parsed: ParsedArguments) -> CacheDirectory {
        parsed[.cache].map { CacheDirectory(path: $0) } ?? .standard { environment[$0] }
    }

    /// The copies of downloads in there.
    func store(_ cache: CacheDirectory) -> SnapshotStore {
        SnapshotStore(cache) { [console] notice in console.tell("odctl: \(notice.message)") }
    }
}

/// The commands, in the order of help.
///
/// To add one, write it in a file of its own and add it here.
enum Commands {
    static let all: [any Command.Type] = [
        ListCommand.self, DescribeCommand.self, FetchCommand.self, ExportCommand.self, DiffCommand.self,
        SearchCommand.self, SchemaCommand.self, HistoryCommand.self, VerifyCommand.self, CacheCommand.self,
        CompletionsCommand.self, HelpCommand.self,
    ]

    /// The names of the commands.
    static var names: [String] { all.map { $0.help.name } }

    /// The command of that name.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` with the nearest name.
    static func named(_ name: String) throws(OpenDataError) -> any Command.Type {
        if let command = all.first(where: { $0.help.name == name }) { return command }
        throw unknown("command", name, among: names)
    }

    /// The error for a name that there is none of, with the nearest one and the list.
    static func unknown(_ what: String, _ name: String, among names: [String]) -> OpenDataError {
        let near = Spelling.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
        return OpenDataError(
            .badArgument, "there is no \(what) '\(name)'\(near) (known: \(names.joined(separator: ", ")))")
    }
}
