import OpenData
import OpenDataCore

/// `odctl fetch`: the records of a data set on standard output.
struct FetchCommand: Command {
    static let help = Help(
        name: "fetch", summary: "Fetch a data set and write its records to standard output",
        usage: ["odctl fetch ID|FILE|ADDRESS [PARAMETERS] [FLAGS]"],
        details: FetchHelp.details(
            """
            Without --format the records are written as a table to a terminal and as csv to anything else.
            """),
        flags: [.envelope] + Flag.fetching,
        examples: [
            "odctl fetch twse.stock_day_all --sample", "odctl fetch twse.stock_day --stock-no 2330 --month 2025-03",
            "odctl fetch cafenomad.cafes --city taipei --format json", "curl -s URL | odctl fetch ID --from -",
            "odctl fetch parks.csv --infer --format json", "odctl fetch datagovtw:40448 --resource csv",
        ])

    private let order: FetchOrder
    private let encoder: any RecordEncoder
    private let isEnvelope: Bool

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        order = try FetchOrder(words, flags: FetchCommand.help.flags, context)
        isEnvelope = order.parsed.has(.envelope)
        let format = order.parsed[.format] ?? (isEnvelope ? "json" : context.console.isTerminal ? "table" : "csv")
        if isEnvelope, format != "json" {
            throw OpenDataError(.badArgument, "--envelope writes json; leave --format \(format) out")
        }
        let encoder = try order.encoder(format)
        self.encoder = isEnvelope ? EnvelopeEncoder(encoder) : encoder
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let order = try await order.resolved(context)
        let report = try FetchReport(order, context.console)
        let exporter = order.exporter(encoder, report)
        try await report.telling { () async throws(OpenDataError) in
            let summary = try await exporter.write(order.batches(context), toDescriptor: context.console.output)
            if isEnvelope { try context.console.write(EnvelopeEncoder.end(order.source.dataset, summary)) }
            return summary
        }
    }

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { FetchHelp.extra(words, context) }
}
