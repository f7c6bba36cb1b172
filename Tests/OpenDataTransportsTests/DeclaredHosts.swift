import OpenDataCore

/// Has requests say what a data set would say of its hosts.
struct DeclaredHosts: TransportMiddleware {
    private let policies: [HostPolicy]

    init(_ policies: [HostPolicy]) { self.policies = policies }

    func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        var request = request
        request.hosts = policies
        return try await next(request)
    }
}
