/// The clock that middlewares wait by; tests bring their own.
struct TimeSource: Sendable {
    /// The time since some fixed moment.
    var now: @Sendable () -> Duration
    /// Waits, and throws if the task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void

    static let system = TimeSource(
        now: { [origin = ContinuousClock.now] in ContinuousClock.now - origin },
        sleep: { try await Task.sleep(for: $0) })
}
