import OpenData
import OpenDataCore
import OpenDataFormats

/// `odctl diff`: the records that are different in two payloads of a data set.
struct DiffCommand: Command {
    private static let from = Flag("--from", value: "FILE", "The earlier payload, or an export of it as CSV or JSON.")
    private static let to = Flag("--to", value: "FILE", "The later payload, or an export of it.")
    private static let key = Flag(
        "--key", value: "FIELDS",
        "Match records by these fields, with commas between; those of the data set's key "
            + "unless given, without a day that all records of a payload share.")

    static let help = Help(
        name: "diff", summary: "Show the records added, changed and removed between two payloads",
        usage: ["odctl diff ID --from FILE --to FILE [FLAGS]"],
        details: [
            """
            Each line is a record of the later payload with 'added' or 'changed' in front, or one of the
            earlier payload with 'removed'. The last column, before, is an object of JSON with the earlier
            values of the fields that changed. Numbers are compared as numbers: 14.10 is 14.1.
            Without --format the records are written as a table to a terminal and as csv to anything else.
            """
        ],
        flags: [from, to, key, .format, .byteOrderMark, .marks, .quiet],
        examples: ["odctl diff twse.stock_day_all --from monday.csv --to tuesday.csv --format ndjson"])

    private let source: any DataSource
    private let paths: (from: String, to: String)
    private let key: [String]?
    private let encoder: any RecordEncoder
    private let hasMarks: Bool
    private let isQuiet: Bool

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: DiffCommand.help.flags)
        source = try context.registry.source(parsed.operand("the id of a data set"))
        guard let from = parsed[DiffCommand.from], let to = parsed[DiffCommand.to] else {
            throw OpenDataError(.badArgument, "--from and --to are needed: the payloads to compare")
        }
        guard from != "-" || to != "-" else {
            throw OpenDataError(.badArgument, "standard input cannot be both --from and --to")
        }
        paths = (from, to)
        key = parsed[DiffCommand.key].map { $0.split(separator: ",").map(String.init) }
        var options = EncoderOptions()
        options.byteOrderMark = parsed.has(.byteOrderMark)
        let format = parsed[.format] ?? (context.console.isTerminal ? "table" : "csv")
        encoder = try EncoderRegistry.standard.encoder(named: format, options: options)
        hasMarks = parsed.has(.marks)
        isQuiet = parsed.has(.quiet)
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let (earlier, later) = (try batches(paths.from, context), try batches(paths.to, context))
        let diff = try await RecordDiff(from: earlier, to: later, key: key)
        var (encoder, output) = (encoder, [UInt8]())
        encoder.begin(RecordDiff.fields(of: later.fields ?? []), into: &output)
        encoder.write(diff.batch, into: &output)
        encoder.finish(into: &output)
        try SystemFile(descriptor: context.console.output, path: "standard output", closes: false).write(output)
        guard !isQuiet else { return }
        if !diff.ignoredKey.isEmpty {
            context.console.tell(
                "odctl: matched by \(diff.key.joined(separator: " and ")) alone: each payload has a "
                    + "\(diff.ignoredKey.joined(separator: " and ")) of its own; --key says otherwise")
        }
        context.console.tell(
            "\(source.dataset.id): added \(diff.added), changed \(diff.changed), removed \(diff.removed), "
                + "unchanged \(diff.unchanged)")
    }

    private func batches(_ path: String, _ context: Context) throws(OpenDataError) -> BatchSequence {
        var options = FetchOptions()
        options.marks = hasMarks
        options.payload = try SavedPayload.open(path, standardInput: context.console.input)
        return (context.transport.map { Client(transport: $0) } ?? Client()).batches(of: source, options: options)
    }
}
