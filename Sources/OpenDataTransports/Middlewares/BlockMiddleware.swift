public import OpenDataCore

/// Recognises the signs by which a host shows that it has shut this address out.
///
/// The signs are those of the host's ``HostPolicy``. Such an answer is never followed, decoded or taken for data.
public struct BlockMiddleware: TransportMiddleware {

    /// Makes a middleware for hosts with a policy.
    public init() {}

    /// Passes the request on and throws ``OpenDataError/Code/blocked`` if the answer shows a sign of the host's policy.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        guard let policy = request.hostPolicy else { return try await next(request) }
        let payload: Payload
        do throws(OpenDataError) {
            payload = try await next(request)
        } catch {
            guard policy.silenceMeansBlocked, error.underlying is ClosedWithoutAnswer else { throw error }
            throw OpenDataError(
                .blocked,
                "\(request.host) closes connections without an answer, as it does for an address that it has"
                    + " shut out", url: error.url, underlying: error)
        }
        let response = payload.response
        if policy.blockStatuses.contains(response.status) { throw blocked(request, payload, "with its block status") }
        if (300..<400).contains(response.status), let location = response.header("Location"),
            policy.blockRedirects.contains(where: { location.holds($0) })
        {
            let target = try? request.redirected(to: URLReference.resolve(location, against: request.url))
            let address = request.redacting(target?.redactedURL ?? location)
            throw blocked(request, payload, "by a redirect to '\(address.prefix(120))'")
        }
        guard !policy.blockSentences.isEmpty || policy.pageMeansBlocked else { return payload }
        let bytes = BodyText.prefix(payload)
        let text = String(decoding: bytes, as: UTF8.self)
        if policy.blockSentences.contains(where: { text.holds($0) }) {
            throw blocked(request, payload, "with a page that says so")
        }
        let isSuccess = (200..<300).contains(response.status)
        if policy.pageMeansBlocked, isSuccess, BodyText.firstByte(bytes) == UInt8(ascii: "<"), isPage(response, text) {
            throw blocked(request, payload, "with a page in place of data")
        }
        return payload
    }

    /// An XML document may be data; it is a page only if the host calls it one.
    private func isPage(_ response: Response, _ text: String) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(5).lowercased()
        return start != "<?xml" || response.mediaType == "text/html" || response.mediaType == "application/xhtml+xml"
    }

    private func blocked(_ request: Request, _ payload: Payload, _ how: String) -> OpenDataError {
        let excerpt = request.redacting(BodyText.excerpt(BodyText.prefix(payload), limit: 80))
        let type = payload.response.header("Content-Type") ?? "no content type"
        let said = excerpt.isEmpty ? "an empty body" : "\"\(excerpt)\""
        return OpenDataError(
            .blocked,
            "\(request.host) has shut this address out, \(how) (status \(payload.response.status), \(type),"
                + " \(said))", url: payload.response.url, status: payload.response.status)
    }
}
