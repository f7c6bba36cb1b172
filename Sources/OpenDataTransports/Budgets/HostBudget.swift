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
/// to end, then for its turn among other processes, and then passes the turn on.
actor HostBudget {
    /// A request that has been let through.
    struct Ticket: Sendable {
        fileprivate let shared: SharedBudgets.Ticket?
    }

    private let host: String
    private var window = RequestWindow()
    private var lastWaiter = 0
    private var isTurnTaken = false
    private var queue: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var releaseWaiter: (id: Int, continuation: CheckedContinuation<Bool, Never>)?
    private var rest: HostRest?

    init(host: String) { self.host = host }

    /// How many requests wait for others to end or to be let through; those that wait for the window not counted.
    var waiting: Int { queue.count + (releaseWaiter == nil ? 0 : 1) }

    /// Waits until the policy allows a request, books it and returns its ticket for ``release(_:_:_:_:_:)``.
    func acquire(
        _ policy: HostPolicy, _ shared: SharedBudgets?, _ time: TimeSource, _ onNotice: Notice.Handler
    ) async throws(OpenDataError) -> Ticket {
        _ = try wait(for: rest, time)
        try await takeTurn()
        defer { passTurn() }
        try await waitForWindow(policy, time, onNotice)
        let ticket = Ticket(shared: try await shared?.acquire(policy, time, onNotice))
        window.underWay += 1
        // A request of this process may have met a block meanwhile.
        guard let rest, rest.until > time.now() else { return ticket }
        release(ticket, shared, nil, time, onNotice)
        throw rest.error(host, time)
    }

    /// Books the end of a request, and the rest that the host gets from now on.
    func release(
        _ ticket: Ticket, _ shared: SharedBudgets?, _ rest: HostRest?, _ time: TimeSource, _ onNotice: Notice.Handler
    ) {
        if let ticket = ticket.shared { shared?.release(ticket, rest, onNotice) }
        self.rest = HostRest.later(self.rest, rest)
        window.underWay -= 1
        window.ended.append(time.now())
        releaseWaiter?.continuation.resume(returning: true)
        releaseWaiter = nil
    }

    private func waitForWindow(
        _ policy: HostPolicy, _ time: TimeSource, _ onNotice: Notice.Handler
    ) async throws(OpenDataError) {
        while true {
            if Task.isCancelled { throw cancellation }
            let now = time.now()
            window.forget(policy, now: now)
            guard let wait = try wait(for: rest, time) ?? window.wait(policy, now: now) else {
                try await awaitRelease()
                continue
            }
            if wait == .zero { return }
            if wait > .milliseconds(500) { onNotice(Notice("waiting \(wait.inSeconds) for \(host)")) }
            do { try await time.sleep(wait) } catch { throw cancellation }
        }
    }

    /// The time that is left of a rest, if it is one that can be waited for; a longer one is thrown.
    private func wait(for rest: HostRest?, _ time: TimeSource) throws(OpenDataError) -> Duration? {
        guard let rest else { return nil }
        let left = rest.until - time.now()
        if left > HostRest.bearable { throw rest.error(host, time) }
        if left > .zero { return left }
        self.rest = nil
        return nil
    }

    private var cancellation: OpenDataError { OpenDataError(.cancelled, "the wait for \(host) was called off") }

    // MARK: Queue

    private func takeTurn() async throws(OpenDataError) {
        guard isTurnTaken else { return isTurnTaken = true }
        lastWaiter += 1
        let id = lastWaiter
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
        lastWaiter += 1
        let id = lastWaiter
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
