public import OpenDataCore

/// Answers from a list made beforehand, without a network: for tests and previews.
///
/// ```swift
/// let transport = ReplayTransport([.init("https://e.tw/cafes", body: #"[{"name":"A"}]"#, type: "application/json")])
/// ```
public struct ReplayTransport: Transport {
    /// One answer and the addresses that get it.
    public struct Exchange: Sendable {
        /// The address, or its beginning.
        public var url: String
        /// Whether `url` is only the beginning.
        public var isPrefix: Bool
        /// The answer, or the failure in its place.
        public var result: Result<Payload, OpenDataError>

        /// Makes an exchange with any payload or failure.
        public init(_ url: String, isPrefix: Bool = false, _ result: Result<Payload, OpenDataError>) {
            self.url = url
            self.isPrefix = isPrefix
            self.result = result
        }

        /// Makes an exchange with a text as the body.
        public init(_ url: String, isPrefix: Bool = false, status: Int = 200, body: String, type: String = "text/csv") {
            let response = Response(status: status, headers: [.init("Content-Type", type)], url: url)
            self.init(
                url, isPrefix: isPrefix, .success(Payload(response: response, body: .bytes(Array(body.utf8)))))
        }
    }

    private let exchanges: [Exchange]
    private let asked = Locked<[String]>([])

    /// Makes a transport.
    ///
    /// The first exchange whose address fits answers, an exact one before a beginning.
    public init(_ exchanges: [Exchange]) { self.exchanges = exchanges }

    /// The addresses asked for so far, in order, secrets redacted.
    public var requests: [String] { asked.withLock { $0 } }

    /// Answers from the list.
    ///
    /// Throws ``OpenDataError/Code/badAddress`` for an address that is not in it.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        asked.withLock { $0.append(request.redactedURL) }
        if Task.isCancelled { throw OpenDataError(.cancelled, "the request was called off", url: request.redactedURL) }
        let exchange =
            exchanges.first { !$0.isPrefix && $0.url == request.url }
            ?? exchanges.first { $0.isPrefix && request.url.hasPrefix($0.url) }
        guard let exchange else {
            throw OpenDataError(
                .badAddress, "no answer is recorded for '\(request.redactedURL)'", url: request.redactedURL)
        }
        var payload = try exchange.result.get()
        payload.response.url = request.redactedURL
        return payload
    }
}
