import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The proxy settings of the environment, for messages: libcurl, which asks on Linux, obeys them by itself.
struct ProxyEnvironment {
    static let current = ProxyEnvironment()

    private let variables: [String: String]

    init(_ variables: [String: String]) { self.variables = variables }

    private init() {
        var variables: [String: String] = [:]
        let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        for name in names { variables[name] = unsafe getenv(name).map { unsafe String(cString: $0) } }
        self.init(variables)
    }

    /// ` (through the proxy HOST:PORT, from https_proxy)`, or nothing where no proxy is set for the request's host.
    func note(for request: Request) -> String {
        #if canImport(Darwin)
            // The system's own settings apply there.
            return ""
        #else
            guard let (name, address) = proxy(for: request) else { return "" }
            return " (through the proxy \(address), from the variable \(name))"
        #endif
    }

    /// The variable that applies and the proxy's address, without a user and password.
    func proxy(for request: Request) -> (name: String, address: String)? {
        // HTTP_PROXY in capitals is not obeyed: a web server sets it from a request header.
        let names = request.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        for name in names + ["all_proxy", "ALL_PROXY"] {
            guard let value = variables[name], !value.isEmpty else { continue }
            if isExempt(request.host) { return nil }
            // `scheme://user:password@host:port/`, where all but the host may be missing.
            let parts = value.split(separator: "/", omittingEmptySubsequences: false)
            let hasScheme = parts.count > 2 && parts[0].last == ":" && parts[1].isEmpty
            let authority = hasScheme ? parts[2] : parts[0]
            return (name, String(authority.split(separator: "@").last ?? ""))
        }
        return nil
    }

    private func isExempt(_ host: String) -> Bool {
        let entries = (variables["no_proxy"] ?? variables["NO_PROXY"] ?? "").lowercased()
        return entries.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            let suffix = entry.drop { $0 == "." }
            return entry == "*" || host == suffix || host.hasSuffix(".\(suffix)")
        }
    }
}
