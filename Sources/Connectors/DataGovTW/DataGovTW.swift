public import OpenDataCore

/// Taiwan's national portal of open data, data.gov.tw: any of its data sets by its number.
public struct DataGovTW: Catalogue {
    /// `datagovtw`.
    public let prefix = "datagovtw"
    /// The portal's name.
    public let title = "政府資料開放平臺"
    /// A number.
    public let referenceHelp = "a number, as in datagovtw:40448"
    /// Two requests a second.
    public let hosts = [HostPolicy.dataGovTW]

    /// Makes the catalogue.
    public init() {}

    /// The request for the portal's description of a data set.
    public func request(_ reference: String) throws(OpenDataError) -> Request {
        guard 1...9 ~= reference.utf8.count, reference.utf8.allSatisfy({ $0 &- 48 < 10 }) else {
            throw OpenDataError(.badArgument, "datagovtw takes \(referenceHelp), not '\(reference)'")
        }
        return try Request("https://data.gov.tw/api/v2/rest/dataset/\(reference)", maximumBytes: 8 << 20)
    }

    /// Reads the portal's description.
    public func entry(_ reference: String, from body: [UInt8]) throws(OpenDataError) -> CatalogueEntry {
        let id = "datagovtw:\(reference)"
        guard let document = JSONText(parsing: body) else {
            throw OpenDataError(.malformed, "what data.gov.tw says of \(id) is no JSON that can be read", dataset: id)
        }
        if document["success"]?.truth == false {
            let message = document["error"]?["message"]?.text ?? document["error"]?["error_type"]?.text ?? "no reason"
            throw OpenDataError(.notFound, "data.gov.tw has no data set \(reference): \(message)", dataset: id)
        }
        guard let result = document["result"], let title = result["title"]?.text,
            let distribution = result["distribution"]?.elements
        else {
            throw OpenDataError(
                .schemaChanged, "what data.gov.tw says of \(id) has no title or no list of resources", dataset: id)
        }
        return CatalogueEntry(
            id: id, title: title, summary: result["description"]?.text ?? "",
            publisher: result["publisher"]?.text ?? "",
            licence: result["license"]?.scalar == "1" ? .ogdl1 : .unstated,
            page: "https://data.gov.tw/dataset/\(reference)", cadence: Self.cadence(result["updateFrequency"]),
            modified: result["modifiedDate"]?.text,
            resources: distribution.enumerated().map { Self.resource($0.element, number: $0.offset + 1) })
    }

    /// All data sets of the portal.
    public func listing(_ reference: String, words: [String]) throws(OpenDataError) -> any DataSource {
        DataGovTWCatalogue()
    }

    private static func resource(_ document: JSONText, number: Int) -> CatalogueResource {
        // The names of columns are a list in some data sets and a text in others.
        let fields =
            document["resourceField"]?.elements?.compactMap(\.text)
            ?? document["resourceField"]?.text?.split { ",、;；".contains($0) }.map { String($0) }
        return CatalogueResource(
            number: number, title: document["resourceDescription"]?.text ?? "",
            format: document["resourceFormat"]?.text ?? "",
            encoding: document["resourceCharacterEncoding"]?.text ?? "",
            url: document["resourceDownloadUrl"]?.text ?? "", fields: fields ?? [])
    }

    /// `每1日` of an object with a number and a unit, or the portal's text.
    private static func cadence(_ document: JSONText?) -> Cadence {
        if let text = document?.text { return Cadence(rawValue: text) }
        guard let count = document?["Frequency"]?.scalar, let unit = document?["unittime"]?.text, !unit.isEmpty else {
            return .unknown
        }
        return Cadence(rawValue: "每\(count)\(unit)")
    }
}

extension HostPolicy {
    /// The portal: two requests a second.
    static let dataGovTW = HostPolicy(host: "data.gov.tw", requests: 2, per: .seconds(1))
}
