import OpenDataCore

extension Request {
    /// The text without the secrets of this request, which hosts like to repeat in what they say of it.
    ///
    /// Those are the values of secret query items, encoded or not, of header fields that may carry a key, and the
    /// password of the address. What has fewer than four letters is not looked for.
    func redacting(_ text: String) -> String {
        secretValues.reduce(text) { $0.pieces(between: $1).joined(separator: "REDACTED") }
    }

    /// Header fields that never carry a key.
    static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "if-modified-since", "if-none-match", "user-agent",
    ]

    /// The longest first: one may be part of another.
    private var secretValues: [String] {
        var values: Set<String> = []
        func add(_ value: some StringProtocol) {
            values.insert(String(value))
            values.insert(String(decoding: PercentEncoding.decoding(value), as: UTF8.self))
        }
        if let start = url.firstIndex(of: "?") {
            for item in url[url.index(after: start)...].split(separator: "&") {
                let parts = item.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let name = String(parts[0])
                if isSecret(queryItem: name) { add(parts[1]) }
            }
        }
        for (name, value) in headers where !Request.harmlessHeaders.contains(name.lowercased()) {
            add(value)
            // `Bearer KEY` and the like.
            if let last = value.split(separator: " ").last { add(last) }
        }
        let place = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        if let at = place.lastIndex(of: "@"), let colon = place[..<at].firstIndex(of: ":") {
            add(place[place.index(after: colon)..<at])
        }
        return values.filter { $0.utf8.count >= 4 }.sorted { $0.utf8.count > $1.utf8.count }
    }
}
