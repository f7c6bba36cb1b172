import OpenData
import OpenDataCore
import OpenDataFormats

/// What `fetch` and `export` have in common: which data set, from where, with which options.
struct FetchOrder: Sendable {
    /// The command line, for the flags that only one of the commands has.
    let parsed: ParsedArguments
    /// The data set; of one that a catalogue lists, an outline until ``resolved(_:)``.
    private(set) var source: any DataSource
    /// How many rejected records are accepted.
    let allowedRejects: Int
    /// What happens to what does not fit.
    let rejectPolicy: FetchOptions.RejectPolicy
    /// How many threads decode and encode, if it was said.
    private let threads: Int?
    /// Whether only errors are told.
    let isQuiet: Bool

    private let arguments: Arguments
    /// What the command line names.
    let reference: SourceReference
    private let network: NetworkFlags
    // The payload, where it had to be looked at before the fetch.
    private var payload: Payload?

    /// Reads the command line; `flags` are those of the command.
    ///
    /// The flags of parameters are only known once the data set is, which may stand behind them. So those of every data
    /// set are taken first, and the ones of others refused then.
    ///
    /// - Parameter fetches: Whether parameters that are required have to be there.
    init(_ words: [String], flags: [Flag], fetches: Bool = true, _ context: Context) throws(OpenDataError) {
        let sources = context.registry.all
        let all = flags + [.help]
        let named = sources.first { words.contains($0.dataset.id) }
        let undescribed = [UndescribedSource.resourceParameter] + UndescribedSource.parameters
        let parameters = sources.flatMap(\.dataset.parameters) + undescribed
        parsed = try ParsedArguments(
            words, flags: all + parameters.map(Flag.init),
            suggestions: all + (named?.dataset.parameters ?? parameters).map(Flag.init))
        reference = try SourceReference(
            parsed.operand("the id of a data set, an address or a file"), context.registry)
        source = reference.outline
        isQuiet = parsed.has(.quiet)
        allowedRejects = try FetchOrder.count(parsed[.allowRejects], of: .allowRejects) ?? 0
        rejectPolicy = try FetchOrder.rejectPolicy(parsed[.onError])
        threads = try FetchOrder.count(parsed[.threads], of: .threads)
        if let threads, !(1...256 ~= threads) {
            throw OpenDataError(.badArgument, "--threads takes a number from 1 to 256, not \(threads)")
        }
        if parsed.has(.from), parsed.has(.sample) {
            throw OpenDataError(.badArgument, "--from and --sample exclude each other")
        }
        let isDescribed = if case .registered = reference { true } else { false }
        if !isDescribed, parsed.has(.from) || parsed.has(.sample) {
            let flag: Flag = parsed.has(.from) ? .from : .sample
            throw OpenDataError(
                .badArgument,
                "\(flag.name) is for data sets that 'odctl list' shows; a file can stand in place of the id")
        }
        if isDescribed, parsed.has(.infer) {
            throw OpenDataError(.badArgument, "\(source.dataset.id) has a declared schema; leave --infer out")
        }
        try FetchOrder.checkRejectsPath(parsed, reference)
        network = try NetworkFlags(parsed, context)
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
            .validate(against: source.dataset.parameters, allowMissing: isOffline || !fetches)
        self.arguments = arguments
    }

    /// The order with its source known: a catalogue is asked where it has to be, and with `--infer` all records are
    /// read for their types.
    ///
    /// Throws what a catalogue or the payload gives cause for.
    func resolved(_ context: Context) async throws(OpenDataError) -> FetchOrder {
        var order = self
        let client = network.client(context, isQuiet: isQuiet)
        order.source = try await client.source(reference, arguments, cache: network.cache)
        guard parsed.has(.infer) else { return order }
        (order.source, order.payload) = try await order.inferred(client, context)
        return order
    }

