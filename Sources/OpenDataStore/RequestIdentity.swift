import OpenDataCore

/// What makes two requests ask for the same bytes: method, address and the header fields that matter.
///
/// Secrets are replaced by a marker: another key gets the same data. What may be one or may choose the data, such as
/// `key` in an address that somebody typed, counts. But for the hash of it all, none is ever written anywhere.
enum RequestIdentity {
    /// The identity as text; `address` is the one really asked, which a mirror may have replaced.
    static func text(_ request: Request, address: String) -> String {
        let asked = (try? request.redirected(to: address))?.urlForIdentity ?? "unknown"
        var lines = ["GET " + asked]
        for (name, value) in request.headers.map({ ($0.key.lowercased(), $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            if immaterial.contains(name) { continue }
            lines.append("\(name): \(isSecret(name) ? "REDACTED" : value)")
        }
        return lines.joined(separator: "\n")
    }

    /// The hash of the text, by which snapshots are found.
    static func key(_ request: Request, address: String) -> String {
        SHA256.hex(Array(text(request, address: address).utf8))
    }

    /// An address without the secrets of a request.
    static func redacted(_ address: String, like request: Request) -> String {
        (try? request.redirected(to: address))?.redactedURL ?? "unknown"
    }

    /// Fields that decide how the bytes travel, not which they are.
    private static let immaterial: Set<String> = [
        "accept-encoding", "connection", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "range", "user-agent",
    ]

    private static func isSecret(_ name: String) -> Bool {
        ["authorization", "cookie", "key", "token", "secret", "password", "auth"].contains { name.holds($0) }
    }
}
