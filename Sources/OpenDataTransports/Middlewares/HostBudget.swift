import OpenDataCore

/// What each host has been asked lately.
///
/// Clients that share an object share their hosts' limits.
public final class HostBudgets: Sendable {
    /// The budgets of this process, for every client that is not given its own.
    public static let shared = HostBudgets()

    private let budgets = Locked<[String: HostBudget]>([:])

    /// Makes budgets that know of no request yet.
    public init() {}

    func budget(for policy: HostPolicy) -> HostBudget {
        budgets.withLock { budgets in
            let host = policy.host.lowercased()
            let budget = budgets[host] ?? HostBudget(host: host)
            budgets[host] = budget
            return budget
        }
    }
}

/// One host's sliding window, its requests under way, and the queue of those that wait.
///
/// Requests are let through in the order in which they came: whoever has the turn waits for the window or for a request
/// to end, and then passes the turn on.
actor HostBudget {
    /// The window is kept this much longer than the policy asks: the host's clock sees requests closer together than ours.
    static let margin = Duration.milliseconds(100)

    private struct Entry {
        let ticket: Int
        // `nil` while under way. The host may have counted the request at any time until then.
        var ended: Duration?
    }

    private let host: String
    private var entries: [Entry] = []
    private var lastTicket = 0
    private var isTurnTaken = false
    private var queue: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var releaseWaiter: (id: Int, continuation: CheckedContinuation<Bool, Never>)?
    private var block: (until: Duration, error: OpenDataError)?

    init(host: String) { self.host = host }

    /// How many requests wait for others to end or to be let through; those that wait for the window not counted.
    var waiting: Int { queue.count + (releaseWaiter == nil ? 0 : 1) }

    /// Waits until the policy allows a request, books it and returns its ticket for ``release(_:_:_:)``.
    func acquire(
        _ policy: HostPolicy, _ time: TimeSource, _ onNotice: Notice.Handler
    ) async throws(OpenDataError) -> Int {
        try checkBlock(time)
        try await takeTurn()
        defer { passTurn() }
        while true {
            if Task.isCancelled { throw cancellation }
            try checkBlock(time)
            let wait = self.wait(policy, now: time.now())
            if wait == .zero { break }
            guard let wait else {
                try await awaitRelease()
                continue
            }
            if wait > .milliseconds(500) { onNotice(Notice("waiting \(wait.inSeconds) for \(host)")) }
            do { try await time.sleep(wait) } catch { throw cancellation }
        }
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket))
        return lastTicket
    }

    /// Books the end of a request.
    func release(_ ticket: Int, _ time: TimeSource) {
        if let index = entries.firstIndex(where: { $0.ticket == ticket }) { entries[index].ended = time.now() }
        releaseWaiter?.continuation.resume(returning: true)
        releaseWaiter = nil
    }

    /// Leaves the host alone for a time, after it has shut this address out.
    func rest(_ length: Duration, because error: OpenDataError, _ time: TimeSource) {
        block = (time.now() + length, error)
    }

    /// How long until the policy allows another request; `nil` if a request under way has to end first.
    private func wait(_ policy: HostPolicy, now: Duration) -> Duration? {
        let window = policy.period + HostBudget.margin
        entries.removeAll { $0.ended.map { $0 + window <= now } ?? false }
        let underWay = entries.count { $0.ended == nil }
        if underWay >= max(policy.concurrent, 1) { return nil }
        let excess = entries.count - max(policy.requests, 1)
        if excess < 0 { return .zero }
        let ends = entries.compactMap(\.ended).sorted()
        return excess < ends.count ? ends[excess] + window - now : nil
    }

    private func checkBlock(_ time: TimeSource) throws(OpenDataError) {
        guard let (until, cause) = block else { return }
        let rest = until - time.now()
        if rest <= .zero { return block = nil }
        var error = cause
        let end = SystemClock.hourAndMinute(secondsSince1970: SystemClock.secondsSince1970 + rest.seconds)
        error.message = "\(host) is left alone until \(end); earlier: \(cause.message)"
        throw error
    }

    private var cancellation: OpenDataError { OpenDataError(.cancelled, "the wait for \(host) was called off") }

    // MARK: Queue

    private func takeTurn() async throws(OpenDataError) {
        guard isTurnTaken else { return isTurnTaken = true }
        lastTicket += 1
        let id = lastTicket
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before this line is seen here; one after it finds the waiter in the queue.
                if Task.isCancelled { continuation.resume(returning: false) } else { queue.append((id, continuation)) }
            }
        } onCancel: {
            Task { await self.leaveQueue(id) }
        }
        if !hasTurn { throw cancellation }
    }

    private func passTurn() {
        if queue.isEmpty { isTurnTaken = false } else { queue.removeFirst().continuation.resume(returning: true) }
    }

    private func awaitRelease() async throws(OpenDataError) {
        lastTicket += 1
        let id = lastTicket
        let isReleased = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    releaseWaiter = (id, continuation)
                }
            }
        } onCancel: {
            Task { await self.leaveQueue(id) }
        }
        if !isReleased { throw cancellation }
    }

    private func leaveQueue(_ id: Int) {
        if let index = queue.firstIndex(where: { $0.id == id }) {
            queue.remove(at: index).continuation.resume(returning: false)
        }
        if releaseWaiter?.id == id {
            releaseWaiter?.continuation.resume(returning: false)
            releaseWaiter = nil
        }
    }
}
