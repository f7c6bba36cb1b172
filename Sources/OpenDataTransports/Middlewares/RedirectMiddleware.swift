public import OpenDataCore

/// Follows redirects, and refuses those that lead where no data set should.
///
/// 301, 302, 303, 307 and 308 with a `Location` are followed by GET. Refused are: a change from https to anything else,
/// and a local address (loopback, link-local, private) unless the request began at one; also another host whose name
/// turns out to stand for such an address, as far as it is looked up here and not by a proxy. A request that must be
/// public may not even begin at a local address. Header fields that may carry a key are not sent to another host. Every
/// hop passes through the middlewares below, limits included.
public struct RedirectMiddleware: TransportMiddleware {
    private let limit: Int

    /// Makes a middleware that follows at most `limit` redirects of one request.
    public init(limit: Int = 10) { self.limit = limit }

    /// Passes the request on until the answer is no redirect.
    ///
    /// Throws ``OpenDataError/Code/badResponse`` for a refused redirect, for more redirects than allowed, and for a
    /// local address that nobody here has named.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        let mayBeLocal = HostKind.isLocal(request.host)
        if mayBeLocal, request.mustBePublic {
            throw OpenDataError(
                .badResponse,
                "'\(request.host)' is not asked: it is an address of the local network, and a portal has named it",
                url: request.redactedURL)
        }
        var current = request
        var visited: Set<String> = [request.url]
        for _ in 0...max(limit, 0) {
            let payload = try await next(current)
            guard [301, 302, 303, 307, 308].contains(payload.response.status),
                let location = payload.response.header("Location"), !location.isEmpty
            else { return payload }
            current = try target(location, from: current, payload.response, mayBeLocal: mayBeLocal)
            current.mustBePublic = request.mustBePublic || !mayBeLocal && current.host != request.host
            if !visited.insert(current.url).inserted {
                throw OpenDataError(
                    .badResponse,
                    "too many redirects: \(request.host) redirects in a circle to '\(current.redactedURL)'",
                    url: request.redactedURL, status: payload.response.status)
            }
        }
        throw OpenDataError(
            .badResponse,
            "too many redirects: \(request.host) redirected more than \(limit) times, last to"
                + " '\(current.redactedURL)'", url: request.redactedURL)
    }

    private func target(
        _ location: String, from current: Request, _ response: Response, mayBeLocal: Bool
    ) throws(OpenDataError) -> Request {
        func refusal(_ reason: String) -> OpenDataError {
            OpenDataError(
                .badResponse, "the redirect of \(current.host) is refused: \(reason)", url: current.redactedURL,
                status: response.status)
        }
        let address = URLReference.resolve(location, against: current.url)
        guard var target = try? current.redirected(to: address) else { throw refusal("it leads to no usable address") }
        guard ["http", "https"].contains(target.scheme) else {
            throw refusal("it leads to a '\(target.scheme)' address")
        }
        if current.scheme == "https", target.scheme == "http" {
            throw refusal("it leads from https to the unencrypted '\(target.redactedURL)'")
        }
        if !mayBeLocal, HostKind.isLocal(target.host) {
            throw refusal("it leads to '\(target.host)', an address of the local network")
        }
        if target.host != current.host {
            target.headers = target.headers.filter { Request.harmlessHeaders.contains($0.key.lowercased()) }
        }
        return target
    }
}
