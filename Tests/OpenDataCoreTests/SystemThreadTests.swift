import OpenDataCore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite struct SystemThreadTests {
    /// Which of two signals the calling thread holds back.
    private static func heldBack() -> [Bool] {
        var mask = sigset_t()
        _ = unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        return [SIGPIPE, SIGTERM].map { unsafe sigismember(&mask, $0) == 1 }
    }

    @Test("a thread without signals causes none either, and its maker's stay as they were", arguments: [true, false])
    func signals(_ isWithout: Bool) async {
        let (before, seen, after) = await withCheckedContinuation { continuation in
            let before = SystemThreadTests.heldBack()
            let after = Guarded<[Bool]>([])
            let isReady = Guarded(false)
            let isStarted = SystemThread.start(withoutSignals: isWithout) {
                while !isReady.current { SystemThread.sleep(milliseconds: 1) }
                continuation.resume(returning: (before, SystemThreadTests.heldBack(), after.current))
            }
            #expect(isStarted)
            after.with { $0 = SystemThreadTests.heldBack() }
            isReady.with { $0 = true }
        }
        #expect(seen == (isWithout ? [true, true] : before))
        #expect(after == before)
    }
}
