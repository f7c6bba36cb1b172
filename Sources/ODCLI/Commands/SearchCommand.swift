import OpenData
import OpenDataCore
import OpenDataFormats

/// `odctl search`: data sets of a portal by words.
struct SearchCommand: Command {
    static let help = Help(
        name: "search", summary: "Find data sets in the catalogue of a portal",
        usage: ["odctl search WORDS [FLAGS]"],
        details: [
            """
            Every word has to occur in the title, the publisher, the names of columns or the description;
            where it occurs decides the order. 臺 and 台 count as one, as do capitals and small letters.
            The catalogue of data.gov.tw is kept for a day.
            """,
            """
            'odctl describe ID' and 'odctl fetch ID' take the ids that are found.
            """,
        ],
        flags: [
            .publisher, .resourceFormat, .limit, .catalogue, .json, .offline, .refresh, .maxAge, .rewrite, .timeout,
            .authorities, .cache, .quiet,
        ],
        examples: [
            "odctl search 空氣品質", "odctl search 停車場 --publisher 臺北市 --resource-format json",
            "odctl search rainfall --catalogue ckan:https://data.example.org",
        ])

    private let parsed: ParsedArguments
    private let search: CatalogueSearch
    private let catalogue: any Catalogue
    private let reference: String
    private let network: NetworkFlags

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        parsed = try ParsedArguments(words, flags: SearchCommand.help.flags)
        guard parsed.operands.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw OpenDataError(.badArgument, "words to look for are needed, for example: odctl search 空氣品質")
        }
        var search = CatalogueSearch(parsed.operands)
        search.publisher = parsed[.publisher]
        search.format = parsed[.resourceFormat]
        search.limit = try FetchOrder.count(parsed[.limit], of: .limit) ?? 20
        self.search = search
        let parts = (parsed[.catalogue] ?? "datagovtw").split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false
        ).map { String($0) }
        guard let catalogue = context.registry.catalogues.first(where: { $0.prefix == parts[0] }) else {
            throw Commands.unknown("catalogue", parts[0], among: context.registry.catalogues.map(\.prefix).sorted())
        }
        self.catalogue = catalogue
        reference = parts.count > 1 ? parts[1] : ""
        _ = try catalogue.listing(reference, words: search.words)
        network = try NetworkFlags(parsed, context)
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let client = network.client(context, isQuiet: parsed.has(.quiet))
        let (hits, count) = try await search.run(catalogue, reference, client: client, cache: network.cache)
        if parsed.has(.json) {
            try context.console.write(JSONText.array(hits.map(SearchCommand.document)).document)
        } else if !hits.isEmpty {
            let rows = hits.map { [$0.id, $0.title, $0.publisher, $0.formats.joined(separator: " ")] }
            let lines = TextTable.lines([["ID", "TITLE", "PUBLISHER", "FORMATS"]] + rows)
            try context.console.write(lines.joined(separator: "\n") + "\n")
        }
        if count == 0 {
            throw OpenDataError(.noData, "no data set of \(catalogue.title) has all of these words")
        }
        if count > hits.count, !parsed.has(.quiet) {
            context.console.tell("odctl: \(hits.count) of \(count); --limit shows more")
        }
    }

    private static func document(_ hit: CatalogueSearch.Hit) -> JSONText {
        .object([
            ("id", .string(hit.id)), ("title", .string(hit.title)), ("publisher", .string(hit.publisher)),
            ("formats", .strings(hit.formats)), ("summary", .string(hit.summary)), ("score", .integer(hit.score)),
        ])
    }
}
