/// What to ask a host for.
public struct Request: Sendable, Hashable {
    /// The address, percent-encoded: ASCII only.
    public private(set) var url: String
    /// Header fields to send, by name.
    public var headers: [String: String]
    /// The names of query items whose values are never shown.
    public var secrets: Set<String>
    /// The id of the data set that the request is for.
    public var dataset: String?
    /// How the data set's hosts want to be treated.
    public var hosts: [HostPolicy] = []
    /// Whether the host's name must stand for an address that is not of this machine or its local network: the request
    /// goes where a redirect or a portal leads, and nobody here has named that host.
    package var mustBePublic = false
    /// The most bytes that the answer may have, after decompression.
    public var maximumBytes: Int
    /// The version of the data set's connector, for the record of where bytes come from.
    public var connectorVersion: String?
    /// How long an answer stays current.
    public var freshness = Freshness.revalidated
    /// What may be taken from the snapshots that were kept of earlier answers.
    public var cache = CachePolicy()

    /// Makes a request for an address, with query items added to it.
    ///
    /// Characters that a URL cannot hold, such as Chinese in a path, are percent-encoded exactly once; what is encoded
    /// already is left alone. Query items are encoded whole, `+` and `&` included. Throws
    /// ``OpenDataError/Code/badAddress`` unless the scheme is http, https or file and, but for file, a host follows.
    public init(
        _ url: String, query: KeyValuePairs<String, String> = [:], headers: [String: String] = [:],
        secrets: Set<String> = [], maximumBytes: Int = 256 << 20
    ) throws(OpenDataError) {
        var text = PercentEncoding.encodingIllegal(in: url)
        if !query.isEmpty {
            let items = query.map { "\(PercentEncoding.encodingAll(in: $0))=\(PercentEncoding.encodingAll(in: $1))" }
            text += (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + items.joined(separator: "&")
        }
        self.url = text
        self.headers = headers
        self.secrets = secrets
        self.maximumBytes = maximumBytes
        guard ["http", "https", "file"].contains(scheme), scheme == "file" || !host.isEmpty else {
            throw OpenDataError(
                .badAddress, "'\(redactedURL)' is not an address of the form https://host/path", url: redactedURL)
        }
    }

    /// The same request for another address, for redirects and mirrors.
    public func redirected(to url: String) throws(OpenDataError) -> Request {
        var copy = try Request(url)
        copy.headers = headers
        copy.secrets = secrets
        copy.dataset = dataset
        copy.hosts = hosts
        copy.mustBePublic = mustBePublic
        copy.maximumBytes = maximumBytes
        copy.connectorVersion = connectorVersion
        copy.freshness = freshness
        copy.cache = cache
        return copy
    }

    /// The scheme in lower case, or `""`.
    public var scheme: String {
        url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).count == 2
            ? url.prefix { $0 != ":" }.lowercased() : ""
    }

    /// The host in lower case without its port, or `""`.
    public var host: String {
        guard let authority else { return "" }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if place.first == "[" { return place.prefix { $0 != "]" } + "]" }
        return place.prefix { $0 != ":" }.lowercased()
    }

    /// What the data set says about the request's host, if it says anything.
    public var hostPolicy: HostPolicy? { hosts.first { $0.host == host } }

    /// The path, percent-encoded; `/` where there is none.
    public var path: String {
        guard let authority else { return "/" }
        let rest = url[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        return rest.isEmpty ? "/" : String(rest)
    }

    /// The value of the first query item of a name, percent-encoded as it stands in the address.
    public func queryItem(_ name: String) -> String? {
        guard let start = url.firstIndex(of: "?") else { return nil }
        let items = url[url.index(after: start)...].prefix { $0 != "#" }.split(separator: "&")
        return items.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private var authority: Substring? {
        let scheme = url.prefix { $0 != ":" }
        let rest = url[scheme.endIndex...]
        guard rest.hasPrefix("://") else { return nil }
        return rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    }

    /// The names of query items that are those of secrets wherever they occur.
    private static let commonSecrets: Set<String> = [
        "api_key", "apikey", "api-key", "token", "access_token", "authorization", "password", "secret", "signature",
        "x-amz-signature", "x-amz-credential", "x-amz-security-token",
    ]

    /// Whether the value of a query item is certain to be a secret, which does not choose what the answer is.
    private func isCertainSecret(_ name: some StringProtocol) -> Bool {
        secrets.contains(String(name)) || Request.commonSecrets.contains(name.lowercased())
    }

    /// Whether the value of a query item is not to be shown: it is a secret, or the name sounds like that of one, as
    /// `key`, `serviceKey` and `client_secret` do.
    package func isSecret(queryItem name: some StringProtocol) -> Bool {
        if isCertainSecret(name) { return true }
        let letters = PercentEncoding.decoding(name).map { $0 | 0x20 }.filter { 0x61...0x7A ~= $0 }
        let word = String(decoding: letters, as: UTF8.self)
        return ["sig", "auth", "pwd", "pass", "appid"].contains(word) || word.hasSuffix("key")
            || ["token", "secret", "passw", "signature", "credential", "authorization"].contains { word.holds($0) }
    }

    /// The address with the values of secret query items replaced by `REDACTED` and without a user and password.
    public var redactedURL: String { redacting { isSecret(queryItem: $0) } }

    /// The address without what is certain to be a secret, to tell requests apart by: it is never shown.
    ///
    /// The value of `key` may be a secret, or may choose the answer.
    package var urlForIdentity: String { redacting { isCertainSecret($0) } }

    private func redacting(_ isSecret: (Substring) -> Bool) -> String {
        guard let start = url.firstIndex(of: "?") else { return withoutUser(url) }
        let items = url[url.index(after: start)...].split(separator: "&", omittingEmptySubsequences: false).map {
            item in
            let name = item.prefix { $0 != "=" }
            return name.endIndex < item.endIndex && isSecret(name) ? "\(name)=REDACTED" : String(item)
        }
        return withoutUser(url[...start] + items.joined(separator: "&"))
    }

    /// An address that begins like the request's, without its user and password.
    private func withoutUser(_ text: String) -> String {
        guard let authority, let at = authority.lastIndex(of: "@") else { return text }
        return url[..<authority.startIndex] + String(text[text.index(after: at)...])
    }

    /// The request's address without a user and password, for hosts that they are not meant for.
    package var urlWithoutUser: String { withoutUser(url) }
}
