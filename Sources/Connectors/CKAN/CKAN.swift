public import OpenDataCore

/// Portals that run CKAN, by the address of the portal and the name of a data set there.
///
/// `ckan:https://data.example.org/rainfall` is the data set `rainfall` of the portal at `https://data.example.org`.
public struct CKAN: Catalogue {
    /// `ckan`.
    public let prefix = "ckan"
    /// What the portals have in common.
    public let title = "CKAN portals"
    /// An address.
    public let referenceHelp =
        "the portal's address and the data set's name, as in ckan:https://data.example.org/rainfall"
    /// Portals are of many hosts; each is treated with care.
    public let hosts: [HostPolicy] = []

    /// Makes the catalogue.
    public init() {}

    /// The request for the portal's description of a data set.
    public func request(_ reference: String) throws(OpenDataError) -> Request {
        let (portal, name) = try Self.parts(reference)
        guard !name.isEmpty else {
            throw OpenDataError(.badArgument, "ckan takes \(referenceHelp), not '\(reference)'")
        }
        return try Request(portal + "/api/3/action/package_show", query: ["id": name], maximumBytes: 8 << 20)
    }

    /// Reads the portal's description.
    public func entry(_ reference: String, from body: [UInt8]) throws(OpenDataError) -> CatalogueEntry {
        let (portal, name) = try Self.parts(reference)
        let id = "ckan:\(reference)"
        guard let document = JSONText(parsing: body) else {
            throw OpenDataError(.malformed, "what \(portal) says of \(name) is no JSON that can be read", dataset: id)
        }
        if document["success"]?.truth == false {
            let message = document["error"]?["message"]?.text ?? "no reason"
            throw OpenDataError(.notFound, "\(portal) has no data set '\(name)': \(message)", dataset: id)
        }
        guard let result = document["result"], let resources = result["resources"]?.elements else {
            throw OpenDataError(
                .schemaChanged,
                "what \(portal) says of \(name) has no list of resources; is it a portal that runs CKAN?",
                dataset: id)
        }
        let licence = result["license_id"]?.text.map { id in
            Licence(id: id, title: result["license_title"]?.text ?? id, url: result["license_url"]?.text)
        }
        return CatalogueEntry(
            id: id, title: result["title"]?.text ?? name, summary: result["notes"]?.text ?? "",
            publisher: result["organization"]?["title"]?.text ?? "", licence: licence ?? .unstated,
            page: "\(portal)/dataset/\(result["name"]?.text ?? name)", modified: result["metadata_modified"]?.text,
            resources: resources.enumerated().map { Self.resource($0.element, number: $0.offset + 1, portal) })
    }

    /// What the portal finds for the words.
    public func listing(_ reference: String, words: [String]) throws(OpenDataError) -> any DataSource {
        CKANListing(portal: try Self.parts(reference).portal, words: words)
    }

    private static func resource(_ document: JSONText, number: Int, _ portal: String) -> CatalogueResource {
        let url = document["url"]?.text ?? ""
        return CatalogueResource(
            number: number, title: document["name"]?.text ?? document["description"]?.text ?? "",
            format: document["format"]?.text ?? "", encoding: document["encoding"]?.text ?? "",
            url: Self.absolute(url, portal))
    }

    /// An address that the portal may write without its scheme, `//host/path`, or without itself, `/path`.
    private static func absolute(_ url: String, _ portal: String) -> String {
        if url.hasPrefix("//") { return portal.prefix { $0 != "/" } + url }
        return url.hasPrefix("/") ? portal + url : url
    }

    /// The portal's address and the rest: `https://host/rainfall` and `https://host/dataset/rainfall` name one data
    /// set.
    private static func parts(_ reference: String) throws(OpenDataError) -> (portal: String, name: String) {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { reference.hasPrefix($0) }),
            let host = reference.dropFirst(scheme.count).split(separator: "/").first
        else {
            throw OpenDataError(.badArgument, "ckan takes \(CKAN().referenceHelp), not '\(reference)'")
        }
        var path = reference.dropFirst(scheme.count + host.count).split(separator: "/").map { String($0) }
        let name = path.popLast() ?? ""
        if path.last == "dataset" { path.removeLast() }
        return (([scheme + host] + path).joined(separator: "/"), name)
    }
}
