public import OpenDataCore

/// Makes errors of statuses that are not a success, and of a success without a body or with a word about a key.
///
/// The status is judged before anything looks at the body; its first 200 characters become part of the message. A 304
/// is passed on if the request carried a condition, for whoever set it.
public struct StatusMiddleware: TransportMiddleware {
    private let now: @Sendable () -> Double

    /// Makes a middleware.
    public init() { self.init(now: { SystemClock.secondsSince1970 }) }

    /// `now` is the time in seconds since 1970.
    init(now: @escaping @Sendable () -> Double) { self.now = now }

    /// Passes on answers with status 2xx and throws for the others.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        let payload = try await next(request)
        let response = payload.response
        switch response.status {
        case 200..<300:
            if case .bytes(let bytes) = payload.body, bytes.isEmpty { throw emptyBody(request, response) }
            if let sentence = keySentence(in: payload, request) { throw refused(request, response, sentence) }
            return payload
        case 304 where request.isConditional: return payload
        default: throw error(for: payload, request)
        }
    }

    private func emptyBody(_ request: Request, _ response: Response) -> OpenDataError {
        OpenDataError(
            .emptyBody, "\(request.host) answered with status \(response.status) and an empty body", url: response.url,
            status: response.status)
    }

    /// What the answer says where its host refuses a key by a sentence in place of data, as the host's policy tells.
    private func keySentence(in payload: Payload, _ request: Request) -> String? {
        guard let sentences = request.hostPolicy?.keySentences, !sentences.isEmpty else { return nil }
        let said = BodyText.excerpt(BodyText.prefix(payload, bytes: 400), limit: 80)
        return sentences.contains { said.hasPrefix($0) } ? said : nil
    }

    private func refused(_ request: Request, _ response: Response, _ sentence: String) -> OpenDataError {
        OpenDataError(
            .unauthorised,
            "\(request.host) refuses the key, in place of data: '\(request.redacting(sentence))'; it may be missing,"
                + " mistyped or expired", url: response.url, status: response.status)
    }

    private func error(for payload: Payload, _ request: Request) -> OpenDataError {
        let response = payload.response
        let excerpt = request.redacting(BodyText.excerpt(BodyText.prefix(payload), limit: 200))
        let said = excerpt.isEmpty ? "" : ": \(excerpt)"
        let host = request.host
        func made(_ code: OpenDataError.Code, _ message: String, after: Duration? = nil) -> OpenDataError {
            OpenDataError(code, message, url: response.url, status: response.status, retryAfter: after)
        }
        switch response.status {
        case 401, 403:
            return made(
                .unauthorised,
                "\(host) refuses the request with status \(response.status); a key may be missing,"
                    + " wrong or expired\(said)")
        case 404, 410:
            return made(
                .notFound, "\(host) has nothing at this address (status \(response.status)); it may have moved\(said)")
        case 402, 429:
            let wait = response.retryAfter(now: now())
            let hint = wait.map { "; it asks to wait \($0.inSeconds)" } ?? ""
            return made(
                .rateLimited, "\(host) asks for fewer requests (status \(response.status))\(hint)\(said)", after: wait)
        case 300..<400:
            return made(
                .httpStatus,
                "\(host) answered with status \(response.status) and no address that could be followed"
                    + said)
        default:
            return made(
                .httpStatus, "\(host) answered with status \(response.status)\(said)",
                after: response.retryAfter(now: now()))
        }
    }
}

extension Request {
    /// Whether the request asks for an answer only if something has changed.
    var isConditional: Bool {
        headers.keys.contains { ["if-none-match", "if-modified-since"].contains($0.lowercased()) }
    }
}
