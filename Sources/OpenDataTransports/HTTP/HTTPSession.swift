import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The process's one URLSession.
///
/// How a transfer is given up, on Linux (read from and tried on swift-corelibs-foundation of Swift 6.3):
/// * `URLSessionTask.cancel()` waits for the session's work queue. Called from a task's cancellation handler it can
///   wait for ever, because that queue may be resuming the same task; called from the delegate queue it can, because
///   the work queue may be waiting for room there. It is called on a queue of its own, which nobody waits for.
/// * Answering a redirect callback after `cancel()` traps; see ``Transfer/answerRedirect(_:)``.
/// * An answer that ends within its header lines ends the process too, inside URLSession; nothing here can prevent that.
/// * The disposition given to `didReceive response` is ignored, and `suspend()` leaves the connection open.
///
/// So the caller's continuation is resumed at once, the task is cancelled elsewhere, and whatever still arrives is
/// ignored.
final class HTTPSession: Sendable {
    static let shared = HTTPSession()

    private let session: URLSession
    private let queue: OperationQueue
    private let delegate = SessionDelegate()
    private let cancelling = DispatchQueue(label: "OpenData.HTTPSession.cancelling")

    private init() {
        #if canImport(FoundationNetworking)
            queue = BoundedQueue()
        #else
            queue = OperationQueue()
        #endif
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
        cancelling.async { transfer.cancelTask() }
    }

    /// Runs something that may wait for the session's work queue.
    func later(_ body: @escaping @Sendable () -> Void) { cancelling.async(execute: body) }
}

#if canImport(FoundationNetworking)
    /// A queue that makes URLSession wait while 64 reports, a mebibyte of body, are still to be worked on.
    ///
    /// Without it the bytes of a host faster than the disk, or of a small body that inflates to a large one, would pile
    /// up in memory.
    private final class BoundedQueue: OperationQueue, @unchecked Sendable {
        private let room = DispatchSemaphore(value: 64)

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            room.wait()
            super.addOperation { [room] in
                block()
                room.signal()
            }
        }
    }
#endif

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
            transfer(of: task)?.answerRedirect { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // A 401 ends here with its body received; without an answer the task would never end.
            transfer(of: task)?.completed(nil, task.response as? HTTPURLResponse)
            HTTPSession.shared.later { completionHandler(.cancelAuthenticationChallenge, nil) }
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.completed(error, task.response as? HTTPURLResponse)
    }
}
