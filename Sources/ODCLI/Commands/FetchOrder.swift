import OpenData
import OpenDataCore
import OpenDataFormats
import OpenDataStore
import OpenDataTransports

/// What `fetch` and `export` have in common: which data set, from where, with which options.
struct FetchOrder: Sendable {
    /// The command line, for the flags that only one of the commands has.
    let parsed: ParsedArguments
    /// The data set.
    let source: any DataSource
    /// How many rejected records are accepted.
    let allowedRejects: Int
    /// What happens to what does not fit.
    let rejectPolicy: FetchOptions.RejectPolicy
    /// How many threads decode and encode, if it was said.
    private let threads: Int?
    /// Whether only errors are told.
    let isQuiet: Bool

    private let arguments: Arguments
    private let rewrites: [RewriteRule]
    private let authorities: [String: String]
    private let timeout: Duration?
    private let cache: CachePolicy

    /// Reads the command line; `flags` are those of the command.
    ///
    /// The flags of parameters are only known once the data set is, which may stand behind them. So those of every data
    /// set are taken first, and the ones of others refused then.
    init(_ words: [String], flags: [Flag], _ context: Context) throws(OpenDataError) {
        let sources = context.registry.all
        let all = flags + [.help]
        let named = sources.first { words.contains($0.dataset.id) }
        parsed = try ParsedArguments(
            words, flags: all + sources.flatMap { $0.dataset.parameters.map(Flag.init) },
            suggestions: all + (named.map { [$0] } ?? sources).flatMap { $0.dataset.parameters.map(Flag.init) })
        source = try context.registry.source(parsed.operand("the id of a data set"))
        isQuiet = parsed.has(.quiet)
        allowedRejects = try FetchOrder.count(parsed[.allowRejects], of: .allowRejects) ?? 0
        rejectPolicy = try FetchOrder.rejectPolicy(parsed[.onError])
        threads = try FetchOrder.count(parsed[.threads], of: .threads)
        if let threads, !(1...256 ~= threads) {
            throw OpenDataError(.badArgument, "--threads takes a number from 1 to 256, not \(threads)")
        }
        timeout = try FetchOrder.duration(parsed[.timeout])
        var rules: [RewriteRule] = []
        let more = (context.environment["ODCTL_REWRITE"] ?? "").split(separator: " ").map(String.init)
        for text in parsed.all(.rewrite) + more { rules.append(try RewriteRule.parse(text)) }
        rewrites = rules
        var files: [String: String] = [:]
        for text in parsed.all(.authorities) {
            guard let end = text.firstIndex(of: "="), end > text.startIndex, text.index(after: end) < text.endIndex
            else {
                throw OpenDataError(.badArgument, "--ca-file takes HOST=FILE, not '\(text)'")
            }
            files[text[..<end].lowercased()] = String(text[text.index(after: end)...])
        }
        authorities = files
        if parsed.has(.from), parsed.has(.sample) {
            throw OpenDataError(.badArgument, "--from and --sample exclude each other")
        }
        cache = try FetchOrder.policy(parsed)
        let isOffline = parsed.has(.from) || parsed.has(.sample)
        var arguments = try ParameterFlags.arguments(
            parsed, of: source.dataset, own: Set(flags.map(\.name)), context)
        if parsed.has(.sample) {
            guard let sample = source.sample else {
                throw OpenDataError(.badArgument, "\(source.dataset.id) carries no sample; leave --sample out")
            }
            arguments = sample.arguments.overridden(by: arguments)
        }
        try source.arguments.overridden(by: arguments)
            .validate(against: source.dataset.parameters, allowMissing: isOffline)
        self.arguments = arguments
    }

    /// Starts the fetch.
    ///
    /// Opens the payload of `--from`, which may wait for standard input. Throws ``OpenDataError/Code/unreadable``.
    func batches(_ context: Context) throws(OpenDataError) -> BatchSequence {
        var options = FetchOptions()
        options.rejects = rejectPolicy
        options.keepsRawRecords = parsed.has(.rejects)
        options.marks = parsed.has(.marks)
        options.payload = try payload(context.console)
        options.cache = cache
        let client = context.transport.map { Client(transport: $0) } ?? Client(configuration(context))
        return client.batches(of: source, arguments, options: options)
    }

