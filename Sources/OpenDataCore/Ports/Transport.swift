/// A way to get from a request to its payload.
///
/// Conforming: return a payload for a success (status 2xx), throw ``OpenDataError`` for everything else, observe task
/// cancellation with ``OpenDataError/Code/cancelled``, and never hold more than a small part of a body in memory.
public protocol Transport: Sendable {
    /// Sends a request and returns the answer when its body is complete.
    func send(_ request: Request) async throws(OpenDataError) -> Payload
}

/// A stage between the client and a transport: a limit, a retry, a cache.
public protocol TransportMiddleware: Sendable {
    /// Handles a request, calling `next` as often as needed to pass it on.
    func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload
}

/// A transport behind middlewares, the first of which sees a request first.
public struct MiddlewareTransport: Transport {
    private let middlewares: [any TransportMiddleware]
    private let transport: any Transport

    /// Puts middlewares in front of a transport.
    public init(_ middlewares: [any TransportMiddleware], _ transport: any Transport) {
        self.middlewares = middlewares
        self.transport = transport
    }

    /// Passes a request through every middleware to the transport.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        try await send(request, from: 0)
    }

    private func send(_ request: Request, from index: Int) async throws(OpenDataError) -> Payload {
        guard index < middlewares.count else { return try await transport.send(request) }
        return try await middlewares[index].send(request) { (request) async throws(OpenDataError) -> Payload in
            try await send(request, from: index + 1)
        }
    }
}