    /// The source with the schema that all of its records agree with, and its payload.
    private func inferred(
        _ client: Client, _ context: Context
    ) async throws(OpenDataError) -> (any DataSource, Payload) {
        guard var source = source as? UndescribedSource else {
            throw OpenDataError(.badArgument, "\(source.dataset.id) has a declared schema")
        }
        var options = options
        let handed = try openPayload(context.console)
        let payload: Payload =
            if let handed { try handed.repeatable(maximumBytes: source.dataset.maximumBytes) } else {
                try await client.payload(of: source, arguments, options: options)
            }
        options.payload = payload
        do throws(OpenDataError) {
            source.dataset.schema = try await InferredSchema.infer(
                client.batches(of: source, arguments, options: options))
        } catch {
            throw placed(error)
        }
        return (source, payload)
    }

    /// The schema: the declared one, or that which all records agree with.
    func schema(_ context: Context) async throws(OpenDataError) -> Schema {
        let order = try await resolved(context)
        guard order.source.dataset.schema.isAsPublished else { return order.source.dataset.schema }
        return try await order.inferred(network.client(context, isQuiet: isQuiet), context).0.dataset.schema
    }

    /// Starts the fetch.
    ///
    /// Opens the payload of `--from`, which may wait for standard input. Throws ``OpenDataError/Code/unreadable``.
    func batches(_ context: Context) throws(OpenDataError) -> BatchSequence {
        var options = options
        options.payload = if let payload { payload } else { try openPayload(context.console) }
        return network.client(context, isQuiet: isQuiet).batches(of: source, arguments, options: options)
    }

    /// A client that does as the flags say.
    func client(_ context: Context) -> Client { network.client(context, isQuiet: isQuiet) }

    /// What may be used of earlier downloads.
    var cache: CachePolicy { network.cache }

    private var options: FetchOptions {
        var options = FetchOptions()
        options.rejects = rejectPolicy
        options.keepsRawRecords = parsed.has(.rejects)
        options.marks = parsed.has(.marks)
        options.invalidText = parsed.has(.replaceInvalid) ? .replaced : .refused
        options.cache = network.cache
        return options
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

    /// The error with the address of the payload, where that was handed over.
    func placed(_ error: OpenDataError) -> OpenDataError {
        guard error.url == "file:///" else { return error }
        var error = error
        error.url = origin.map { "file:\($0)" } ?? outlineURL
        return error
    }

    /// The address that the person named, without secrets.
    private var outlineURL: String? {
        if case .address(let source) = reference { source.dataset.id } else { nil }
    }

    /// Where the payload comes from, if not from the network, as errors say it.
    private var origin: String? {
        if case .file(let path) = reference { return path == "-" ? "standard input" : path }
        if let path = parsed[.from] { return path == "-" ? "standard input" : path }
        return parsed.has(.sample) ? "the sample" : nil
    }

    private func openPayload(_ console: Console) throws(OpenDataError) -> Payload? {
        if case .file(let path) = reference { return try SavedPayload.open(path, standardInput: console.input) }
        if parsed.has(.sample), let sample = source.sample {
            return Payload(sample)
        }
        guard let path = parsed[.from] else { return nil }
        return try SavedPayload.open(path, standardInput: console.input)
    }

    /// Throws ``OpenDataError/Code/badArgument`` if the file of `--rejects` would take the place of another of the run.
    private static func checkRejectsPath(
        _ parsed: ParsedArguments, _ reference: SourceReference
    ) throws(OpenDataError) {
        guard let rejects = parsed[.rejects] else { return }
        var others: [String?] = [parsed[.from], parsed[.to], parsed[.to].map { ProvenanceFile.path(of: $0) }]
        if case .file(let path) = reference { others.append(path) }
        for case let path? in others where path != "-" && SystemFile.areSame(rejects, path) {
            throw OpenDataError(
                .badArgument, "--rejects would take the place of '\(path)', which this run needs; name another file")
        }
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
}
