public import OpenDataCore

/// A beginning of addresses and what stands in its place: a mirror, or a server for tests.
public struct RewriteRule: Sendable, Hashable {
    /// The beginning of the published addresses, such as `https://`.
    public var prefix: String
    /// What is asked in its place, such as `http://127.0.0.1:8931/`.
    public var replacement: String

    /// Makes a rule.
    public init(_ prefix: String, _ replacement: String) {
        self.prefix = prefix
        self.replacement = replacement
    }

    /// Reads a rule of the form `PREFIX=REPLACEMENT`.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` unless both begin with http:// or https:// (file:// too for the
    /// replacement), in which case the first `=` that such a beginning follows parts them.
    public static func parse(_ text: String) throws(OpenDataError) -> RewriteRule {
        let schemes = ["http://", "https://"]
        for index in text.indices where text[index] == "=" {
            let prefix = String(text[..<index])
            let replacement = String(text[text.index(after: index)...])
            let isReplacement = (schemes + ["file://"]).contains { replacement.hasPrefix($0) && replacement != $0 }
            if isReplacement, schemes.contains(where: { prefix.hasPrefix($0) }) {
                return RewriteRule(prefix, replacement)
            }
        }
        throw OpenDataError(
            .badArgument,
            "'\(text)' is not a rewrite of the form PREFIX=REPLACEMENT, such as https://=http://127.0.0.1:8931/")
    }

    /// The address to ask in place of a published one: by the first rule that applies, else itself.
    public static func address(for url: String, _ rules: [RewriteRule]) -> String {
        rules.lazy.compactMap { $0.rewritten(url) }.first ?? url
    }

    /// The address to ask in place of a published one, if the rule applies.
    func rewritten(_ url: String) -> String? {
        url.hasPrefix(prefix) ? replacement + url.dropFirst(prefix.count) : nil
    }

    /// The published address that one of the mirror stands for, if it lies within the mirror.
    func published(_ url: String) -> String? {
        url.hasPrefix(replacement) ? prefix + url.dropFirst(replacement.count) : nil
    }
}
