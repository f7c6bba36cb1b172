import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// All middlewares together, against the simulator's faults.
@Suite(.enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
struct StandardTransportTests {
    private static let quick = RetryMiddleware.Configuration(base: .milliseconds(20), cap: .milliseconds(50))

    /// A transport that asks the simulator in place of every https host, with budgets of its own.
    private static func transport(
        _ simulator: Simulator, policies: [HostPolicy] = [], notices: Guarded<[String]> = Guarded([])
    ) -> any Transport {
        let portal = HostPolicy(host: "data.gov.tw", requests: 100, per: .seconds(1), concurrent: 8)
        let standard = StandardTransport(
            rewrites: [RewriteRule("https://", "\(simulator.url)/")], configuration: impatient, budgets: HostBudgets(),
            retry: quick, onNotice: { notice in notices.with { $0.append(notice.message) } })
        return MiddlewareTransport([DeclaredHosts(policies + [portal])], standard)
    }

    private static let shared = Guarded<Simulator?>(nil)

    private static func simulator() throws -> Simulator {
        try shared.with { simulator in
            let started = try simulator ?? Simulator()
            simulator = started
            return started
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let path: String
        let code: OpenDataError.Code?
        let says: String
        let requests: Int

        init(_ path: String, _ code: OpenDataError.Code?, _ says: String = "", requests: Int = 1) {
            (self.path, self.code, self.says, self.requests) = (path, code, says, requests)
        }

        var testDescription: String { path }
    }

    static let faults = [
        Fault("ok", nil), Fault("drop", .unreachable, "(after 3 attempts)", requests: 3),
        Fault("drop_mid", .truncated, "68553 of 137106 bytes", requests: 3),
        Fault("slow?ms=5&step=9000", nil), Fault("stall", .timedOut, "time-out"),
        Fault("empty", .emptyBody, "empty body", requests: 3), Fault("html", nil), Fault("text_error", nil),
        Fault("s429?run=1", .rateLimited, "asks to wait 1 s"), Fault("s429?run=2&form=date&after=2", .rateLimited),
        Fault("s429?run=3&after=3600", .rateLimited, "asks to wait 3600 s: Too Many Requests"),
        Fault("s500_then_ok?run=1", nil, requests: 2), Fault("s500_then_ok?run=2&n=2&status=503", nil, requests: 3),
        Fault("s500_then_ok?run=3&n=9&status=502", .httpStatus, "status 502: Bad Gateway (after 3", requests: 3),
        Fault("s404", .notFound, "may have moved: 404 Not Found"), Fault("status?code=410", .notFound),
        Fault("status?code=402", .rateLimited, "Requests reach the upper limit"),
        Fault("status?code=400", .httpStatus, "{\"msg\":\"Requests reach the upper limit\"}"),
        Fault("status?code=401", .unauthorised), Fault("status?code=403", .unauthorised),
        Fault("status?code=418", .httpStatus, "418"), Fault("redirect_loop", .badResponse, "too many redirects"),
        Fault("redirect_to?url=/data.gov.tw/fault/ok", nil, requests: 1),
        Fault("redirect_private", .badResponse, "169.254.169.254"),
        Fault("redirect_downgrade", .badResponse, "unencrypted"), Fault("gzip", nil),
        Fault("gzip_bomb?mb=64", .tooLarge, "20000000"), Fault("zip_bomb?mb=8", nil),
        Fault("huge?mb=64", .tooLarge, "20000000"), Fault("bad_length", .truncated, "of 137206", requests: 3),
        Fault("no_status_line", .badResponse), Fault("header_case", nil), Fault("utf16", nil), Fault("bad_utf8", nil),
    ]

    @Test("the faults of the simulator have their errors, in bounded time", .timeLimit(.minutes(1)), arguments: faults)
    func fault(_ fault: Fault) async throws {
        let simulator = try StandardTransportTests.simulator()
        let transport = StandardTransportTests.transport(simulator)
        let request = try Request(
            "https://data.gov.tw/fault/\(fault.path)\(fault.path.contains("?") ? "&" : "?")token=SECRET",
            maximumBytes: 20_000_000)
        do throws(OpenDataError) {
            let payload = try await transport.send(request)
            #expect(fault.code == nil, "status \(payload.response.status)")
            #expect(payload.response.url.hasPrefix("https://data.gov.tw/fault/"))
        } catch {
            #expect(error.code == fault.code, "\(error)")
            #expect(fault.says.isEmpty || error.message.contains(fault.says), "\(error)")
            #expect(!error.description.contains("SECRET") && error.url?.hasPrefix("https://data.gov.tw/") == true)
        }
    }

    @Test("requests are repeated as often as said, and no more") func attempts() async throws {
        let simulator = try Simulator()
        let notices = Guarded<[String]>([])
        for fault in StandardTransportTests.faults {
            // Redirects make more requests than attempts; the simulator books what was broken off later.
            if fault.path.hasPrefix("redirect") || [.timedOut, .tooLarge].contains(fault.code) { continue }
            try simulator.reset()
            notices.with { $0 = [] }
            // A host that has asked for a rest gets it from the transport that heard of it.
            let transport = StandardTransportTests.transport(simulator, notices: notices)
            _ = try? await transport.send(Request("https://data.gov.tw/fault/\(fault.path)", maximumBytes: 20_000_000))
            #expect(try simulator.stats().count("data.gov.tw") == fault.requests, "B002: \(fault.path)")
            #expect(notices.current.count == fault.requests - 1, "\(fault.path) \(notices.current)")
        }
    }

    @Test("B105, B107: headers in any case; a compressed body in full") func headers() async throws {
        let simulator = try StandardTransportTests.simulator()
        let transport = StandardTransportTests.transport(simulator)
        let plain = try await transport.send(Request("https://data.gov.tw/fault/header_case"))
        #expect(plain.response.fileName == "a.csv" && plain.response.header("ETAG") != nil)
        let packed = try await transport.send(Request("https://data.gov.tw/fault/gzip"))
        #expect(packed.response.header("content-encoding") == "gzip")
        #expect(try packed.bytes() == plain.bytes() && plain.bytes().count == 137_106)
    }

    @Test(
        "a small body that inflates to a large one does not pile up in memory",
        .enabled(if: Memory.isMeasurable, "a sanitizer keeps what has been freed"))
    func bomb() async throws {
        let simulator = try StandardTransportTests.simulator()
        let request = try Request("\(simulator.url)/fault/gzip_bomb?mb=300", maximumBytes: 1_000_000)
        // The process is shared with tests that need memory of their own: one quiet moment of a few has to do.
        var least = Int.max
        for _ in 0..<5 where least >= 150 << 20 {
            let before = try Memory.resident()
            #expect(await HTTPTransport().failure(request).code == .tooLarge)
            // What the library has read already is inflated to its end.
            try await Task.sleep(for: .seconds(1))
            least = min(least, try Memory.resident() - before)
        }
        #expect(least < 150 << 20, "grew by \(least >> 20) MiB")
    }

    static let exchange = HostPolicy(
        host: "www.twse.com.tw", requests: 3, per: .seconds(5), blockStatuses: [428], blockRedirects: ["block.html"],
        blockSentences: ["因為安全性考量"], pageMeansBlocked: true, silenceMeansBlocked: true)

    @Test("B001, B002: eight requests at once never exceed the exchange's limit", .timeLimit(.minutes(1)))
    func exchangeLimit() async throws {
        let simulator = try Simulator()
        let notices = Guarded<[String]>([])
        let transport = StandardTransportTests.transport(
            simulator, policies: [StandardTransportTests.exchange], notices: notices)
        let start = ContinuousClock.now
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for month in 1...8 {
                group.addTask {
                    let url = "https://www.twse.com.tw/exchangeReport/STOCK_DAY"
                    let query: KeyValuePairs = ["response": "json", "stockNo": "2330", "date": "20240\(month)01"]
                    return try await transport.send(Request(url, query: query)).response.status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let stats = try simulator.stats()
        #expect(statuses == Array(repeating: 200, count: 8) && stats.count("www.twse.com.tw") == 8)
        #expect(stats.maxPer5s["www.twse.com.tw"] ?? 9 <= 3 && stats.maxConcurrent["www.twse.com.tw"] == 1)
        #expect(stats.banEvents.isEmpty)
        // A machine on which they take longer than the limit alone does may keep it without a wait.
        guard ContinuousClock.now - start < .seconds(20) else { return }
        #expect(stats.maxPer5s["www.twse.com.tw"] == 3)
        #expect(notices.current.contains { $0.hasPrefix("waiting ") && $0.hasSuffix(" for www.twse.com.tw") })
    }

    @Test("B001, B003: a block page is not followed, and the host is left alone") func blocked() async throws {
        let simulator = try Simulator(knobs: ["ban_after": "0"])
        let transport = StandardTransportTests.transport(simulator, policies: [StandardTransportTests.exchange])
        let request = try Request("https://www.twse.com.tw/exchangeReport/STOCK_DAY_ALL")
        let first = await transport.failure(request)
        #expect(first.code == .blocked && first.status == 307 && first.message.contains("block.html"), "\(first)")
        let second = await transport.failure(request)
        #expect(second.code == .blocked && second.message.contains("blocked until"), "\(second)")
        let stats = try simulator.stats()
        #expect(stats.count("www.twse.com.tw") == 1 && stats.banEvents.map(\.answer) == [307])
    }

    @Test("B003, B004: every stage of a ban is recognised", .timeLimit(.minutes(1))) func stages() async throws {
        let simulator = try Simulator(knobs: ["ban_after": "0"])
        let request = try Request("https://www.twse.com.tw/exchangeReport/STOCK_DAY_ALL")
        var errors: [OpenDataError] = []
        for _ in 0..<5 {
            // A new process each time, as it were.
            let transport = StandardTransportTests.transport(simulator, policies: [StandardTransportTests.exchange])
            errors.append(await transport.failure(request))
        }
        #expect(errors.map(\.code) == Array(repeating: .blocked, count: 5))
        #expect(errors.map(\.status) == [307, 428, 428, 428, nil])
        var policy = StandardTransportTests.exchange
        policy.host = "openapi.twse.com.tw"
        let transport = StandardTransportTests.transport(simulator, policies: [policy])
        let page = await transport.failure(try Request("https://openapi.twse.com.tw/v1/exchangeReport/STOCK_DAY_ALL"))
        #expect(page.code == .blocked && page.message.contains("text/html") && page.message.contains("因為您的連線數過多"))
    }
}
