import OpenDataCore

/// What is sent to a host, in the words that each platform's library takes.
struct HTTPOrder: Sendable {
    /// The address without a fragment; ASCII only.
    let address: String
    /// The header fields to send, sorted by name; a name stands once, whatever its letters' case.
    let fields: [(name: String, value: String)]
    /// A file of certificate authorities in place of the system's.
    let caFile: String?
    /// Whether an address of this machine or its local network is refused.
    let mustBePublic: Bool
    /// A time limit in whole seconds that is over only after all those of ``Transfer``: the net below them.
    let lastResort: Int

    /// Throws ``OpenDataError/Code/badAddress`` and, for a header field that cannot be sent, `badArgument`.
    init(_ request: Request, _ configuration: HTTPTransport.Configuration) throws(OpenDataError) {
        guard ["http", "https"].contains(request.scheme) else {
            throw OpenDataError(
                .badAddress, "'\(request.redactedURL)' is not an http or https address", url: request.redactedURL)
        }
        address = HTTPOrder.address(request.url)
        caFile = configuration.caFiles[request.host.lowercased()] ?? configuration.caFile
        // A proxy looks the name up itself, and is often in the local network.
        mustBePublic = request.mustBePublic && ProxyEnvironment.current.proxy(for: request) == nil
        let limits = [configuration.connectTimeout, configuration.totalTimeout].map(\.components.seconds)
        lastResort = Int(min((limits.max() ?? 0) + 60, 1_000_000))
        var fields: [String: (name: String, value: String)] = [
            "user-agent": ("User-Agent", configuration.userAgent), "accept": ("Accept", "*/*"),
        ]
        for (name, value) in request.headers {
            guard HTTPOrder.isName(name), HTTPOrder.isValue(value) else {
                throw OpenDataError(
                    .badArgument, "the header field '\(name.prefix(40))' has a name or value that cannot be sent")
            }
            fields[name.lowercased()] = (name, value)
        }
        self.fields = fields.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The address without its fragment, brackets behind the host encoded.
    ///
    /// Nothing else in an address that ``Request`` has made is illegal; Foundation would encode a component again as a
    /// whole for the sake of one such character.
    private static func address(_ url: String) -> String {
        let text = url.prefix { $0 != "#" }
        // Behind `scheme://`.
        let host = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? text
        let rest = host.firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        return text[rest...].reduce(into: String(text[..<rest])) { address, letter in
            switch letter {
            case "[": address += "%5B"
            case "]": address += "%5D"
            default: address.append(letter)
            }
        }
    }

    /// Whether a text is a token (RFC 9110, 5.6.2).
    static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    private static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
