public import OpenDataCore

/// The transport that clients use: http, https and file addresses behind all middlewares.
///
/// From the outside inwards, and why there:
/// 1. coalescing: identical requests become one before anything is counted;
/// 2. retry: repeats the whole way, redirects included;
/// 3. status: judges the answer that is left when redirects have been followed;
/// 4. redirects: each hop passes everything below;
/// 5. rate limit: counts each hop and each attempt, and learns of a block from
/// 6. block: sees the bare answer, a redirect to a block page before it is followed;
/// 7. rewrite: everything above knows published addresses only;
/// 8. the transport of the scheme.
public struct StandardTransport: Transport {
    private let transport: any Transport

    /// Composes a transport.
    /// - Parameters:
    ///   - rewrites: Addresses to ask in place of the published ones.
    ///   - configuration: Time limits and the name given to hosts.
    ///   - budgets: What hosts have been asked lately; by default that of the whole process.
    ///   - cache: Where all processes of the user keep the limits of hosts together; `nil` to keep to oneself.
    ///   - retry: How often and how long to try.
    ///   - onNotice: Hears of waits and retries.
    public init(
        rewrites: [RewriteRule] = [],
        configuration: HTTPTransport.Configuration = .init(), budgets: HostBudgets = .shared,
        cache: CacheDirectory? = nil, retry: RetryMiddleware.Configuration = .init(),
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        transport = CoalescingTransport(
            MiddlewareTransport(
                [
                    RetryMiddleware(retry, onNotice: onNotice),
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
