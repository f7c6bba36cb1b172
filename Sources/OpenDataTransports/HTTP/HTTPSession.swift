import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The process's one URLSession.
///
/// How a transfer is given up, on Linux (read from and tried on swift-corelibs-foundation of Swift 6.3):
/// * `URLSessionTask.cancel()` waits for the session's work queue. Called from a task's cancellation handler it can
///   wait for ever, because that queue may be resuming the same task. Called from the delegate queue it cannot: nothing
///   waits for that one.
/// * Answering a redirect callback after `cancel()` traps. Both happen on the serial delegate queue, so that the
///   callback can see that the transfer was given up, and stay silent.
/// * The disposition given to `didReceive response` is ignored, and `suspend()` leaves the connection open.
///
/// So the caller's continuation is resumed at once, and the cancelling is left to the delegate queue. Whatever still
/// arrives for the transfer is ignored.
final class HTTPSession: Sendable {
    static let shared = HTTPSession()

    private let session: URLSession
    private let queue: OperationQueue
    private let delegate = SessionDelegate()

    private init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.name = "OpenData.HTTPSession"
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // How many requests a host gets at once is for the rate limit to say; a request waiting here looks like a slow
        // host.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }

    /// Starts a transfer.
    func start(_ transfer: Transfer, _ request: URLRequest) {
        let task = session.dataTask(with: request)
        delegate.transfers.withLock { $0[task.taskIdentifier] = transfer }
        transfer.attach(task)
        task.resume()
        transfer.watch { [self] in abandon(transfer) }
        if transfer.isOver { abandon(transfer) }
    }

    /// Ends the connection of a transfer whose result nobody waits for any more.
    func abandon(_ transfer: Transfer) {
        queue.addOperation { transfer.abandonOnDelegateQueue() }
    }
}

/// Passes on what URLSession reports to the transfer concerned.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    let transfers = Locked<[Int: Transfer]>([:])

    private func transfer(of task: URLSessionTask) -> Transfer? { transfers.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        if let response = response as? HTTPURLResponse { transfer(of: dataTask)?.received(response) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if transfer(of: task)?.isAbandoned != false { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // A 401 ends here with its body received; without an answer the task would never end.
            transfer(of: task)?.completed(nil, task.response as? HTTPURLResponse)
            completionHandler(.cancelAuthenticationChallenge, nil)
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.completed(error, task.response as? HTTPURLResponse)
    }
}
