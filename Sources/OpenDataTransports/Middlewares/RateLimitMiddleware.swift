public import OpenDataCore

/// Keeps to each host's ``HostPolicy``: so many requests in any period, so many at once, first come first served.
///
/// Every request that passes counts: redirects and retries stand above. A host without a policy gets
/// ``HostPolicy/careful(host:)``, except this machine itself, which is not limited. After a `blocked` error the host is
/// left alone for ten minutes: requests fail at once, without one being sent.
public struct RateLimitMiddleware: TransportMiddleware {
    private let budgets: HostBudgets
    private let rest: Duration
    private let time: TimeSource
    private let onNotice: Notice.Handler

    /// Makes a middleware.
    ///
    /// `onNotice` hears of every wait of more than half a second.
    public init(
        budgets: HostBudgets = .shared, onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.init(budgets: budgets, time: .system, onNotice: onNotice)
    }

    init(
        budgets: HostBudgets, rest: Duration = .seconds(600), time: TimeSource,
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.budgets = budgets
        self.rest = rest
        self.time = time
        self.onNotice = onNotice
    }

    /// Passes the request on as soon as the host's policy allows it.
    ///
    /// Throws ``OpenDataError/Code/cancelled`` if the task is cancelled while it waits.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        guard let policy = policy(for: request) else { return try await next(request) }
        let budget = budgets.budget(for: policy)
        let ticket: Int
        do throws(OpenDataError) {
            ticket = try await budget.acquire(policy, time, onNotice)
        } catch {
            throw error.adding(url: request.redactedURL)
        }
        do throws(OpenDataError) {
            let payload = try await next(request)
            await budget.release(ticket, time)
            return payload
        } catch {
            if error.code == .blocked { await budget.rest(rest, because: error, time) }
            await budget.release(ticket, time)
            throw error
        }
    }

    private func policy(for request: Request) -> HostPolicy? {
        guard request.scheme != "file" else { return nil }
        if let policy = request.hostPolicy { return policy }
        return HostKind.isLoopback(request.host) ? nil : .careful(host: request.host)
    }
}
