public import OpenDataCore

/// The transport that clients use: http, https and file addresses behind all middlewares.
///
/// From the outside inwards, and why there:
/// 1. coalescing: identical requests become one before anything is counted;
/// 2. store, if there is one: uses and keeps what is the outcome of all attempts, once for all who asked;
/// 3. retry: repeats the whole way, redirects included;
/// 4. resume, if there is one: each attempt goes on where the last one ended;
/// 5. status: judges the answer that is left when redirects have been followed;
/// 6. redirects: each hop passes everything below;
/// 7. rate limit: counts each hop and each attempt, and learns of a block from
/// 8. block: sees the bare answer, a redirect to a block page before it is followed;
/// 9. rewrite: everything above knows published addresses only;
/// 10. the transport of the scheme.
public struct StandardTransport: Transport {
    private let transport: any Transport

    /// Composes a transport.
    /// - Parameters:
    ///   - rewrites: Addresses to ask in place of the published ones.
    ///   - configuration: Time limits and the name given to hosts.
    ///   - budgets: What hosts have been asked lately; by default that of the whole process.
    ///   - cache: Where all processes of the user keep the limits of hosts together; `nil` to keep to oneself.
    ///   - retry: How often and how long to try.
    ///   - store: What keeps answers and uses them again.
    ///   - resume: What goes on with interrupted downloads.
    ///   - onNotice: Hears of waits and retries.
    public init(
        rewrites: [RewriteRule] = [],
        configuration: HTTPTransport.Configuration = .init(), budgets: HostBudgets = .shared,
        cache: CacheDirectory? = nil, retry: RetryMiddleware.Configuration = .init(),
        store: (any TransportMiddleware)? = nil, resume: (any TransportMiddleware)? = nil,
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        let outer = store.map { [$0] } ?? []
        let inner = resume.map { [$0] } ?? []
        transport = CoalescingTransport(
            MiddlewareTransport(
                outer + [RetryMiddleware(retry, onNotice: onNotice)] + inner + [
                    StatusMiddleware(),
                    RedirectMiddleware(),
                    RateLimitMiddleware(budgets: budgets, cache: cache, onNotice: onNotice),
                    BlockMiddleware(),
                    RewriteMiddleware(rewrites),
                ], TransportRegistry.standard(configuration)))
    }

    /// Sends a request and returns the answer to it, a success always.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload { try await transport.send(request) }
}