    /// What writes the records.
    func exporter(_ encoder: any RecordEncoder, _ report: FetchReport) -> Exporter {
        var exporter = Exporter(encoder)
        if let threads { exporter.threads = threads }
        exporter.onReject = report.onReject
        exporter.allowedRejects = allowedRejects
        return exporter
    }

    /// An encoder of the format.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    func encoder(_ format: String) throws(OpenDataError) -> any RecordEncoder {
        var options = EncoderOptions()
        options.byteOrderMark = parsed.has(.byteOrderMark)
        return try EncoderRegistry.standard.encoder(named: format, options: options)
    }

    /// Where the payload comes from, if not from the network, as errors say it.
    var origin: String? {
        if let path = parsed[.from] { return path == "-" ? "standard input" : path }
        return parsed.has(.sample) ? "the sample" : nil
    }

    private func payload(_ console: Console) throws(OpenDataError) -> Payload? {
        if parsed.has(.sample), let sample = source.sample {
            return Payload(sample)
        }
        guard let path = parsed[.from] else { return nil }
        return try SavedPayload.open(path, standardInput: console.input)
    }

    private func configuration(_ context: Context) -> Client.Configuration {
        var configuration = Client.Configuration()
        if let timeout {
            configuration.http.totalTimeout = timeout
            configuration.http.connectTimeout = min(timeout, configuration.http.connectTimeout)
            configuration.http.idleTimeout = min(timeout, configuration.http.idleTimeout)
        }
        configuration.rewrites = rewrites
        configuration.http.caFiles = authorities
        configuration.cache = context.cache(parsed)
        let (console, isQuiet) = (context.console, isQuiet)
        configuration.onNotice = { notice in
            if !isQuiet { console.tell("odctl: \(notice.message)") }
        }
        return configuration
    }

    /// What the flags say of kept copies.
    private static func policy(_ parsed: ParsedArguments) throws(OpenDataError) -> CachePolicy {
        let modes = [Flag.offline, .asOf, .refresh].filter { parsed.has($0) }
        if modes.count > 1 {
            throw OpenDataError(.badArgument, "\(modes[0].name) and \(modes[1].name) exclude each other")
        }
        if let mode = modes.first, let other = [Flag.from, .sample].first(where: { parsed.has($0) }) {
            throw OpenDataError(.badArgument, "\(mode.name) and \(other.name) exclude each other")
        }
        var policy = CachePolicy()
        if parsed.has(.offline) { policy.mode = .offline }
        if parsed.has(.refresh) { policy.mode = .refresh }
        if let time = try ArgumentValues.time(parsed[.asOf], of: .asOf) { policy.mode = .asOf(time) }
        policy.maximumAge = try ArgumentValues.age(parsed[.maxAge], of: .maxAge)
        policy.useStaleIfHostFails = parsed.has(.staleIfError)
        policy.keepsDownloads = !parsed.has(.noStore)
        return policy
    }

    private static func rejectPolicy(_ text: String?) throws(OpenDataError) -> FetchOptions.RejectPolicy {
        switch text {
        case nil, "report": return .report
        case "null": return .null
        case "fail": return .fail
        case let other?:
            throw OpenDataError(.badArgument, "--on-error takes report, null or fail, not '\(other)'")
        }
    }

    static func count(_ text: String?, of flag: Flag) throws(OpenDataError) -> Int? {
        guard let text else { return nil }
        guard text.utf8.allSatisfy({ $0 &- 48 < 10 }), let count = Int(text) else {
            throw OpenDataError(.badArgument, "\(flag.name) takes a whole number, not '\(text)'")
        }
        return count
    }

    private static func duration(_ text: String?) throws(OpenDataError) -> Duration? {
        guard let text else { return nil }
        let isNumber = text.utf8.allSatisfy { $0 &- 48 < 10 || $0 == UInt8(ascii: ".") }
        guard isNumber, let seconds = Double(text), seconds >= 0.001, seconds <= 86_400 else {
            throw OpenDataError(.badArgument, "--timeout takes seconds, from 0.001 to 86400, not '\(text)'")
        }
        return .milliseconds(Int(seconds * 1000))
    }
}
