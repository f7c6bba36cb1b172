import OpenDataCore

/// One request on its way: collects the body, keeps the time limits, answers once.
///
/// The library that talks to the host tells what arrives; anybody may call the transfer off. The caller has its answer
/// at once then, and the connection is ended by the library in its own time.
final class Transfer: Sendable {
    typealias Outcome = Result<Payload, OpenDataError>

    private static let memoryLimit = 64 << 10

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var isOver = false
        var disconnect: (@Sendable () -> Void)?
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

    /// Remembers how the connection is ended, or ends it if the transfer is over already.
    func attach(_ disconnect: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.disconnect = disconnect }
            return state.isOver
        }
        if isOver { disconnect() }
    }

    /// Answers, unless that was done before.
    ///
    /// Callable from any thread.
    func finish(_ outcome: Outcome) { _ = end(outcome) }

    /// Answers with an error, unless that was done before, and ends the connection.
    ///
    /// Callable from any thread.
    func callOff(_ error: OpenDataError) { end(.failure(error))?() }

    private func end(_ outcome: Outcome) -> (@Sendable () -> Void)? {
        let (continuation, watchdog, disconnect, outcome) = state.withLock { state in
            let outcome = Transfer.adding(state, to: outcome)
            defer {
                state.isOver = true
                state.continuation = nil
                state.watchdog = nil
                state.disconnect = nil
                state.buffer = []
                state.file = nil
            }
            return (state.continuation, state.watchdog, state.disconnect, outcome)
        }
        watchdog?.cancel()
        continuation?.resume(returning: outcome)
        return disconnect
    }

    /// A failure that more time or another attempt would have mended, with what had arrived beneath it.
    private static func adding(_ state: State, to outcome: Outcome) -> Outcome {
        guard case .failure(var error) = outcome, [.truncated, .timedOut, .cancelled].contains(error.code),
            error.underlying == nil, let response = state.response, [200, 206].contains(response.status)
        else { return outcome }
        var body = Payload.Body.bytes(state.buffer)
        if let file = state.file {
            guard (try? file.append(state.buffer)) != nil else { return outcome }
            body = .temporary(file)
        }
        error.underlying = PartialAnswer(response: response, body: body)
        return .failure(error)
    }

    // MARK: What arrives, on the library's thread

    /// Takes the status and the header fields; interim ones (103 Early Hints) are not told.
    func received(status: Int, _ fields: [Response.HeaderField]) {
        let header = Response(status: status, headers: fields, url: request.redactedURL)
        let isTooLong = state.withLock { state in
            state.response = header
            state.lastByte = .now
            let isEncoded = header.header("Content-Encoding").map { $0.lowercased() != "identity" } ?? false
            let isCounted = !isEncoded && header.header("Transfer-Encoding") == nil && ![204, 304].contains(status)
            state.announced = isCounted ? header.header("Content-Length").flatMap { Int($0) } : nil
            return state.announced.map { $0 > request.maximumBytes } ?? false
        }
        if isTooLong { callOff(tooLarge) }
    }

    /// Takes the next bytes of the body, decompressed.
    func received(_ bytes: UnsafeRawBufferPointer) {
        do {
            let fits = try state.withLock { state in
                guard !state.isOver else { return true }
                state.lastByte = .now
                state.received += bytes.count
                guard state.received <= request.maximumBytes else { return false }
                unsafe state.buffer.append(contentsOf: bytes)
                if state.buffer.count > Transfer.memoryLimit {
                    let file = try state.file ?? TemporaryFile()
                    try file.append(state.buffer)
                    state.file = file
                    state.buffer.removeAll(keepingCapacity: true)
                }
                return true
            }
            if !fits { callOff(tooLarge) }
        } catch {
            callOff(unwritable(error))
        }
    }

    /// Takes the end, with what went wrong if something did.
    func completed(_ failure: TransferFailure?) {
        finish(Result { () throws(OpenDataError) -> Payload in try payload(failure) })
    }

    private func payload(_ failure: TransferFailure?) throws(OpenDataError) -> Payload {
        let (response, announced, received) = state.withLock { ($0.response, $0.announced, $0.received) }
        let failure = failure ?? (response == nil ? TransferFailure(.silence) : nil)
        if let failure { throw failure.error(for: request, response, received: received, of: announced) }
        guard let response, received >= announced ?? 0 else {
            throw TransferFailure(.cutShort).error(for: request, response, received: received, of: announced)
        }
        do {
            let body = try state.withLock { state throws -> Payload.Body in
                guard let file = state.file else { return .bytes(state.buffer) }
                try file.append(state.buffer)
                return .temporary(file)
            }
            return Payload(response: response, body: body)
        } catch {
            throw unwritable(error)
        }
    }

    private func unwritable(_ error: any Error) -> OpenDataError {
        (error as? OpenDataError ?? OpenDataError(.unwritable, "\(error)")).adding(url: request.redactedURL)
    }

    private var tooLarge: OpenDataError {
        OpenDataError(
            .tooLarge,
            "the answer of \(request.host) is longer than the \(request.maximumBytes) bytes that this request allows; "
                + "raise the limit if that much is expected", url: request.redactedURL)
    }
}

// MARK: Time limits

extension Transfer {
    /// Starts keeping the time limits: when one is passed, the transfer is called off.
    func keepTimeLimits() {
        let watchdog = Task.detached { [weak self] in
            while let deadline = self?.nextDeadline() {
                do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
                if let error = self?.expiry() { self?.callOff(error) }
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
