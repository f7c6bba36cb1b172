import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// Limits and rests that several processes share; middlewares with budgets of their own stand for these.
@Suite("Budgets shared by processes") struct SharedBudgetTests {
    private static let policy = HostPolicy(host: "e.tw", requests: 3, per: .seconds(5), blockStatuses: [428])
    private let folder: TemporaryFolder
    private let notices = Guarded<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    private func process(
        _ time: TimeSource = .system, _ policy: HostPolicy = policy, cache: String? = nil, statuses: [Int] = [],
        headers: KeyValuePairs<String, String> = [:], asked: Guarded<Int> = Guarded(0)
    ) -> any Transport {
        let notices = notices
        let limit = RateLimitMiddleware(
            budgets: HostBudgets(), cache: CacheDirectory(path: cache ?? folder.url.path), time: time,
            onNotice: { notice in notices.with { $0.append(notice.message) } })
        let stub = StubTransport { request throws(OpenDataError) in
            let number = asked.increment() - 1
            return StubTransport.payload(request, number < statuses.count ? statuses[number] : 200, headers)
        }
        return MiddlewareTransport([DeclaredHosts([policy]), StatusMiddleware(), limit, BlockMiddleware()], stub)
    }

    private let request: @Sendable () throws -> Request = { try Request("https://e.tw/x?key=SECRET") }

    @Test("a window is shared, and the wait for it is told once") func window() async throws {
        let time = RetryTests.FakeTime()
        for _ in 0..<3 { _ = try await process(time.source).send(request()) }
        #expect(time.sleeps.isEmpty)
        _ = try await process(time.source).send(request())
        #expect(time.now >= .seconds(5.1) && time.now < .seconds(5.2))
        #expect(time.sleeps.allSatisfy { $0 <= .seconds(1) }, "who waits shows that it is there")
        #expect(notices.current == ["waiting 5.1 s for e.tw"])
    }

    @Test("a block is remembered by the next process, without its secrets") func block() async throws {
        let time = RetryTests.FakeTime()
        let asked = Guarded(0)
        let first = await process(time.source, statuses: [428], asked: asked).failure(try request())
        #expect(first.code == .blocked && first.message.contains("; it is left alone until "))
        time.advance(.seconds(300))
        let second = await process(time.source, asked: asked).failure(try request())
        #expect(second.code == .blocked && second.status == 428 && second.retryAfter?.seconds.rounded() == 300)
        #expect(second.message.contains("e.tw is left alone, blocked until ") && second.message.contains("status 428"))
        #expect(asked.current == 1)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/hosts") {
            let text = try Data(contentsOf: folder.url.appendingPathComponent("hosts/\(name)"))
            #expect(!String(decoding: text, as: UTF8.self).contains("SECRET"))
        }
        time.advance(.seconds(301))
        #expect(try await process(time.source, asked: asked).send(request()).response.status == 200)
    }

    @Test(
        "Retry-After makes the host rest for all",
        arguments: [(429, "30", 30), (503, "7", 7), (429, "99999999", 86_400)])
    func retryAfter(_ status: Int, _ value: String, _ seconds: Int) async throws {
        let time = RetryTests.FakeTime()
        let asked = Guarded(0)
        let headers: KeyValuePairs = ["Retry-After": value]
        _ = await process(time.source, statuses: [status], headers: headers, asked: asked).failure(try request())
        time.advance(.seconds(seconds) - .seconds(2))
        let second = await process(time.source, asked: asked).failure(try request())
        #expect(second.code == .rateLimited && second.status == status && second.recovery == .retryLater)
        #expect(second.message.contains("left alone, as it asked, until ") && asked.current == 1)
        time.advance(.seconds(1.5))
        // What is left is waited for.
        #expect(try await process(time.source, asked: asked).send(request()).response.status == 200)
        #expect(time.now >= .seconds(seconds))
    }

    @Test("other statuses make no host rest", arguments: [404, 500, 302, 402])
    func noRest(_ status: Int) async throws {
        let time = RetryTests.FakeTime()
        let headers: KeyValuePairs = ["Retry-After": "30"]
        _ = await process(time.source, statuses: [status], headers: headers).failure(try request())
        #expect(try await process(time.source).send(request()).response.status == 200)
    }

    @Test("files that cannot be used are told once, and the limit is that of the process") func unusable() async throws
    {
        let file = try folder.file("file")
        let time = RetryTests.FakeTime()
        let transport = process(time.source, cache: file.path)
        for _ in 0..<4 { _ = try await transport.send(request()) }
        _ = try await process(time.source, cache: file.path).send(request())
        #expect(time.sleeps == [.milliseconds(5100)])
        #expect(
            notices.current.count == 2 && notices.current[0].hasPrefix("limits of hosts are kept by this process alone")
        )
        #expect(notices.current[0].contains("'\(file.path)/hosts' cannot be created: Not a directory"))
    }

    @Test("files that become unusable while a request is under way are told, and the answer counts") func lost()
        async throws
    {
        let hosts = folder.url.appendingPathComponent("hosts")
        let limit = RateLimitMiddleware(
            budgets: HostBudgets(), cache: CacheDirectory(path: folder.url.path), time: .system,
            onNotice: { notice in notices.with { $0.append(notice.message) } })
        let stub = StubTransport { request throws(OpenDataError) in
            do {
                try FileManager.default.removeItem(at: hosts)
                try Data().write(to: hosts)
            } catch { throw OpenDataError(.unwritable, "\(error)") }
            return StubTransport.payload(request)
        }
        let transport = MiddlewareTransport([DeclaredHosts([SharedBudgetTests.policy]), limit], stub)
        #expect(try await transport.send(request()).response.status == 200)
        #expect(notices.current.count == 1)
    }

    @Test("who is cancelled leaves the queue of all processes at once", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let policy = HostPolicy(host: "e.tw", requests: 1, per: .seconds(3600))
        _ = try await process(.system, policy).send(request())
        let request = try request()
        let tasks = (0..<3).map { _ in
            let transport = process(.system, policy)
            return Task { await transport.failure(request).code }
        }
        try await until { notices.current.count == 3 }
        let record = folder.url.appendingPathComponent("hosts/e.tw.host")
        func waiters() throws -> Int {
            LedgerRecord([UInt8](try Data(contentsOf: record)), .system)?.waiters.count ?? -1
        }
        #expect(try waiters() == 3)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        #expect(try waiters() == 0)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test("processes that ask all the time have their turns in turn") func fairness() throws {
        let time = VirtualTime()
        let policy = HostPolicy(host: "e.tw", requests: 3, per: .seconds(5))
        let transports = (0..<4).map { _ in process(time.source, policy) }
        let request = try request()
        let order = Guarded<[Int]>([])
        try time.run {
            await withTaskGroup(of: Void.self) { group in
                for (number, transport) in transports.enumerated() {
                    // Two tasks of each process wait at the same time.
                    for _ in 0..<2 {
                        group.addTask {
                            for _ in 0..<10 {
                                _ = await transport.failure(request)
                                order.with { $0.append(number) }
                            }
                        }
                    }
                }
            }
        }
        #expect(order.current.count == 80)
        // The first window is for whoever comes first.
        for start in stride(from: 4, to: 76, by: 4) {
            #expect(Set(order.current[start..<start + 4]).count >= 3, "\(order.current)")
        }
        #expect(time.now < .seconds(5.1 * 26 + 3))
    }
}
