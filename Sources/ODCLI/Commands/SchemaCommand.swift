import OpenData
import OpenDataCore

/// `odctl schema`: the Table Schema of a data set, declared or found in its records.
struct SchemaCommand: Command {
    static let help = Help(
        name: "schema", summary: "Write the Table Schema of a data set, an address or a file",
        usage: ["odctl schema SOURCE [PARAMETERS] [FLAGS]"],
        details: [
            """
            A data set that 'odctl list' shows has a declared schema. Of anything else all records are
            read: a column is a number, a day or a time only if each of its values is one and nothing is
            lost by it. A leading zero keeps a column text.
            """,
            """
            The words are those of the Frictionless Table Schema.
            """,
        ],
        flags: [
            .parameter, .offline, .asOf, .refresh, .maxAge, .noStore, .rewrite, .timeout, .authorities, .cache, .quiet,
        ],
        examples: ["odctl schema parks.csv", "odctl schema datagovtw:40448 --resource csv", "odctl schema moenv.aqi"])

    static func extraHelp(_ words: [String], _ context: Context) -> [String] { FetchHelp.extra(words, context) }

    private let order: FetchOrder

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        order = try FetchOrder(words, flags: SchemaCommand.help.flags, fetches: false, context)
    }

    func run(_ context: Context) async throws(OpenDataError) {
        try context.console.write(TableSchemaJSON.document(await order.schema(context)).document)
    }
}
