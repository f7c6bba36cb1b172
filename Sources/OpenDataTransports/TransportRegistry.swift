public import OpenDataCore

/// Passes each request to the transport of its scheme.
public struct TransportRegistry: Transport {
    private var transports: [String: any Transport]

    /// Makes a registry from transports by scheme, in lower case.
    public init(_ transports: [String: any Transport]) { self.transports = transports }

    /// The transports that the package brings along.
    public static func standard(_ configuration: HTTPTransport.Configuration = .init()) -> TransportRegistry {
        let http = HTTPTransport(configuration)
        return TransportRegistry([
            "http": http,
            "https": http,
            "file": FileTransport(),
        ])
    }

    /// The transport of a scheme; set one to add or replace it.
    public subscript(scheme: String) -> (any Transport)? {
        get { transports[scheme] }
        set { transports[scheme] = newValue }
    }

    /// Sends a request by its scheme's transport.
    ///
    /// Throws ``OpenDataError/Code/badAddress`` for an unknown scheme.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        guard let transport = transports[request.scheme] else {
            let known = transports.keys.sorted().joined(separator: ", ")
            throw OpenDataError(
                .badAddress, "nothing here can read '\(request.scheme)' addresses; known are \(known)",
                url: request.redactedURL)
        }
        return try await transport.send(request)
    }
}
