import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// SIGINT and SIGTERM, by which people and systems end a process.
///
/// The first one is handed on, for the work to be cancelled; if the process still runs a second later, because
/// something waits that cannot be cancelled, it ends all the same. Then a temporary file may be left beside the target
/// of an export, where the system has no files without a name; never a part of one in its place. A second signal ends
/// the process at once.
enum Interruption {
    /// Starts to listen, and returns the numbers of the signals that come: one at most.
    ///
    /// Called once.
    ///
    /// Signals that the parent has set to be ignored, as `nohup` does, stay ignored.
    static func signals() -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return stream }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        unsafe writingEnd = ends[1]
        let readingEnd = ends[0]
        SystemThread.start {
            allowSignals()
            var number: UInt8 = 0
            while unsafe read(readingEnd, &number, 1) != 1 {}
            continuation.yield(Int32(number))
            sleep(1)
            _exit(128 + Int32(number))
        }
        for number in [SIGINT, SIGTERM] where !isIgnored(number) { listen(for: number) }
        return stream
    }

    /// Lets the calling thread take the signals, even if the parent has handed down a mask that blocks them.
    private static func allowSignals() {
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM] { _ = unsafe sigaddset(&set, number) }
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func listen(for number: Int32) {
        var action = sigaction()
        // Only what may be done in the midst of anything: a write, with `errno` kept.
        let handler: @convention(c) (Int32) -> Void = { number in
            let kept = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = unsafe write(writingEnd, &byte, 1)
            errno = kept
        }
        #if canImport(Darwin)
            unsafe action.__sigaction_u.__sa_handler = handler
        #elseif canImport(Musl)
            unsafe action.__sa_handler.sa_handler = handler
        #else
            unsafe action.__sigaction_handler.sa_handler = handler
        #endif
        // The second time the signal does what it does by default. Calls under way go on.
        action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
        _ = unsafe sigaction(number, &action, nil)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = unsafe action.__sigaction_u.__sa_handler
        #elseif canImport(Musl)
            let handler = unsafe action.__sa_handler.sa_handler
        #else
            let handler = unsafe action.__sigaction_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// The end of the pipe that the handler writes to.
///
/// Set once, before there is a handler that reads it.
nonisolated(unsafe) private var writingEnd: Int32 = -1
