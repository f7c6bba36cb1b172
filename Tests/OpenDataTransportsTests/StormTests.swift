import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// Many hosts, tasks and faults at once, by a clock that does not wait.
@Suite("A storm of requests") struct StormTests {
    private static let hosts = 200
    private static let requests = 5000
    private static let tasks = 64

    /// A request as its host saw it.
    private struct Visit: Sendable {
        let begun: Duration
        /// When the host counted it, at any time until it ended.
        let counted: Duration
        let ended: Duration
    }

    private static func policy(_ number: Int) -> HostPolicy {
        let requests = 1 + number % 5
        return HostPolicy(
            host: "host\(number).tw", requests: requests, per: .milliseconds(2000 * requests),
            concurrent: 1 + number % 3, blockStatuses: [428])
    }

    /// What a host answers: mostly a success, and now and then each of the faults.
    private static func answer(_ request: Request, _ chance: Int) throws(OpenDataError) -> Payload {
        switch chance {
        case 0..<30: return StubTransport.payload(request, 503)
        case 30..<40: return StubTransport.payload(request, 503, ["Retry-After": "2"])
        case 40..<50: return StubTransport.payload(request, 429, ["Retry-After": "2"])
        case 50..<70: return StubTransport.payload(request, 404)
        case 70..<90: throw OpenDataError(.unreachable, "no way")
        case 90..<110: throw OpenDataError(.truncated, "too short")
        case 110..<130: return StubTransport.payload(request, 200, [:], "")
        case 130: return StubTransport.payload(request, 428)
        default: return StubTransport.payload(request)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    @Test("every host's limit is kept, and little more is waited than the limits ask", arguments: [1, 3])
    func storm(processes: Int) throws {
        let time = VirtualTime()
        let folder = try TemporaryFolder()
        let random = Guarded(SeededGenerator(seed: 7))
        let visits = Guarded<[String: [Visit]]>([:])
        let stub = StubTransport { request throws(OpenDataError) in
            let begun = time.now
            let (first, second, chance) = random.with { random in
                (
                    Int.random(in: 1...60, using: &random), Int.random(in: 1...60, using: &random),
                    Int.random(in: 0..<1000, using: &random)
                )
            }
            do {
                try await time.source.sleep(.milliseconds(first))
                let counted = time.now
                try await time.source.sleep(.milliseconds(second))
                visits.with {
                    $0[request.host, default: []].append(Visit(begun: begun, counted: counted, ended: time.now))
                }
            } catch { throw OpenDataError(.cancelled, "\(error)") }
            return try StormTests.answer(request, chance)
        }
        let policies = (0..<StormTests.hosts).map(StormTests.policy)
        // With several processes, as it were: they share nothing but files.
        let transports = (0..<processes).map { _ in
            MiddlewareTransport(
                [
                    RetryMiddleware(
                        .init(), time: time.source, random: { random.with { Double.random(in: 0...1, using: &$0) } },
                        onNotice: { _ in }),
                    StatusMiddleware(),
                    RateLimitMiddleware(
                        budgets: HostBudgets(), cache: processes == 1 ? nil : CacheDirectory(path: folder.url.path),
                        time: time.source),
                    BlockMiddleware(),
                ], stub)
        }
        let next = Guarded(0)
        let codes = try time.run {
            await withTaskGroup(of: [String: Int].self) { group in
                for task in 0..<StormTests.tasks {
                    group.addTask {
                        var codes: [String: Int] = [:]
                        while true {
                            let number = next.with { next in
                                defer { next += 1 }
                                return next
                            }
                            guard number < StormTests.requests,
                                var request = try? Request("https://host\(number % StormTests.hosts).tw/\(number)")
                            else { return codes }
                            request.hosts = [policies[number % StormTests.hosts]]
                            codes[await transports[task % processes].failure(request).code.rawValue, default: 0] += 1
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
            }
        }
        #expect(codes.values.reduce(0, +) == StormTests.requests)
        // Every fault has been met, and most requests were answered all the same.
        for code in ["notFound", "rateLimited", "blocked"] { #expect(codes[code, default: 0] > 0, "\(codes)") }
        #expect(codes["none", default: 0] > StormTests.requests * 3 / 4, "\(codes)")
        var shortest = Duration.zero
        for policy in policies {
            let seen = visits.current[policy.host, default: []]
            check(seen, policy)
            let windows = max(seen.count - 1, 0) / policy.requests
            shortest = max(shortest, (policy.period + RequestWindow.margin) * windows)
        }
        #expect(time.now <= shortest * 1.2, "\(time.now) of \(shortest)")
    }

    private func check(_ visits: [Visit], _ policy: HostPolicy) {
        let counted = visits.map(\.counted).sorted()
        for (first, last) in zip(counted, counted.dropFirst(policy.requests)) where last - first <= policy.period {
            Issue.record("\(policy.host): \(policy.requests + 1) requests in \(last - first) at \(first)")
        }
        for visit in visits {
            let others = visits.count { $0.begun <= visit.begun && $0.ended > visit.begun }
            if others > policy.concurrent {
                Issue.record("\(policy.host): \(others) requests at once at \(visit.begun)")
            }
        }
    }
}
