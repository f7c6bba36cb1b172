import Foundation
import OpenDataCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request on its way: collects the body, keeps the time limits, answers once.
final class Transfer: Sendable {
    typealias Outcome = Result<Payload, OpenDataError>

    private static let memoryLimit = 64 << 10

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var isOver = false
        var isAbandoned = false
        var task: URLSessionTask?
        var watchdog: Task<Void, Never>?
        var response: Response?
        // The length that the host announced, where it is that of the bytes received here.
        var announced: Int?
        var received = 0
        var buffer: [UInt8] = []
        var file: TemporaryFile?
        var lastByte: ContinuousClock.Instant
    }

    private let request: Request
    private let configuration: HTTPTransport.Configuration
    private let started: ContinuousClock.Instant
    private let state: Locked<State>

    init(_ request: Request, _ configuration: HTTPTransport.Configuration) {
        self.request = request
        self.configuration = configuration
        started = .now
        state = Locked(State(lastByte: started))
    }

    static func cancellation(of request: Request) -> OpenDataError {
        OpenDataError(.cancelled, "the request to \(request.host) was called off", url: request.redactedURL)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Remembers who waits.
    ///
    /// Answers at once, with `false`, if the transfer was called off before it began.
    func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let began = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return !state.isOver
        }
        if !began { continuation.resume(returning: .failure(Transfer.cancellation(of: request))) }
        return began
    }

    func attach(_ task: URLSessionTask) { state.withLock { $0.task = task } }

    /// Answers, unless that was done before.
    ///
    /// Callable from any thread.
    func finish(_ outcome: Outcome) {
        let (continuation, watchdog) = state.withLock { state in
            defer {
                state.isOver = true
                state.continuation = nil
                state.watchdog = nil
                state.buffer = []
                state.file = nil
            }
            return (state.continuation, state.watchdog)
        }
        watchdog?.cancel()
        continuation?.resume(returning: outcome)
    }

    /// Cancels the task; only by way of ``HTTPSession/abandon(_:)``.
    func cancelTask() {
        let task = state.withLock { state in
            let task = state.task
            state.isAbandoned = state.isAbandoned || task != nil
            state.task = nil
            return task
        }
        task?.cancel()
    }

    /// Answers URLSession's question about a redirect, unless the task is being cancelled.
    ///
    /// An answer after a cancellation traps. The answer is put on the work queue while the lock is held, so that a
    /// cancellation that sees no lock comes behind it on that queue.
    func answerRedirect(_ answer: () -> Void) {
        state.withLock { state in
            if !state.isAbandoned { answer() }
        }
    }

    // What arrives, on the delegate queue.

    func received(_ response: HTTPURLResponse) {
        // An interim answer (103 Early Hints) comes before the real one.
        guard response.statusCode >= 200 else { return }
        let header = Transfer.response(response, request)
        let tooLarge = state.withLock { state in
            state.response = header
            state.lastByte = .now
            let isEncoded = header.header("Content-Encoding").map { $0.lowercased() != "identity" } ?? false
            // Nobody reads the page of a redirect, and URLSession on Linux does not always pass it on.
            let hasNoBody = header.status == 204 || (300..<400).contains(header.status)
            state.announced = isEncoded || hasNoBody ? nil : header.header("Content-Length").flatMap { Int($0) }
            return state.announced.map { $0 > request.maximumBytes } ?? false
        }
        if tooLarge { giveUp(tooLargeError()) }
    }

    func received(_ data: Data) {
        do {
            let fits = try state.withLock { state in
                guard !state.isOver else { return true }
                state.lastByte = .now
                state.received += data.count
                guard state.received <= request.maximumBytes else { return false }
                state.buffer.append(contentsOf: data)
                if state.buffer.count > Transfer.memoryLimit {
                    let file = try state.file ?? TemporaryFile()
                    try file.append(state.buffer)
                    state.file = file
                    state.buffer.removeAll(keepingCapacity: true)
                }
                return true
            }
            if !fits { giveUp(tooLargeError()) }
        } catch {
            giveUp(error as? OpenDataError ?? OpenDataError(.unwritable, "\(error)"))
        }
    }

    func completed(_ error: (any Error)?, _ last: HTTPURLResponse?) {
        guard !isOver else { return release() }
        // A redirect whose target cannot be read comes without a call of `received(_: HTTPURLResponse)`.
        if state.withLock({ $0.response == nil }), error == nil, let last { received(last) }
        finish(Result { () throws(OpenDataError) -> Payload in try payload(error) })
        release()
    }

    private func release() { state.withLock { $0.task = nil } }

    private func payload(_ error: (any Error)?) throws(OpenDataError) -> Payload {
        let failure = TransferFailure(request: request)
        let (response, announced, received) = state.withLock { ($0.response, $0.announced, $0.received) }
        if let error {
            throw failure.error(for: error, response: response, announced: announced, received: received)
        }
        guard let response else { throw failure.noAnswer() }
        if let announced, received < announced {
            throw failure.truncated(response, announced: announced, received: received)
        }
        do {
            let body = try state.withLock { state throws -> Payload.Body in
                guard let file = state.file else { return .bytes(state.buffer) }
                try file.append(state.buffer)
                return .temporary(file)
            }
            return Payload(response: response, body: body)
        } catch {
            throw error as? OpenDataError ?? OpenDataError(.unwritable, "\(error)")
        }
    }

    private func giveUp(_ error: OpenDataError) {
        finish(.failure(error.adding(url: request.redactedURL)))
        HTTPSession.shared.abandon(self)
    }

    private func tooLargeError() -> OpenDataError {
        OpenDataError(
            .tooLarge,
            "the answer of \(request.host) is longer than the \(request.maximumBytes) bytes that this request allows; "
                + "raise the limit if that much is expected", url: request.redactedURL)
    }

    private static func response(_ answer: HTTPURLResponse, _ request: Request) -> Response {
        let fields = answer.allHeaderFields.compactMap { name, value in
            (name as? String).map { Response.HeaderField($0, "\(value)") }
        }
        // A dictionary's order is another in every run.
        return Response(
            status: answer.statusCode, headers: fields.sorted { $0.name < $1.name }, url: request.redactedURL)
    }
}

