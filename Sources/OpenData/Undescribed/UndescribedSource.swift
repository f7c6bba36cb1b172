public import OpenDataCore
import OpenDataFormats

/// Records of a file or an address that no connector describes, as they are published.
///
/// ```swift
/// let records = client.records(of: try UndescribedSource(url: "https://data.example.tw/parks.csv"))
/// ```
///
/// How the payload is written (format, text encoding, delimiter, titles, header, where the records are) is found by
/// evidence over all of it and told in ``FetchSummary/findings``; every part can be said instead, by arguments. What
/// the evidence does not settle is an error. Cells stay text, unless a schema is declared or inferred: see
/// ``InferredSchema``.
public struct UndescribedSource: DataSource {
    /// The most bytes that are taken of what nobody has given a limit, 8 GiB.
    static let maximumBytes = 8 << 30

    /// What is known of the data set.
    public var dataset: Dataset
    /// Where the payload is; `nil` if it is handed over with the fetch.
    public let url: String?
    /// What was said when the value was made.
    public var arguments: Arguments
    /// What was found out before the payload was asked for, such as which resource of several is taken.
    public var findings: [String] = []

    /// The format that a portal says the payload is in.
    var claimedFormat: String?
    // Whether the address may not be one of the local network.
    private var mustBePublic = false

    /// Not known before the payload is looked at: CSV stands in.
    public let format = Format.csv

    /// Makes the source of an address: `https:`, `http:` or `file:`.
    ///
    /// Throws ``OpenDataError/Code/badAddress`` and ``OpenDataError/Code/badArgument``.
    public init(url: String, _ arguments: Arguments = [:]) throws(OpenDataError) {
        let request = try Request(url)
        self.init(id: request.redactedURL, url: url, arguments)
    }

    /// Makes the source of a payload that is handed over with the fetch: ``FetchOptions/payload``.
    ///
    /// - Parameter name: What it is called in messages.
    public init(name: String, _ arguments: Arguments = [:]) { self.init(id: name, url: nil, arguments) }

    init(id: String, url: String?, _ arguments: Arguments) {
        self.url = url
        self.arguments = arguments
        dataset = Dataset(
            id: id, title: id, english: id, publisher: "", licence: .unstated, page: id,
            parameters: UndescribedSource.parameters, schema: .asPublished, maximumBytes: UndescribedSource.maximumBytes
        )
    }

    /// Makes the source of a resource that a catalogue names.
    ///
    /// Nobody here has chosen the address: it has to be of the web, and not of the local network, unless that is where
    /// the portal is as well.
    ///
    /// Throws ``OpenDataError/Code/unexpectedContent`` for any other address, and for none.
    /// - Parameter portal: The portal's host.
    init(
        _ entry: CatalogueEntry, _ resource: CatalogueResource, portal: String, _ arguments: Arguments
    ) throws(OpenDataError) {
        func unusable(_ reason: String) -> OpenDataError {
            OpenDataError(
                .unexpectedContent,
                "the portal names \(reason) for resource \(resource.number); choose another by --resource, or see "
                    + entry.page, dataset: entry.id)
        }
        guard !resource.url.isEmpty else { throw unusable("no address") }
        let request: Request
        do throws(OpenDataError) {
            request = try Request(resource.url)
        } catch {
            throw unusable("'\(error.url ?? "nothing")', which is no address of the web,")
        }
        guard request.scheme != "file" else { throw unusable("'\(request.redactedURL)', a file of this machine,") }
        self.init(id: entry.id, url: resource.url, arguments)
        mustBePublic = request.host != portal
        dataset.title = entry.title
        dataset.english = entry.title
        dataset.publisher = entry.publisher
        dataset.licence = entry.licence
        dataset.page = entry.page
        dataset.cadence = entry.cadence
        dataset.parameters.insert(UndescribedSource.resourceParameter, at: 0)
        claimedFormat = resource.format.lowercased()
        if entry.resources.count > 1 {
            findings = [
                "resource \(resource.number) of \(entry.resources.count), \(resource.format) '\(resource.title)', is taken;"
                    + " --resource chooses another"
            ]
        }
    }

    /// The request for the address.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        guard let url else {
            throw OpenDataError(.badArgument, "\(dataset.id) has no address; its payload is handed over with the fetch")
        }
        var request = try Request(url, maximumBytes: dataset.maximumBytes)
        request.mustBePublic = mustBePublic
        return request
    }

    /// Which resource of a data set in a catalogue.
    public static let resourceParameter = Parameter(
        "resource", .text, "which resource of the data set: its number, its format, or words of its title", example: "2"
    )

    /// What a person may say of a payload that nobody has described.
    public static let parameters = [
        Parameter(
            "source_format", .choice(["csv", "json", "xml"]), "the format of the payload; found unless given",
            example: "csv"),
        Parameter("encoding", .text, "the text encoding; found unless given", example: "cp950"),
        Parameter(
            "delimiter", .text, "the character between cells: one character, or tab; found unless given", example: ";"),
        Parameter(
            "title_rows", .count, "how many lines of titles stand before the header; found unless given", example: "1"),
        Parameter(
            "header_rows", .count, "how many lines the header has: 0, 1 or 2; found unless given", example: "1"),
        Parameter(
            "records", .text, "where the records are: member names of JSON by dots, elements of XML by slashes",
            example: "result.records"),
        Parameter(
            "nested", .choice(["json", "columns"]),
            "objects within records of JSON: one text each, or a column for each member; json unless given",
            example: "columns"),
        Parameter("member", .text, "which files of an archive, with * for any letters", example: "*.csv"),
    ]

    /// What was said of the payload.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    func hints(_ arguments: Arguments) throws(OpenDataError) -> FormatHints {
        var hints = FormatHints()
        hints.format = arguments["source_format"]
        hints.encoding = arguments["encoding"].map { TextEncoding(rawValue: $0) }
        if let text = arguments["delimiter"] {
            let names = ["tab": UInt8(ascii: "\t"), "\\t": UInt8(ascii: "\t"), "comma": UInt8(ascii: ",")]
            guard let byte = names[text] ?? (text.utf8.count == 1 ? text.utf8.first : nil),
                byte == 0x09 || 0x20..<0x7F ~= byte, byte != UInt8(ascii: "\"")
            else {
                throw OpenDataError(
                    .badArgument, "--delimiter takes one ASCII character, or tab, not '\(text)'", field: "delimiter")
            }
            hints.delimiter = byte
        }
        hints.titleRows = arguments["title_rows"].flatMap { Int($0) }
        hints.headerRows = arguments["header_rows"].flatMap { Int($0) }
        if let rows = hints.headerRows, !(0...2 ~= rows) {
            throw OpenDataError(.badArgument, "--header-rows takes 0, 1 or 2, not \(rows)", field: "header_rows")
        }
        hints.records = arguments["records"]
        if arguments["nested"] == "columns" { hints.nested = .columns }
        return hints
    }
}
