import OpenData
import OpenDataCore

/// `odctl fetch`: the records of a data set on standard output.
struct FetchCommand: Command {
    static let help = Help(
        name: "fetch", summary: "Fetch a data set and write its records to standard output",
        usage: ["odctl fetch ID [PARAMETERS] [FLAGS]"],
        details: FetchHelp.details(
            """
            Without --format the records are written as a table to a terminal and as csv to anything else.
            """),
        flags: Flag.fetching,
        examples: [
            "odctl fetch twse.stock_day_all --sample", "odctl fetch twse.stock_day --stock-no 2330 --month 2025-03",
            "odctl fetch cafenomad.cafes --city taipei --format json", "curl -s URL | odctl fetch ID --from -",
        ])

    private let order: FetchOrder
    private let encoder: any RecordEncoder

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        order = try FetchOrder(words, flags: FetchCommand.help.flags, context)
        encoder = try order.encoder(order.parsed[.format] ?? (context.console.isTerminal ? "table" : "csv"))
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let report = FetchReport(order, context.console)
        let exporter = order.exporter(encoder, report)
        try await report.telling { () async throws(OpenDataError) in
            try await exporter.write(order.batches(context), toDescriptor: context.console.output)
        }
    }

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { FetchHelp.extra(words, context) }
}
