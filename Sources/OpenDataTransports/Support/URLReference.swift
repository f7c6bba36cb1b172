/// Resolution of a relative address against another (RFC 3986, 5.2), on text: nothing is encoded or decoded.
enum URLReference {
    /// The absolute address that `reference` stands for on the page `base`, without a fragment.
    static func resolve(_ reference: String, against base: String) -> String {
        let reference = trimmed(reference).prefix { $0 != "#" }
        if hasScheme(reference) { return String(reference) }
        let parts = Parts(base)
        if reference.hasPrefix("//") { return "\(parts.scheme):\(reference)" }
        let origin = "\(parts.scheme)://\(parts.authority)"
        if reference.isEmpty { return origin + parts.path + parts.query }
        if reference.hasPrefix("?") { return origin + parts.path + reference }
        let path = reference.prefix { $0 != "?" }
        let query = reference[path.endIndex...]
        if path.hasPrefix("/") { return origin + withoutDots(path) + query }
        let folder = parts.path.lastIndex(of: "/").map { parts.path[...$0] } ?? "/"
        return origin + withoutDots(folder + path) + query
    }

    /// An absolute address in pieces; the path is never empty, the query has its question mark.
    private struct Parts {
        let scheme: Substring
        let authority: Substring
        let path: Substring
        let query: Substring

        init(_ url: String) {
            let url = url.prefix { $0 != "#" }
            scheme = url.prefix { $0 != ":" }
            let rest = url[scheme.endIndex...].drop { $0 == ":" }.dropFirst(2)
            authority = rest.prefix { $0 != "/" && $0 != "?" }
            let tail = rest[authority.endIndex...]
            let path = tail.prefix { $0 != "?" }
            query = tail[path.endIndex...]
            self.path = path.isEmpty ? "/" : path
        }
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text[...].drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func hasScheme(_ text: Substring) -> Bool {
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// The absolute path without `.` and `..` segments (RFC 3986, 5.2.4).
    private static func withoutDots(_ path: some StringProtocol) -> String {
        var kept: [String] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments {
            if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(String(segment)) }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/")
    }
}
