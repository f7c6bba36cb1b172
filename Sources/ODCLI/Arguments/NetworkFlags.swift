import OpenData
import OpenDataCore
import OpenDataTransports

/// What the flags of a command say of the network and of what is kept.
struct NetworkFlags: Sendable {
    /// What may be used of earlier downloads.
    let cache: CachePolicy

    private let parsed: ParsedArguments
    private let rewrites: [RewriteRule]
    private let authorities: [String: String]
    private let timeout: Duration?

    /// Reads the flags.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    init(_ parsed: ParsedArguments, _ context: Context) throws(OpenDataError) {
        self.parsed = parsed
        timeout = try NetworkFlags.duration(parsed[.timeout])
        var rules: [RewriteRule] = []
        let more = (context.environment["ODCTL_REWRITE"] ?? "").split(separator: " ").map(String.init)
        for text in parsed.all(.rewrite) + more { rules.append(try RewriteRule.parse(text)) }
        rewrites = rules
        var files: [String: String] = [:]
        for text in parsed.all(.authorities) {
            guard let end = text.firstIndex(of: "="), end > text.startIndex, text.index(after: end) < text.endIndex
            else {
                throw OpenDataError(.badArgument, "--ca-file takes HOST=FILE, not '\(text)'")
            }
            files[text[..<end].lowercased()] = String(text[text.index(after: end)...])
        }
        authorities = files
        cache = try NetworkFlags.policy(parsed)
    }

    /// A client that does as the flags say, or uses the network of a test.
    func client(_ context: Context, isQuiet: Bool) -> Client {
        if let transport = context.transport { return Client(transport: transport) }
        var configuration = Client.Configuration()
        if let timeout {
            configuration.http.totalTimeout = timeout
            configuration.http.connectTimeout = min(timeout, configuration.http.connectTimeout)
            configuration.http.idleTimeout = min(timeout, configuration.http.idleTimeout)
        }
        configuration.rewrites = rewrites
        configuration.http.caFiles = authorities
        configuration.cache = context.cache(parsed)
        let console = context.console
        configuration.onNotice = { notice in
            if !isQuiet { console.tell("odctl: \(notice.message)") }
        }
        return Client(configuration)
    }

    /// What the flags say of kept copies.
    private static func policy(_ parsed: ParsedArguments) throws(OpenDataError) -> CachePolicy {
        let modes = [Flag.offline, .asOf, .refresh].filter { parsed.has($0) }
        if modes.count > 1 {
            throw OpenDataError(.badArgument, "\(modes[0].name) and \(modes[1].name) exclude each other")
        }
        if let mode = modes.first, let other = [Flag.from, .sample].first(where: { parsed.has($0) }) {
            throw OpenDataError(.badArgument, "\(mode.name) and \(other.name) exclude each other")
        }
        var policy = CachePolicy()
        if parsed.has(.offline) { policy.mode = .offline }
        if parsed.has(.refresh) { policy.mode = .refresh }
        if let time = try ArgumentValues.time(parsed[.asOf], of: .asOf) { policy.mode = .asOf(time) }
        policy.maximumAge = try ArgumentValues.age(parsed[.maxAge], of: .maxAge)
        policy.useStaleIfHostFails = parsed.has(.staleIfError)
        policy.keepsDownloads = !parsed.has(.noStore)
        return policy
    }

    private static func duration(_ text: String?) throws(OpenDataError) -> Duration? {
        guard let text else { return nil }
        let isNumber = text.utf8.allSatisfy { $0 &- 48 < 10 || $0 == UInt8(ascii: ".") }
        guard isNumber, let seconds = Double(text), seconds >= 0.001, seconds <= 86_400 else {
            throw OpenDataError(.badArgument, "--timeout takes seconds, from 0.001 to 86400, not '\(text)'")
        }
        return .milliseconds(Int(seconds * 1000))
    }
}
