#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of the operating system, for what waits in calls that tasks must not wait in.
package enum SystemThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which does not keep the process alive; `false` if there can be none.
    ///
    /// `withoutSignals` leaves all signals of the process to other threads. One that the thread itself causes, such as
    /// `SIGPIPE`, is held back for ever.
    @discardableResult
    package static func start(withoutSignals: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
        let object = unsafe Unmanaged.passRetained(Body(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        var kept = sigset_t()
        if withoutSignals {
            // The new thread has the mask of the one that starts it.
            var all = sigset_t()
            _ = unsafe sigfillset(&all)
            _ = unsafe pthread_sigmask(SIG_SETMASK, &all, &kept)
        }
        let result = unsafe pthread_create(&thread, nil, { unsafe SystemThread.run($0) }, object.toOpaque())
        if withoutSignals { _ = unsafe pthread_sigmask(SIG_SETMASK, &kept, nil) }
        guard result == 0 else {
            unsafe object.release()
            return false
        }
        // Nobody waits for its end.
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #endif
        return true
    }

    /// Lets the calling thread wait.
    package static func sleep(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        // Balances `passRetained` in `start`; the pointer is that very object.
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
