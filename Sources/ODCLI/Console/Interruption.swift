#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// SIGINT and SIGTERM, by which people and systems end a process.
///
/// Both are blocked in every thread and waited for in one of their own, so that no handler ever runs in the midst of
/// something. The first one is handed on, for the work to be cancelled; if the process still runs a second later, because
/// something waits that cannot be cancelled, it ends all the same. A temporary file may then be left beside the target
/// of an export, never a part of one in its place.
enum Interruption {
    /// Starts to wait, and returns the numbers of the signals that come: one at most.
    ///
    /// Called once, before any other thread is there. Signals that the parent has set to be ignored, as `nohup` does,
    /// stay ignored.
    static func signals() -> AsyncStream<Int32> {
        let numbers = [SIGINT, SIGTERM].filter { !isIgnored($0) }
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        guard !numbers.isEmpty else { return stream }
        var blocked = set(of: numbers)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
        Thread.start {
            var awaited = set(of: numbers)
            var number: Int32 = 0
            guard unsafe sigwait(&awaited, &number) == 0 else { return }
            continuation.yield(number)
            sleep(1)
            _exit(128 + number)
        }
        return stream
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        for number in numbers { _ = unsafe sigaddset(&set, number) }
        return set
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = unsafe action.__sigaction_u.__sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// A thread of the system.
private enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            _ = unsafe pthread_create(&thread, nil, { unsafe Thread.run($0); return nil }, context)
        #else
            var thread = pthread_t()
            _ = unsafe pthread_create(&thread, nil, { unsafe Thread.run($0); return nil }, context)
        #endif
    }

    private static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        // Balances `passRetained` in `start`; the pointer is that very object.
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }
}
