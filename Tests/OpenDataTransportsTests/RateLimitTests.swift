import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

@Suite struct RateLimitTests {
    private static let policy = HostPolicy(host: "e.tw", requests: 3, per: .seconds(5), concurrent: 2)

    @Test("no window holds more requests than allowed, however long they take", arguments: 0..<20)
    func window(_ seed: UInt64) async throws {
        let time = RetryTests.FakeTime()
        let random = Guarded(SeededGenerator(seed: seed))
        let sent = Guarded<[Duration]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            // The host counts the request at any time while it is under way.
            let length = random.with { Duration.milliseconds(Int.random(in: 0...900, using: &$0)) }
            let part = random.with { Duration.milliseconds(Int.random(in: 0...99, using: &$0)) }
            time.advance(length)
            sent.with { $0.append(time.now) }
            time.advance(part)
            return StubTransport.payload(request)
        }
        let limit = RateLimitMiddleware(budgets: HostBudgets(), time: time.source)
        let transport = MiddlewareTransport([DeclaredHosts([RateLimitTests.policy]), limit], stub)
        for number in 0..<12 { _ = try await transport.send(Request("https://e.tw/\(number)")) }
        let times = sent.current
        #expect(times.count == 12)
        for (first, fourth) in zip(times, times.dropFirst(3)) { #expect(fourth - first > .seconds(5)) }
        // Nor is more waited than needed.
        #expect(time.now < .seconds(5.2 * 3 + 12))
    }

    @Test("clients with the same budgets share one limit; hosts do not") func shared() async throws {
        let time = RetryTests.FakeTime()
        let budgets = HostBudgets()
        let stub = StubTransport { request throws(OpenDataError) in StubTransport.payload(request) }
        let transports = (0..<2).map { _ in
            MiddlewareTransport(
                [DeclaredHosts([RateLimitTests.policy]), RateLimitMiddleware(budgets: budgets, time: time.source)], stub
            )
        }
        for number in 0..<3 { _ = try await transports[number % 2].send(Request("https://e.tw/\(number)")) }
        _ = try await transports[0].send(Request("https://other.tw/"))
        #expect(time.sleeps.isEmpty)
        _ = try await transports[1].send(Request("https://e.tw/4"))
        #expect(time.sleeps == [.milliseconds(5100)])
    }

    @Test("this machine is not limited, unless a policy names it") func loopback() async throws {
        let time = RetryTests.FakeTime()
        let stub = StubTransport { request throws(OpenDataError) in StubTransport.payload(request) }
        let free = MiddlewareTransport(
            [RateLimitMiddleware(budgets: HostBudgets(), time: time.source)], stub)
        for _ in 0..<20 { _ = try await free.send(Request("http://127.0.0.1:8931/x")) }
        for _ in 0..<20 { _ = try await free.send(Request("file:///x")) }
        #expect(time.sleeps.isEmpty)
        for _ in 0..<5 { _ = try await free.send(Request("http://unknown.tw/x")) }
        #expect(time.sleeps.count == 1)
    }

    @Test("first come, first served; no more at once than allowed; who is cancelled leaves the queue")
    func queue() async throws {
        let started = Guarded<[String]>([])
        let gates = Guarded<[CheckedContinuation<Void, Never>]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            started.with { $0.append(request.path) }
            await withCheckedContinuation { gate in gates.with { $0.append(gate) } }
            return StubTransport.payload(request)
        }
        let policy = HostPolicy(host: "e.tw", requests: 100, per: .seconds(1), concurrent: 2)
        let budgets = HostBudgets()
        let budget = budgets.budget(for: policy)
        let transport = MiddlewareTransport(
            [DeclaredHosts([policy]), RateLimitMiddleware(budgets: budgets)], stub)
        var tasks: [Task<OpenDataError.Code, Never>] = []
        for number in 0..<6 {
            let request = try Request("https://e.tw/\(number)")
            tasks.append(Task { await transport.failure(request).code })
            try await until { await started.current.count + budget.waiting == number + 1 }
        }
        #expect(started.current == ["/0", "/1"])
        tasks[2].cancel()  // waits for a request to end
        tasks[4].cancel()  // waits in the queue
        #expect(await tasks[2].value == .cancelled)
        #expect(await tasks[4].value == .cancelled)
        for gate in gates.replace(with: []) { gate.resume() }
        try await until { started.current.count == 4 && gates.current.count == 2 }
        #expect(started.current == ["/0", "/1", "/3", "/5"])
        for gate in gates.replace(with: []) { gate.resume() }
        for number in [0, 1, 3, 5] { #expect(await tasks[number].value.rawValue == "none") }
    }

