/// What a portal says of one data set.
public struct CatalogueEntry: Sendable, Hashable {
    /// The id with the catalogue's prefix: `datagovtw:40448`.
    public var id: String
    /// The title.
    public var title: String
    /// What the publisher says about it.
    public var summary: String
    /// Who publishes it.
    public var publisher: String
    /// Under which terms.
    public var licence: Licence
    /// The page for people.
    public var page: String
    /// How often it changes, in the portal's words.
    public var cadence: Cadence
    /// When the portal last changed its description, as it writes it.
    public var modified: String?
    /// The files and addresses, in the portal's order.
    public var resources: [CatalogueResource]

    /// Makes an entry.
    public init(
        id: String, title: String, summary: String = "", publisher: String, licence: Licence = .unstated, page: String,
        cadence: Cadence = .unknown, modified: String? = nil, resources: [CatalogueResource]
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.publisher = publisher
        self.licence = licence
        self.page = page
        self.cadence = cadence
        self.modified = modified
        self.resources = resources
    }

    /// The resource that a person means.
    ///
    /// - Parameter choice: Its number from 1, its format, or a part of its description; `nil` for the only one. Of
    ///   several resources that are the same but for their formats, `nil` takes the first of CSV, JSON and XML. Throws
    ///   ``OpenDataError/Code/badArgument`` with the list of resources where that is none or more than one, and
    ///   ``OpenDataError/Code/noData`` where there are none at all.
    public func resource(_ choice: String?) throws(OpenDataError) -> CatalogueResource {
        guard !resources.isEmpty else {
            throw OpenDataError(.noData, "the portal names no resource of \(id); see \(page)", dataset: id)
        }
        guard let choice else {
            if resources.count == 1 { return resources[0] }
            let formats = resources.map { $0.format.uppercased() }
            let isOneTable = Set(resources.map(\.title)).count == 1 && Set(formats).count == formats.count
            if isOneTable, let best = ["CSV", "JSON", "XML"].lazy.compactMap({ formats.firstIndex(of: $0) }).first {
                return resources[best]
            }
            throw ambiguous("there are \(resources.count) resources", resources)
        }
        if let number = Int(choice) {
            if let resource = resources.first(where: { $0.number == number }) { return resource }
            throw ambiguous("there is no resource \(number)", resources)
        }
        let folded = PlaceName.fold(choice)
        let formats = resources.filter { PlaceName.fold($0.format) == folded }
        let found = formats.isEmpty ? resources.filter { PlaceName.fold($0.title).holds(folded) } : formats
        if found.count == 1 { return found[0] }
        throw found.isEmpty
            ? ambiguous("no resource is called '\(choice)'", resources)
            : ambiguous("'\(choice)' is said of \(found.count) resources", found)
    }

    private func ambiguous(_ what: String, _ choices: [CatalogueResource]) -> OpenDataError {
        let list = choices.prefix(40).map { "\n    \($0.number)  \($0.format)  \($0.title)" }.joined()
        return OpenDataError(
            .badArgument, "\(what); choose one by --resource with its number, its format or words of its title:\(list)",
            dataset: id, field: "resource")
    }
}

/// One file or address of a data set.
public struct CatalogueResource: Sendable, Hashable {
    /// The number in the portal's order, from 1.
    public var number: Int
    /// What the portal calls it.
    public var title: String
    /// The format that the portal says it is in, which need not be so.
    public var format: String
    /// The text encoding that the portal says it is in, which need not be so either.
    public var encoding: String
    /// The address as the portal writes it, less white space around it.
    public var url: String
    /// The names of its columns, where the portal knows them.
    public var fields: [String]

    /// Makes a resource.
    public init(
        number: Int, title: String, format: String, encoding: String = "", url: String, fields: [String] = []
    ) {
        self.number = number
        self.title = title
        self.format = format
        self.encoding = encoding
        let isSpace = { (letter: Character) in letter.isWhitespace }
        let end = url.lastIndex { !isSpace($0) }.map { url.index(after: $0) } ?? url.startIndex
        self.url = String(url[..<end].drop(while: isSpace))
        self.fields = fields
    }
}
