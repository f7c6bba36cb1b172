import OpenData
import OpenDataCore
import OpenDataFormats

/// `odctl export`: the records of a data set in a file, which appears whole or not at all.
struct ExportCommand: Command {
    static let help = Help(
        name: "export", summary: "Fetch a data set and write its records to a file, whole or not at all",
        usage: ["odctl export ID|FILE|ADDRESS --to PATH [PARAMETERS] [FLAGS]"],
        details: FetchHelp.details(
            """
            Without --format the ending of PATH tells the format. The records are written beside PATH and
            take its place when all is well; a run that fails or is killed leaves the earlier file as it was.
            PATH.provenance.json tells where downloaded records come from.
            """),
        flags: [.to] + Flag.fetching,
        examples: [
            "odctl export twse.stock_day_all --to quotes.csv --bom",
            "odctl export cafenomad.cafes --to cafes.json --city tainan",
        ])

    private let order: FetchOrder
    private let encoder: any RecordEncoder
    private let path: String

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        order = try FetchOrder(words, flags: ExportCommand.help.flags, context)
        guard let path = order.parsed[.to] else {
            throw OpenDataError(.badArgument, "--to is needed: --to PATH, for example --to data.csv")
        }
        guard path != "-" else {
            throw OpenDataError(.badArgument, "--to takes a path; 'odctl fetch' writes to standard output")
        }
        self.path = path
        let registry = EncoderRegistry.standard
        guard let format = order.parsed[.format] ?? registry.name(forPath: path) else {
            throw OpenDataError(
                .badArgument,
                "the ending of '\(path)' names no format; add --format with \(registry.names.joined(separator: ", "))")
        }
        encoder = try order.encoder(format)
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let order = try await order.resolved(context)
        let report = try FetchReport(order, context.console)
        let exporter = order.exporter(encoder, report)
        try await report.telling { () async throws(OpenDataError) in
            let summary = try await exporter.write(order.batches(context), to: path)
            try ProvenanceFile.write(order.source.dataset, summary, file: path)
            return summary
        }
    }

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { FetchHelp.extra(words, context) }
}
