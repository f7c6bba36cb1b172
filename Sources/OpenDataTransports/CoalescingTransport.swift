public import OpenDataCore

/// Makes one of identical requests that are under way at the same time.
///
/// A caller that is cancelled leaves the others alone; the request itself is cancelled with the last of them.
public struct CoalescingTransport: Transport {
    private typealias Outcome = Result<Payload, OpenDataError>

    private struct Flight {
        let number: Int
        var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var task: Task<Void, Never>?
    }

    private struct State {
        var flights: [Request: Flight] = [:]
        var lastNumber = 0
    }

    private let transport: any Transport
    private let state = Locked(State())

    /// Puts the transport in front of another.
    public init(_ transport: any Transport) { self.transport = transport }

    /// Sends the request, or waits for the answer to an identical one.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        if request.scheme == "file" { return try await transport.send(request) }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before the waiter is registered is seen by `join`, one after it by `leave`.
                join(request, number, continuation)
                if Task.isCancelled { leave(request, number) }
            }
        } onCancel: {
            leave(request, number)
        }
        return try outcome.get()
    }

    /// How many callers wait for the answer to a request.
    func waiting(for request: Request) -> Int { state.withLock { $0.flights[request]?.waiters.count ?? 0 } }

    private func join(_ request: Request, _ number: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        let isFirst = state.withLock { state in
            let isFirst = state.flights[request] == nil
            state.flights[request, default: Flight(number: number)].waiters[number] = continuation
            return isFirst
        }
        guard isFirst else { return }
        let task = Task.detached { [self] in
            let outcome: Outcome
            do throws(OpenDataError) { outcome = .success(try await transport.send(request)) } catch {
                outcome = .failure(error)
            }
            land(request, number, outcome)
        }
        let isNeeded = state.withLock { state in
            guard state.flights[request]?.number == number else { return false }
            state.flights[request]?.task = task
            return true
        }
        if !isNeeded { task.cancel() }
    }

    private func leave(_ request: Request, _ number: Int) {
        let (waiter, task) = state.withLock { state -> (CheckedContinuation<Outcome, Never>?, Task<Void, Never>?) in
            guard let waiter = state.flights[request]?.waiters.removeValue(forKey: number) else { return (nil, nil) }
            guard let flight = state.flights[request], flight.waiters.isEmpty else { return (waiter, nil) }
            state.flights[request] = nil
            return (waiter, flight.task)
        }
        guard let waiter else { return }
        let outcome = Outcome.failure(
            OpenDataError(
                .cancelled, "the request to \(request.host) was called off", dataset: request.dataset,
                url: request.redactedURL))
        guard let task else { return waiter.resume(returning: outcome) }
        task.cancel()
        // The request may have something to put away, such as the beginning of a download, and the process may end with
        // its last caller. A request that does not end is not waited for.
        let last = Locked<CheckedContinuation<Outcome, Never>?>(waiter)
        let resume = { @Sendable in
            let waiter = last.withLock { waiter in
                defer { waiter = nil }
                return waiter
            }
            waiter?.resume(returning: outcome)
        }
        Task.detached {
            await task.value
            resume()
        }
        Task.detached {
            try? await Task.sleep(for: CoalescingTransport.patience)
            resume()
        }
    }

    /// How long the last caller to be cancelled waits for the request to end.
    private static let patience = Duration.milliseconds(300)

    private func land(_ request: Request, _ number: Int, _ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.flights[request]?.number == number ? state.flights.removeValue(forKey: request)?.waiters : nil
        }
        for waiter in (waiters ?? [:]).values { waiter.resume(returning: outcome) }
    }
}
