import OpenData
import OpenDataCore

/// `odctl describe`: everything about one data set, or what is found out about a file, an address or a portal's data
/// set.
struct DescribeCommand: Command {
    static let help = Help(
        name: "describe", summary: "Describe a data set: parameters, fields, terms, limits",
        usage: ["odctl describe ID [--json]", "odctl describe SOURCE [PARAMETERS] [FLAGS]"],
        details: [
            """
            SOURCE is a data set of a portal, such as datagovtw:40448, of which the portal's description and its
            resources are shown; or an address or a file, of which is told how it is written: format, text
            encoding, columns, and what was taken for granted.
            """
        ],
        flags: [
            .json, .parameter, .offline, .asOf, .refresh, .maxAge, .noStore, .rewrite, .timeout, .authorities, .cache,
            .quiet,
        ],
        examples: [
            "odctl describe twse.stock_day", "odctl describe cafenomad.cafes --json", "odctl describe datagovtw:40448",
            "odctl describe parks.csv",
        ])

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { FetchHelp.extra(words, context) }

    private let order: FetchOrder

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        order = try FetchOrder(words, flags: DescribeCommand.help.flags, fetches: false, context)
    }

    /// A data set with a connector is described at once.
    func begin(_ context: Context) throws(OpenDataError) -> Work? {
        guard case .registered(let source) = order.reference else {
            return { () async throws(OpenDataError) in try await run(context) }
        }
        let description = Description(source: source)
        try context.console.write(isJSON ? DatasetJSON.description(description).document : description.text)
        return nil
    }

    func run(_ context: Context) async throws(OpenDataError) {
        if case .catalogued(let catalogue, let name) = order.reference {
            let entry = try await order.client(context).entry(of: catalogue, name, cache: order.cache)
            let text = CatalogueText(entry: entry)
            return try context.console.write(isJSON ? text.json.document : text.text)
        }
        let found = try await PayloadDescription(order, context)
        try context.console.write(isJSON ? found.json.document : found.text)
    }

    private var isJSON: Bool { order.parsed.has(.json) }
}
