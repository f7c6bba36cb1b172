import OpenDataCore

/// An error as lines for a person: what went wrong, what is known of it, what to do.
enum ErrorReport {
    /// The lines, without a line break at the end.
    static func text(_ error: OpenDataError, command: String?) -> String {
        var lines = ["odctl: \(error.code.rawValue): \(error.message)"]
        var facts: [(String, String)] = []
        if let dataset = error.dataset { facts.append(("data set", dataset)) }
        if error.stage != .request, let field = error.field { facts.append(("field", field)) }
        if let position = error.position { facts.append(("position", position.description)) }
        if let url = error.url {
            let path = url.dropFirst(url.hasPrefix("file:///") ? 7 : 5)
            facts.append(url.hasPrefix("file:") ? ("file", String(path)) : ("address", url))
        }
        if let status = error.status { facts.append(("status", "HTTP \(status)")) }
        if let hint = hint(error, command) { facts.append(("to do", hint)) }
        lines += facts.map { name, value in "  \(name):" + String(repeating: " ", count: 10 - name.count) + value }
        return lines.joined(separator: "\n")
    }

    private static func hint(_ error: OpenDataError, _ command: String?) -> String? {
        let isOffline = error.url?.hasPrefix("file:") ?? false
        switch error.code {
        case .badArgument:
            let topic = Commands.names.first { $0 == command }
            return topic.map { "see 'odctl \($0) --help'" } ?? "see 'odctl help'"
        case .unknownDataset: return "see 'odctl list'"
        case .noData: return isOffline ? nil : "ask for another day, month or place"
        case .unauthorised: return "check the key"
        case .untrusted: return "check this machine's clock, certificates and proxy"
        case .rejected: return "look at the records, or accept so many with --allow-rejects N"
        case .cancelled, .unreadable, .unwritable, .badAddress, .valueNotFound, .notCached, .damaged: return nil
        default: break
        }
        if isOffline {
            return "check that these bytes are what the publisher sends; 'odctl describe ID' names the formats"
        }
        switch error.recovery {
        case .retryLater:
            let wait = error.retryAfter.map { "wait \($0.components.seconds) s" } ?? "wait a while"
            return "\(wait), then try again"
        case .fixConnector: return "the publisher may have changed something: look for a newer odctl, or report it"
        case .reportUpstream: return "the publisher's data are broken: report it to them"
        case .fixRequest: return nil
        }
    }
}
