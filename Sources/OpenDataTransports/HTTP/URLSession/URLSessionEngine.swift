#if canImport(Darwin)
    import Foundation
    import OpenDataCore

    /// Asks hosts through the process's one URLSession.
    enum HTTPEngine {
        private static let delegate = SessionDelegate()
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            // How many requests a host gets at once is for the rate limit to say; a request waiting here looks like a
            // slow host.
            configuration.httpMaximumConnectionsPerHost = 64
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.name = "OpenData.HTTPEngine"
            return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        }()

        /// Starts a transfer.
        ///
        /// Throws ``OpenDataError/Code/badAddress``, and `badArgument` for a file of certificate authorities.
        static func start(_ transfer: Transfer, _ order: HTTPOrder) throws(OpenDataError) {
            guard order.caFile == nil else {
                throw OpenDataError(
                    .badArgument, "a file of certificate authorities cannot be used here; add them to the keychain")
            }
            guard let url = URL(string: order.address) else {
                throw OpenDataError(.badAddress, "the address cannot be requested")
            }
            var request = URLRequest(url: url)
            request.httpShouldHandleCookies = false
            request.cachePolicy = .reloadIgnoringLocalCacheData
            request.timeoutInterval = TimeInterval(order.lastResort)
            for (name, value) in order.fields { request.setValue(value, forHTTPHeaderField: name) }
            let task = session.dataTask(with: request)
            delegate.transfers.withLock { $0[task.taskIdentifier] = transfer }
            if order.mustBePublic { delegate.guarded.withLock { _ = $0.insert(task.taskIdentifier) } }
            transfer.attach { task.cancel() }
            task.resume()
        }
    }

    /// Passes on what URLSession reports to the transfer concerned.
    private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
        let transfers = Locked<[Int: Transfer]>([:])
        /// The tasks that must not reach the local network.
        let guarded = Locked<Set<Int>>([])

        private func transfer(of task: URLSessionTask) -> Transfer? { transfers.withLock { $0[task.taskIdentifier] } }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.allow)
            if let response = response as? HTTPURLResponse { pass(response, of: dataTask) }
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let transfer = transfer(of: dataTask) else { return }
            unsafe data.withUnsafeBytes { unsafe transfer.received($0) }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        /// Tells the addresses only when all is over: the answer of one that must not be reached is not passed on.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            let isGuarded = guarded.withLock { $0.remove(task.taskIdentifier) != nil }
            guard isGuarded, let last = metrics.transactionMetrics.last, !last.isProxyConnection,
                let address = last.remoteAddress
            else { return }
            // An address of IPv6 has colons, and perhaps a zone; the text of a host has it in brackets.
            guard HostKind.isLocal(address.contains(":") ? "[\(address)]" : address) else { return }
            transfer(of: task)?.completed(TransferFailure(.local, address))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            transfer?.completed(error.map { TransferFailure($0 as NSError) })
        }

        private func pass(_ response: HTTPURLResponse, of task: URLSessionTask) {
            // An interim answer (103 Early Hints) comes before the real one.
            guard response.statusCode >= 200 else { return }
            let fields = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { Response.HeaderField($0, "\(value)") }
            }
            // A dictionary's order is another in every run.
            transfer(of: task)?.received(status: response.statusCode, fields.sorted { $0.name < $1.name })
        }
    }

    extension TransferFailure {
        /// What an error of URLSession stands for.
        init(_ error: NSError) {
            let reason: Reason =
                switch error.code {
                case NSURLErrorTimedOut: .timedOut
                case NSURLErrorBadURL, NSURLErrorUnsupportedURL: .badAddress
                case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .unknownName
                case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet: .unreached
                case NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed: .untrusted
                case NSURLErrorNetworkConnectionLost: .silence
                default: .unreadable
                }
            self.init(reason, error.localizedDescription)
        }
    }
#endif
