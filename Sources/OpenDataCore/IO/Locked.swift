#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A value that several threads share behind a lock.
@safe package final class Locked<Value: ~Copyable & Sendable>: @unchecked Sendable {
    // A mutex must not move; so it has a place of its own, initialised for as long as the object lives.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: consuming Value) {
        self.value = value
        unsafe mutex.initialize(to: pthread_mutex_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        _ = unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the value to itself.
    ///
    /// `body` is short and never waits for another lock.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
