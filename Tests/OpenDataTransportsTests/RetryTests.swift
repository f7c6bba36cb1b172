import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

@Suite struct RetryTests {
    /// A clock that only moves when somebody sleeps, or when told.
    final class FakeTime: Sendable {
        private let state = Guarded<(now: Duration, sleeps: [Duration])>((.zero, []))

        var source: TimeSource {
            TimeSource(
                now: { self.state.current.now },
                sleep: { length in
                    try Task.checkCancellation()
                    self.state.with { $0 = ($0.now + length, $0.sleeps + [length]) }
                })
        }

        var sleeps: [Duration] { state.current.sleeps }
        var now: Duration { state.current.now }
        func advance(_ length: Duration) { state.with { $0.now += length } }
    }

    /// Fails with `errors` in turn, then succeeds; returns how often it was asked.
    private func run(
        _ errors: [OpenDataError], _ time: FakeTime,
        _ configuration: RetryMiddleware.Configuration = .init(attempts: 5),
        random: Double = 1, taking length: Duration = .zero
    ) async throws -> (calls: Int, error: OpenDataError?) {
        let calls = Guarded(0)
        let stub = StubTransport { request throws(OpenDataError) in
            let call = calls.increment()
            time.advance(length)
            if call <= errors.count { throw errors[call - 1] }
            return StubTransport.payload(request)
        }
        let retry = RetryMiddleware(configuration, time: time.source, random: { random }, onNotice: { _ in })
        let failure = await MiddlewareTransport([retry], stub).failure(try Request("https://e.tw/x"))
        return (calls.current, failure.code.rawValue == "none" ? nil : failure)
    }

    private func error(_ code: OpenDataError.Code, _ status: Int? = nil, after: Duration? = nil) -> OpenDataError {
        OpenDataError(code, "no", status: status, retryAfter: after)
    }

    @Test(
        "B005, B050, B056: only what a repetition can mend is repeated",
        arguments: [
            (.unreachable, nil, true), (.truncated, 200, true), (.emptyBody, 200, true), (.httpStatus, 500, true),
            (.httpStatus, 503, true), (.httpStatus, 400, false), (.httpStatus, nil, false), (.notFound, 404, false),
            (.unauthorised, 401, false), (.blocked, 428, false), (.timedOut, nil, false), (.rateLimited, 429, false),
            (.rateLimited, 503, false), (.badResponse, nil, false), (.untrusted, nil, false), (.tooLarge, 200, false),
            (.cancelled, nil, false),
            (.badAddress, nil, false), (.unwritable, nil, false),
        ] as [(OpenDataError.Code, Int?, Bool)])
    func mendable(_ code: OpenDataError.Code, _ status: Int?, _ isMendable: Bool) async throws {
        let result = try await run([error(code, status)], FakeTime())
        #expect(result.calls == (isMendable ? 2 : 1) && (result.error == nil) == isMendable)
    }

    @Test("waits double up to the cap, and a random part of them is taken") func schedule() async throws {
        let time = FakeTime()
        let errors = Array(repeating: error(.unreachable), count: 9)
        let result = try await run(errors, time, .init(attempts: 8))
        #expect(result.calls == 8 && result.error?.message == "no (after 8 attempts)")
        #expect(time.sleeps.map(\.seconds) == [0.5, 1, 2, 4, 8, 8, 8])
        let half = FakeTime()
        _ = try await run(errors, half, .init(attempts: 3), random: 0.5)
        #expect(half.sleeps.map(\.seconds) == [0.25, 0.5])
    }

    @Test(
        "Retry-After is kept to, if it fits into the deadline; a status from 400 on is never repeated",
        arguments: [
            (.httpStatus, 503, 30, 2), (.httpStatus, 503, 61, 1), (.rateLimited, 503, 30, 2), (.rateLimited, 429, 1, 1),
            (.rateLimited, 402, 1, 1), (.httpStatus, 408, 1, 1), (.blocked, 503, 1, 1),
        ] as [(OpenDataError.Code, Int, Int, Int)])
    func retryAfter(_ code: OpenDataError.Code, _ status: Int, _ seconds: Int, _ calls: Int) async throws {
        let time = FakeTime()
        let result = try await run([error(code, status, after: .seconds(seconds))], time)
        #expect(result.calls == calls && (result.error == nil) == (calls == 2), "B023")
        #expect(time.sleeps == (calls == 2 ? [.seconds(seconds)] : []))
    }

    @Test("nothing is begun after the deadline") func deadline() async throws {
        let time = FakeTime()
        let errors = Array(repeating: error(.truncated), count: 9)
        let result = try await run(errors, time, .init(attempts: 9, deadline: .seconds(60)), taking: .seconds(25))
        #expect(result.calls == 3 && result.error?.code == .truncated)
    }

    @Test("a cancellation ends the wait") func cancellation() async throws {
        let stub = StubTransport { _ throws(OpenDataError) in throw OpenDataError(.unreachable, "no") }
        let retry = RetryMiddleware(.init(base: .seconds(1000), cap: .seconds(1000), deadline: .seconds(9999)))
        let request = try Request("https://e.tw/x")
        let task = Task { await MiddlewareTransport([retry], stub).failure(request).code }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
