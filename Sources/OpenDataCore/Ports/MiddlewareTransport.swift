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
