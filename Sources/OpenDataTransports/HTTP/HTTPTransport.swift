import Foundation
public import OpenDataCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks http and https hosts, through URLSession.
///
/// Whatever status the host answers with comes back as a payload, redirects included; middlewares judge it. A body of up
/// to 64 KiB stays in memory, a longer one goes to a temporary file as it arrives, and `gzip` is undone on the way. All
/// transports of a process share one URLSession without cookies, cache or stored passwords.
///
/// Certificates are always verified. On Linux the environment's `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`
/// are honoured, and the certificate authorities are those of the system's bundle.
public struct HTTPTransport: Transport {
    /// Time limits and the name given to hosts.
    public struct Configuration: Sendable {
        /// How long the host may take until its header has arrived: name look-up, connection and encryption included.
        public var connectTimeout: Duration
        /// How long no byte of the body may arrive.
        public var idleTimeout: Duration
        /// How long the whole request may take.
        public var totalTimeout: Duration
        /// The value of the `User-Agent` header.
        public var userAgent: String

        /// Makes a configuration.
        public init(
            connectTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(20),
            totalTimeout: Duration = .seconds(300), userAgent: String = "OpenData/0.1 (Swift)"
        ) {
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.totalTimeout = totalTimeout
            self.userAgent = userAgent
        }
    }

    private let configuration: Configuration

    /// Makes a transport.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Sends a GET request and returns the answer, whatever its status.
    ///
    /// Throws ``OpenDataError`` with the codes `unreachable`, `timedOut`, `untrusted`, `badResponse`, `truncated`,
    /// `tooLarge`, `unwritable` (the temporary file), `badAddress` or `cancelled`.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        if Task.isCancelled { throw Transfer.cancellation(of: request) }
        let transfer = Transfer(request, configuration)
        let order = try urlRequest(for: request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if transfer.begin(continuation) { HTTPSession.shared.start(transfer, order) }
            }
        } onCancel: {
            // The answer is given at once; the transfer is ended elsewhere. Nothing here waits for URLSession.
            transfer.finish(.failure(Transfer.cancellation(of: request)))
            HTTPSession.shared.abandon(transfer)
        }
        return try result.get()
    }

    private func urlRequest(for request: Request) throws(OpenDataError) -> URLRequest {
        guard ["http", "https"].contains(request.scheme), let url = HTTPTransport.foundationURL(request.url) else {
            throw OpenDataError(
                .badAddress, "'\(request.redactedURL)' is not an http or https address", url: request.redactedURL)
        }
        var order = URLRequest(url: url)
        order.httpShouldHandleCookies = false
        order.cachePolicy = .reloadIgnoringLocalCacheData
        // Only the net below the time limits here, which are kept by `Transfer`.
        order.timeoutInterval = TimeInterval(configuration.totalTimeout.components.seconds) + 60
        order.setValue(configuration.userAgent, forHTTPHeaderField: "User-Agent")
        order.setValue("*/*", forHTTPHeaderField: "Accept")
        #if canImport(FoundationNetworking)
            // The library beneath sends a request up to five times more, unseen, when a kept connection is closed
            // without an answer. A host that shuts an address out does just that; its limit would be broken behind
            // the back of whoever counts. So the host is asked to close; a new connection for each request is the price.
            order.setValue("close", forHTTPHeaderField: "Connection")
        #endif
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
            guard HTTPTransport.isSafe(name), HTTPTransport.isSafe(value) else {
                throw OpenDataError(.badArgument, "header '\(name.prefix(40))' holds a line break or control character")
            }
            order.setValue(value, forHTTPHeaderField: name)
        }
        return order
    }

    /// The address as Foundation's type, without a fragment.
    ///
    /// Foundation encodes a component again as a whole when one of its characters is illegal. Only brackets can be, in
    /// an address that ``Request`` has made, so they are encoded here.
    static func foundationURL(_ text: String) -> URL? {
        let text = text.prefix { $0 != "#" }
        guard let scheme = text.range(of: "://") else { return nil }
        let rest = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let tail = text[rest...].replacingOccurrences(of: "[", with: "%5B").replacingOccurrences(of: "]", with: "%5D")
        guard let url = URL(string: text[..<rest] + tail), url.host?.isEmpty == false else { return nil }
        return url
    }

    private static func isSafe(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
