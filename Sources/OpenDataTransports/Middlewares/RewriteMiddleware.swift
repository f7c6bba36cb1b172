public import OpenDataCore

/// Asks a mirror in place of the published addresses.
///
/// It stands next to the transport: whatever is above sees published addresses only, in limits, policies, errors and
/// the response. A redirect's `Location` is turned back too. It is resolved as the mirror means it; if that lies within
/// the mirror, the published address that it stands for is taken, as in `/www.twse.com.tw/block.html` from
/// `http://127.0.0.1:8931/`. If not, a relative one was passed on from the real host and is resolved against the
/// published address; an absolute one stays as it is.
public struct RewriteMiddleware: TransportMiddleware {
    private let rules: [RewriteRule]

    /// Makes a middleware; the first rule that applies to an address is used.
    public init(_ rules: [RewriteRule]) { self.rules = rules }

    /// Passes the request on with its address rewritten.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        // A user and password are meant for the published host.
        let address = request.urlWithoutUser
        guard let (rule, url) = rules.lazy.compactMap({ rule in rule.rewritten(address).map { (rule, $0) } }).first
        else { return try await next(request) }
        var mirror = try request.redirected(to: url)
        // Whoever wrote the rule has named the mirror, wherever it is.
        mirror.mustBePublic = false
        do throws(OpenDataError) {
            var payload = try await next(mirror)
            payload.response.url = request.redactedURL
            for index in payload.response.headers.indices
            where payload.response.headers[index].name.lowercased() == "location" {
                let location = payload.response.headers[index].value
                payload.response.headers[index].value = published(location, rule, request.url, mirror: mirror.url)
            }
            return payload
        } catch {
            var error = error
            error.url = request.redactedURL
            throw error
        }
    }

    private func published(_ location: String, _ rule: RewriteRule, _ url: String, mirror: String) -> String {
        let target = URLReference.resolve(location, against: mirror)
        if let published = rule.published(target) { return published }
        return URLReference.resolve(location, against: url)
    }
}
