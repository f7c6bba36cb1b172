import Foundation
import OpenDataCore

/// The proxy settings of the environment, for messages: the library beneath URLSession on Linux obeys them by itself.
struct ProxyEnvironment {
    static let current = ProxyEnvironment(ProcessInfo.processInfo.environment)

    private let variables: [String: String]

    init(_ variables: [String: String]) { self.variables = variables }

    /// ` (through the proxy HOST:PORT, from https_proxy)`, or nothing where no proxy is set for the request's host.
    func note(for request: Request) -> String {
        #if canImport(FoundationNetworking)
            guard let (name, address) = proxy(for: request) else { return "" }
            return " (through the proxy \(address), from the variable \(name))"
        #else
            return ""
        #endif
    }

    /// The variable that applies and the proxy's address, without a user and password.
    func proxy(for request: Request) -> (name: String, address: String)? {
        // HTTP_PROXY in capitals is not obeyed: a web server sets it from a request header.
        let names = request.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        for name in names + ["all_proxy", "ALL_PROXY"] {
            guard let value = variables[name], !value.isEmpty else { continue }
            if isExempt(request.host) { return nil }
            let withoutScheme = value.range(of: "://").map { value[$0.upperBound...] } ?? value[...]
            let authority = withoutScheme.prefix { $0 != "/" }
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
