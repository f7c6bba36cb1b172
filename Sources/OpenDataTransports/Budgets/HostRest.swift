import OpenDataCore

/// A time during which a host is not asked, and why.
struct HostRest: Sendable, Hashable {
    /// The longest that a host is left alone, whatever it asks for.
    static let longest = Duration.seconds(86_400)
    /// A rest with no more than this left is waited for; a longer one is an error.
    static let bearable = Duration.seconds(1)

    /// The end, by the clock of the ``TimeSource``.
    var until: Duration
    /// `blocked`, or `rateLimited` where the host asked for the rest.
    let code: OpenDataError.Code
    /// The status that the host answered with.
    let status: Int?
    /// What happened, in words without secrets.
    let reason: String

    init(until: Duration, code: OpenDataError.Code, status: Int?, reason: String) {
        self.until = until
        self.code = code
        self.status = status
        self.reason = reason
    }

    /// The rest after a block.
    init(_ length: Duration, after block: OpenDataError, now: Duration) {
        self.init(until: now + length, code: .blocked, status: block.status, reason: block.message)
    }

    /// The rest that an answer asks for: `Retry-After` of a 429 or 503.
    init?(_ response: Response, _ time: TimeSource) {
        guard response.status == 429 || response.status == 503,
            let length = response.retryAfter(now: time.wall()), length > .zero
        else { return nil }
        self.init(
            until: time.now() + length, code: .rateLimited, status: response.status,
            reason: "status \(response.status) with Retry-After")
    }

    /// The later of two.
    static func later(_ first: HostRest?, _ second: HostRest?) -> HostRest? {
        guard let first, let second else { return first ?? second }
        return first.until < second.until ? second : first
    }

    /// What a request fails with that comes before the end.
    func error(_ host: String, _ time: TimeSource) -> OpenDataError {
        let isBlock = code == .blocked
        return OpenDataError(
            code,
            "\(host) is left alone, \(isBlock ? "blocked" : "as it asked,") until \(hourAndMinute(time)) (\(reason))",
            status: status, retryAfter: until - time.now())
    }

    /// The block's own error, with what comes of it.
    func completing(_ error: OpenDataError, _ time: TimeSource) -> OpenDataError {
        var error = error
        error.message += "; it is left alone until \(hourAndMinute(time))"
        error.retryAfter = error.retryAfter ?? until - time.now()
        return error
    }

    private func hourAndMinute(_ time: TimeSource) -> String {
        SystemClock.hourAndMinute(secondsSince1970: time.wall() + (until - time.now()).seconds)
    }
}