// MARK: Time limits

extension Transfer {
    /// Starts keeping the time limits; `abandon` is called when one is passed.
    func watch(_ abandon: @escaping @Sendable () -> Void) {
        let watchdog = Task.detached { [weak self] in
            while let deadline = self?.nextDeadline() {
                do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
                if let error = self?.expiry() {
                    self?.finish(.failure(error))
                    return abandon()
                }
            }
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.watchdog = watchdog }
            return state.isOver
        }
        if isOver { watchdog.cancel() }
    }

    private func nextDeadline() -> ContinuousClock.Instant? {
        state.withLock { state in
            if state.isOver { return nil }
            let next =
                state.response == nil
                ? started + configuration.connectTimeout : state.lastByte + configuration.idleTimeout
            return min(next, started + configuration.totalTimeout)
        }
    }

    /// The error of the time limit that has passed, if one has.
    private func expiry() -> OpenDataError? {
        let now = ContinuousClock.now
        let (hasAnswer, lastByte, received) = state.withLock { ($0.response != nil, $0.lastByte, $0.received) }
        let message: String
        if now >= started + configuration.totalTimeout {
            message =
                "the answer of \(request.host) was not complete after \(configuration.totalTimeout.inSeconds)"
                + " (total time-out); \(received) bytes had arrived"
        } else if !hasAnswer, now >= started + configuration.connectTimeout {
            message =
                "\(request.host) did not answer within \(configuration.connectTimeout.inSeconds) (connect time-out)"
        } else if hasAnswer, now >= lastByte + configuration.idleTimeout {
            message =
                "\(request.host) sent nothing for \(configuration.idleTimeout.inSeconds) (idle time-out);"
                + " \(received) bytes had arrived"
        } else {
            return nil
        }
        return OpenDataError(
            .timedOut, message + ProxyEnvironment.current.note(for: request), url: request.redactedURL)
    }
}
