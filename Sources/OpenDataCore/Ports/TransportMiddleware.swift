/// A stage between the client and a transport: a limit, a retry, a cache.
public protocol TransportMiddleware: Sendable {
    /// Handles a request, calling `next` as often as needed to pass it on.
    func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload
}
