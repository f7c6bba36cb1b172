public import OpenDataCore

/// Asks http and https hosts: through URLSession on Apple's platforms, through libcurl elsewhere.
///
/// Whatever status the host answers with comes back as a payload, redirects included; middlewares judge it. A body of
/// up to 64 KiB stays in memory, a longer one goes to a temporary file as it arrives, and `gzip` is undone on the way.
/// Nothing is kept between requests: no cookies, no cache, no passwords. Certificates are always verified.
///
/// On Linux `libcurl.so.4` is loaded at the first request, version 7.68 or later (Debian and Ubuntu: `libcurl4`). Each
/// request has a connection of its own and is sent once. The environment's `http_proxy`, `https_proxy`, `all_proxy` and
/// `no_proxy` are honoured. The certificate authorities are those of ``Configuration/caFile``, else those of the file
/// that the variable `SSL_CERT_FILE` names, else the system's.
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
        /// The path of a PEM file of certificate authorities that are trusted in place of the system's.
        ///
        /// On Apple's platforms, where URLSession knows the keychain only, a request with one is refused.
        public var caFile: String?
        /// The same for single hosts, by name in lower case; a host that is not there has ``caFile``.
        public var caFiles: [String: String] = [:]

        /// Makes a configuration.
        public init(
            connectTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(20),
            totalTimeout: Duration = .seconds(300), userAgent: String = "OpenData/0.1 (Swift)", caFile: String? = nil
        ) {
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.totalTimeout = totalTimeout
            self.userAgent = userAgent
            self.caFile = caFile
        }
    }

    private let configuration: Configuration

    /// Makes a transport.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Sends a GET request and returns the answer, whatever its status.
    ///
    /// Throws ``OpenDataError`` with the codes `unreachable`, `timedOut`, `untrusted`, `badResponse`, `truncated`,
    /// `tooLarge`, `unwritable` (the temporary file), `unreadable` (libcurl), `badAddress`, `badArgument` or
    /// `cancelled`.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        if Task.isCancelled { throw Transfer.cancellation(of: request) }
        let order = try HTTPOrder(request, configuration)
        let transfer = Transfer(request, configuration)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard transfer.begin(continuation) else { return }
                do throws(OpenDataError) {
                    try HTTPEngine.start(transfer, order)
                    transfer.keepTimeLimits()
                } catch {
                    transfer.finish(.failure(error.adding(url: request.redactedURL)))
                }
            }
        } onCancel: {
            transfer.callOff(Transfer.cancellation(of: request))
        }
        return try result.get()
    }
}
