public import OpenDataCore

/// Keeps to each host's ``HostPolicy``: so many requests in any period, so many at once, first come first served.
///
/// Every request that passes counts: redirects and retries stand above. A host without a policy gets
/// ``HostPolicy/careful(host:)``, except this machine itself, which is not limited. After a `blocked` error the host is
/// left alone for ten minutes, and after a 429 or 503 with `Retry-After` for as long as it asks: requests fail at once,
/// without one being sent.
///
/// With a cache directory all processes of the user keep the limits together and remember together which hosts are left
/// alone. Where its files cannot be used, that is told once, and the limits are those of this process alone.
public struct RateLimitMiddleware: TransportMiddleware {
    private let budgets: HostBudgets
    private let shared: SharedBudgets?
    private let rest: Duration
    private let time: TimeSource
    private let onNotice: Notice.Handler

    /// Makes a middleware.
    ///
    /// `onNotice` hears of every wait of more than half a second.
    /// - Parameters:
    ///   - budgets: What this process has asked of hosts lately.
    ///   - cache: Where processes tell each other what they have asked; `nil` to keep to oneself.
    public init(
        budgets: HostBudgets = .shared, cache: CacheDirectory? = nil, onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.init(budgets: budgets, cache: cache, time: .system, onNotice: onNotice)
    }

    init(
        budgets: HostBudgets, cache: CacheDirectory? = nil, rest: Duration = .seconds(600), time: TimeSource,
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.budgets = budgets
        shared = cache.map { SharedBudgets.of($0) }
        self.rest = rest
        self.time = time
        self.onNotice = onNotice
    }

    /// Passes the request on as soon as the host's policy allows it.
    ///
    /// Throws ``OpenDataError/Code/cancelled`` if the task is cancelled while it waits, ``OpenDataError/Code/blocked``
    /// or ``OpenDataError/Code/rateLimited`` while the host is left alone.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        guard let policy = policy(for: request) else { return try await next(request) }
        let budget = budgets.budget(for: policy)
        let ticket: HostBudget.Ticket
        do throws(OpenDataError) {
            ticket = try await budget.acquire(policy, shared, time, onNotice)
        } catch {
            throw error.adding(url: request.redactedURL)
        }
        do throws(OpenDataError) {
            let payload = try await next(request)
            await budget.release(ticket, shared, HostRest(payload.response, time), time, onNotice)
            return payload
        } catch {
            let block = error.code == .blocked ? HostRest(rest, after: error, now: time.now()) : nil
            await budget.release(ticket, shared, block, time, onNotice)
            throw block?.completing(error, time) ?? error
        }
    }

    private func policy(for request: Request) -> HostPolicy? {
        guard request.scheme != "file" else { return nil }
        if let policy = request.hostPolicy { return policy }
        return HostKind.isLoopback(request.host) ? nil : .careful(host: request.host)
    }
}