    @Test("a block is remembered for a while, by those that wait too") func block() async throws {
        let time = RetryTests.FakeTime()
        let calls = Guarded(0)
        let stub = StubTransport { request throws(OpenDataError) in
            if calls.increment() == 1 { throw OpenDataError(.blocked, "shut out", status: 428) }
            return StubTransport.payload(request)
        }
        let limit = RateLimitMiddleware(budgets: HostBudgets(), time: time.source)
        let transport = MiddlewareTransport([DeclaredHosts([RateLimitTests.policy]), limit], stub)
        let request = try Request("https://e.tw/x?token=SECRET")
        #expect(await transport.failure(request).message.hasPrefix("shut out; it is left alone until "))
        time.advance(.seconds(590))
        let second = await transport.failure(request)
        #expect(
            second.code == .blocked && second.status == 428 && second.retryAfter == .seconds(10)
                && second.message.contains("blocked until"))
        #expect(calls.current == 1 && time.sleeps.isEmpty)
        #expect(try await transport.send(Request("https://other.tw/")).response.status == 200)
        time.advance(.seconds(11))
        #expect(await transport.failure(request).code.rawValue == "none")
    }

    @Test("a cancelled wait for the window ends at once") func cancelledWait() async throws {
        let stub = StubTransport { request throws(OpenDataError) in StubTransport.payload(request) }
        let policy = HostPolicy(host: "e.tw", requests: 1, per: .seconds(3600))
        let notices = Guarded<[String]>([])
        let limit = RateLimitMiddleware(budgets: HostBudgets()) { notice in
            notices.with { $0.append(notice.message) }
        }
        let transport = MiddlewareTransport([DeclaredHosts([policy]), limit], stub)
        let request = try Request("https://e.tw/x")
        _ = try await transport.send(request)
        let tasks = (0..<3).map { _ in Task { await transport.failure(request).code } }
        while notices.current.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(
            notices.current.count == 1 && notices.current[0].wholeMatch(of: /waiting 3\d{3}(\.\d)? s for e.tw/) != nil)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
    }
}

@Suite("Windows of requests") struct RequestWindowTests {
    @Test(
        "the shortest wait of the one behind others, simulated with requests of no length",
        arguments: 0..<200)
    func shortestWait(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let policy = HostPolicy(
            host: "e.tw", requests: Int.random(in: 1...5, using: &random), per: .seconds(5), concurrent: 100)
        let now = Duration.seconds(1000)
        let ended = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            now - .milliseconds(Int.random(in: 0...7000, using: &random))
        }
        let window = RequestWindow(ended: ended)
        for ahead in 0..<12 {
            var (copy, time) = (window, now)
            for _ in 0..<ahead {
                time += try #require(copy.wait(policy, now: time))
                copy.ended.append(time)
            }
            let end = time + (try #require(copy.wait(policy, now: time)))
            #expect(window.shortestWait(policy, now: now, ahead: ahead) == end - now)
        }
        // One under way may end at once, but no sooner.
        let busy = RequestWindow(ended: ended, underWay: 1)
        let free = RequestWindow(ended: ended + [now])
        #expect(busy.shortestWait(policy, now: now, ahead: 7) == free.shortestWait(policy, now: now, ahead: 7))
    }
}
