public import OpenDataCore

/// Repeats requests that a repetition can mend.
///
/// These are `unreachable`, `truncated`, `emptyBody` and statuses from 500, also one for which the host is still left
/// alone. The longest wait doubles with each attempt, up to a cap, and a random part of it is taken, so that clients do
/// not come back together; a `Retry-After` is kept to. Nothing is repeated past the deadline, nor after a status from
/// 400 to 499, `blocked` or `timedOut`.
public struct RetryMiddleware: TransportMiddleware {
    /// How often and how long to try.
    public struct Configuration: Sendable {
        /// The most requests in all, the first included.
        public var attempts: Int
        /// The longest wait before the second attempt.
        public var base: Duration
        /// The longest wait before any attempt, unless the host asks for more.
        public var cap: Duration
        /// The time, counted from the first request, after which no other is begun.
        public var deadline: Duration

        /// Makes a configuration.
        public init(
            attempts: Int = 3, base: Duration = .milliseconds(500), cap: Duration = .seconds(8),
            deadline: Duration = .seconds(60)
        ) {
            self.attempts = attempts
            self.base = base
            self.cap = cap
            self.deadline = deadline
        }
    }

    private let configuration: Configuration
    private let time: TimeSource
    private let random: @Sendable () -> Double
    private let onNotice: Notice.Handler

    /// Makes a middleware.
    ///
    /// `onNotice` hears of every retry.
    public init(_ configuration: Configuration = Configuration(), onNotice: @escaping Notice.Handler = { _ in }) {
        self.init(configuration, time: .system, random: { .random(in: 0...1) }, onNotice: onNotice)
    }

    init(
        _ configuration: Configuration, time: TimeSource, random: @escaping @Sendable () -> Double,
        onNotice: @escaping Notice.Handler
    ) {
        self.configuration = configuration
        self.time = time
        self.random = random
        self.onNotice = onNotice
    }

    /// Passes the request on until it succeeds, fails for good, or has been tried often or long enough.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        let start = time.now()
        var attempt = 1
        while true {
            do throws(OpenDataError) {
                return try await next(request)
            } catch {
                let wait = self.wait(after: attempt, error)
                guard attempt < configuration.attempts, isMendable(error),
                    time.now() - start + wait <= configuration.deadline
                else { throw attempt == 1 ? error : noting(attempt, error) }
                attempt += 1
                onNotice(
                    Notice(
                        "\(request.host): \(error.code.rawValue); attempt \(attempt) of \(configuration.attempts)"
                            + " in \(wait.inSeconds)"))
                do { try await time.sleep(wait) } catch {
                    throw OpenDataError(.cancelled, "the retry was called off", url: request.redactedURL)
                }
            }
        }
    }

    private func isMendable(_ error: OpenDataError) -> Bool {
        switch error.code {
        case .unreachable, .truncated, .emptyBody: true
        case .httpStatus: (error.status ?? 0) >= 500
        case .rateLimited: (error.status ?? 0) >= 500 && error.retryAfter != nil
        default: false
        }
    }

    private func wait(after attempt: Int, _ error: OpenDataError) -> Duration {
        let doublings = min(attempt - 1, 30)
        let longest = min(configuration.cap.seconds, configuration.base.seconds * Double(1 << doublings))
        return max(.seconds(longest * random()), error.retryAfter ?? .zero)
    }

    private func noting(_ attempts: Int, _ error: OpenDataError) -> OpenDataError {
        var error = error
        error.message += " (after \(attempts) attempts)"
        return error
    }
}
