/// The clocks that middlewares wait by; tests bring their own.
struct TimeSource: Sendable {
    /// The time since the start of this machine, on which all processes agree, or in tests since any fixed moment.
    var now: @Sendable () -> Duration
    /// Waits, and throws if the task is cancelled.
    var sleep: @Sendable (Duration) async throws -> Void
    /// The seconds since 1970, which a person or a program may set forward and back.
    var wall: @Sendable () -> Double = { SystemClock.secondsSince1970 }
    /// The name of the start that `now` counts from; `nil` where it cannot be told.
    var boot: @Sendable () -> String? = { SystemClock.boot }

    static let system = TimeSource(
        now: { SystemClock.sinceBoot }, sleep: { try await Task.sleep(for: $0) })
}
