import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataStore

@Suite("Using what is kept")
struct StoreMiddlewareTests {
    private let place: Place
    private let store: SnapshotStore
    private let clock = Guarded(1_800_000_000_000)
    private let middleware: StoreMiddleware

    init() throws {
        place = try Place()
        store = place.store()
        let (clock, notices) = (clock, place.notices)
        middleware = StoreMiddleware(
            store, address: { $0 }, onNotice: { notice in notices.with { $0.append(notice.message) } },
            now: { clock.current })
    }

    private func decode(_ payload: Payload) throws {
        var provenance = try #require(payload.provenance)
        provenance.records = .init(read: 1, written: 1, rejected: 0)
        provenance.format = "csv"
        try store.note(decoded: provenance)
    }

    private func asked(_ edit: (inout CachePolicy) -> Void = { _ in }) throws(OpenDataError) -> Request {
        var asked = try request()
        asked.freshness = .age(.seconds(60))
        edit(&asked.cache)
        return asked
    }

    private let versioned = [
        Response.HeaderField("ETag", "\"v1\""), .init("Last-Modified", "Mon, 30 Nov 2026 03:43:36 GMT"),
    ]

    @Test("A decoded copy is used without a request as long as it is current, then the host is asked for changes")
    func freshness() async throws {
        let host = Host("one", headers: versioned)
        try decode(try await middleware.send(asked(), to: host))
        clock.with { $0 += 60_000 }
        let fresh = try await middleware.send(asked(), to: host)
        #expect(try fresh.text() == "one" && fresh.provenance?.origin == .current && host.requests.current.count == 1)
        #expect(fresh.provenance?.records?.read == 1 && fresh.provenance?.format == "csv")
        #expect(place.notices.current.last?.contains("is still current; --refresh asks again") == true)
        clock.with { $0 += 1 }
        let unchanged = try await middleware.send(asked(), to: host)
        #expect(try unchanged.text() == "one" && unchanged.provenance?.origin == .unchanged)
        #expect(unchanged.response.status == 200)
        let request = try #require(host.requests.current.last)
        #expect(request.headers["If-None-Match"] == "\"v1\"")
        #expect(request.headers["If-Modified-Since"] == "Mon, 30 Nov 2026 03:43:36 GMT")
        let snapshot = try #require(store.snapshots().first)
        #expect(snapshot.provenance.revalidated?.millisecondsSince1970 == clock.current)
        // That the host has confirmed it makes it current again.
        clock.with { $0 += 59_000 }
        _ = try await middleware.send(asked(), to: host)
        #expect(host.requests.current.count == 2)
        #expect(try store.snapshots().count == 1)
    }

    @Test("What was not decoded is asked for again, and what could not be decoded is downloaded again")
    func undecoded() async throws {
        let host = Host("one", headers: versioned)
        let payload = try await middleware.send(asked(), to: host)
        _ = try await middleware.send(asked(), to: host)
        #expect(host.requests.current.count == 2 && host.requests.current.last?.headers["If-None-Match"] != nil)
        try store.note(unusable: #require(payload.provenance))
        _ = try await middleware.send(asked(), to: host)
        #expect(host.requests.current.count == 3 && host.requests.current.last?.headers["If-None-Match"] == nil)
        do {
            try store.note(unusable: #require(payload.provenance))
            _ = try await middleware.send(asked { $0.mode = .offline }, to: host)
            Issue.record("a useless copy was used")
        } catch let error as OpenDataError { #expect(error.code == .notCached) }
    }

    @Test("The age that a caller allows comes before the declared one", arguments: [(0, 2), (29, 2), (30, 1), (90, 1)])
    func maximumAge(seconds: Int, requests: Int) async throws {
        let host = Host("one", headers: versioned)
        try decode(try await middleware.send(asked(), to: host))
        clock.with { $0 += 30_000 }
        _ = try await middleware.send(asked { $0.maximumAge = .seconds(seconds) }, to: host)
        #expect(host.requests.current.count == requests)
    }

    @Test("A refresh asks for all of it")
    func refresh() async throws {
        let host = Host("one", headers: versioned)
        try decode(try await middleware.send(asked(), to: host))
        let payload = try await middleware.send(asked { $0.mode = .refresh }, to: host)
        #expect(payload.provenance?.origin == .downloaded && host.requests.current.count == 2)
        #expect(host.requests.current.last?.headers.isEmpty == true)
    }

    @Test("Offline, and as of a time, the host is never asked")
    func offline() async throws {
        let host = Host("one")
        do {
            _ = try await middleware.send(asked { $0.mode = .offline }, to: host)
            Issue.record("there is no copy")
        } catch { #expect(error.code == .notCached && error.message.contains("without --offline")) }
        #expect(!FileManager.default.fileExists(atPath: place.snapshots.path))
        let first = clock.current
        _ = try await middleware.send(asked(), to: host)
        _ = host.body.replace(with: "two")
        clock.with { $0 += 1_000_000 }
        _ = try await middleware.send(asked(), to: host)
        _ = host.failure.replace(with: OpenDataError(.unreachable, "gone"))
        let offline = try await middleware.send(asked { $0.mode = .offline }, to: host)
        #expect(try offline.text() == "two" && offline.provenance?.origin == .snapshot)
        for (time, text) in [(first, "one"), (first + 999_999, "one"), (first + 1_000_000, "two")] {
            let time = try #require(DateTime(millisecondsSince1970: time))
            #expect(try await middleware.send(asked { $0.mode = .asOf(time) }, to: host).text() == text)
        }
        let early = try #require(DateTime(millisecondsSince1970: first - 1))
        await #expect(throws: OpenDataError.self) {
            try await middleware.send(asked { $0.mode = .asOf(early) }, to: host)
        }
        #expect(host.requests.current.count == 2)
    }

    @Test(
        "A copy stands in for a host that fails only where that is asked for, and a notice says so",
        arguments: [
            (OpenDataError.Code.unreachable, nil, true), (.timedOut, nil, true), (.blocked, nil, true),
            (.rateLimited, 429, true), (.httpStatus, 503, true), (.truncated, nil, true), (.notFound, 404, false),
            (.unauthorised, 401, false), (.httpStatus, 400, false), (.cancelled, nil, false),
        ] as [(OpenDataError.Code, Int?, Bool)])
    func stale(code: OpenDataError.Code, status: Int?, stands: Bool) async throws {
        let host = Host("one", headers: versioned)
        _ = try await middleware.send(asked(), to: host)
        _ = host.failure.replace(with: OpenDataError(code, "no luck", status: status))
        do {
            _ = try await middleware.send(asked(), to: host)
            Issue.record("a copy stood in unasked")
        } catch { #expect(error.code == code) }
        #expect(place.notices.current.isEmpty)
        do {
            let payload = try await middleware.send(asked { $0.useStaleIfHostFails = true }, to: host)
            let text = try payload.text()
            #expect(text == "one" && payload.provenance?.origin == .stale && stands)
            #expect(place.notices.current.count == 1)
            #expect(place.notices.current.first?.contains("may be out of date") == true)
        } catch { #expect(error.code == code && !stands) }
    }

    @Test("Nothing is kept where that is asked for")
    func noStore() async throws {
        let host = Host("one")
        let payload = try await middleware.send(asked { $0.keepsDownloads = false }, to: host)
        #expect(payload.provenance?.sha256 == SHA256.hex(Array("one".utf8)) && payload.provenance?.snapshot == nil)
        #expect(try store.snapshots().isEmpty)
    }

    @Test("A copy longer than the request allows is not used")
    func tooLarge() async throws {
        let host = Host("123456789", headers: versioned)
        try decode(try await middleware.send(asked(), to: host))
        var small = try asked()
        small.maximumBytes = 8
        _ = try await middleware.send(small, to: host)
        #expect(host.requests.current.last?.headers["If-None-Match"] == nil)
        small.cache.mode = .offline
        do {
            _ = try await middleware.send(small, to: host)
            Issue.record("a copy beyond the limit was used")
        } catch { #expect(error.code == .tooLarge) }
    }

    @Test("A 304 that nobody asked for, and a caller's own condition")
    func strangeConditions() async throws {
        let host = Host("one", headers: versioned)
        var conditional = try asked()
        conditional.headers["If-None-Match"] = "\"v1\""
        let own = try await middleware.send(conditional, to: host)
        #expect(own.response.status == 304 && own.provenance == nil)
        do {
            _ = try await middleware.send(asked()) { (request) async throws(OpenDataError) -> Payload in
                Payload(response: Response(status: 304, url: request.url), body: .bytes([]))
            }
            Issue.record("an empty answer was taken")
        } catch { #expect(error.code == .badResponse) }
    }

    @Test("What a mirror sends is kept apart from what the publisher sends")
    func mirror() async throws {
        let host = Host("real")
        _ = try await middleware.send(asked(), to: host)
        let other = StoreMiddleware(store, address: { $0.replacingOccurrences(of: "https://", with: "http://m:8/") })
        let mirrored = Host("mirrored")
        let payload = try await other.send(asked(), to: mirrored)
        #expect(payload.provenance?.mirror == "http://m:8/example.tw/a.csv")
        #expect(try await middleware.send(asked { $0.mode = .offline }, to: host).text() == "real")
        #expect(try await other.send(asked { $0.mode = .offline }, to: host).text() == "mirrored")
    }

    @Test("Secrets neither tell requests apart nor reach the disk")
    func secrets() async throws {
        let secret = "s3cr3t-5f6e7d8c"
        let host = Host("one", headers: versioned)
        for (key, token) in [(secret, secret), ("another", "another")] {
            var asked = try request(
                "https://user:\(key)@example.tw/a.csv?api_key=\(key)&own=\(key)&city=taipei", secrets: ["own"])
            asked.headers["Authorization"] = "Bearer \(token)"
            asked.headers["X-Api-Key"] = token
            asked.headers["User-Agent"] = key
            _ = try await middleware.send(asked, to: host)
        }
        #expect(try store.snapshots().count == 1 && host.requests.current.count == 2)
        #expect(host.requests.current.last?.headers["If-None-Match"] != nil)
        #expect(
            try store.snapshots().first?.provenance.url.contains("api_key=REDACTED&own=REDACTED&city=taipei") == true)
        let all = try #require(FileManager.default.enumerator(at: place.folder.url, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in all {
            guard let data = try? Data(contentsOf: file) else { continue }
            count += 1
            #expect(data.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
        }
        #expect(count >= 3)
        // Other parameters and headers do tell requests apart.
        _ = try await middleware.send(request("https://example.tw/a.csv?api_key=x&city=tainan"), to: host)
        var accept = try request("https://example.tw/a.csv?api_key=x&city=tainan")
        accept.headers["Accept"] = "text/csv"
        _ = try await middleware.send(accept, to: host)
        #expect(try store.snapshots().count == 3)
    }
}

@Suite("Freshness")
struct FreshnessTests {
    @Test(
        "Current from the end of one window of publication to the start of the next",
        arguments: [
            // The window is 13:30 to 18:00 in Taipei.
            ("2026-11-30T18:00", "2026-12-01T13:29", true), ("2026-11-30T18:00", "2026-12-01T13:30", false),
            ("2026-11-30T17:59", "2026-11-30T18:01", false), ("2026-11-30T14:00", "2026-11-30T14:01", false),
            ("2026-11-30T13:00", "2026-11-30T13:29", true), ("2026-11-30T13:00", "2026-11-30T19:00", false),
            ("2026-11-30T19:00", "2026-12-01T19:00", false), ("2026-11-30T19:00", "2026-12-02T03:00", false),
            ("2026-11-30T23:59", "2026-12-01T00:01", true), ("2026-12-01T00:01", "2026-11-30T23:59", false),
        ])
    func daily(then: String, now: String, isCurrent: Bool) throws {
        let times = [then, now].map { DateTime(parsing: $0, zone: .taipei)?.millisecondsSince1970 ?? 0 }
        #expect(Freshness.daily(from: "13:30", to: "18:00").covers(from: times[0], to: times[1]) == isCurrent)
    }

    @Test("A window to midnight, an age, and never")
    func others() throws {
        let evening = Freshness.daily(from: "13:30", to: "24:00")
        let times = ["2026-11-30T23:59", "2026-12-01T00:00", "2026-12-01T13:29", "2026-12-01T13:30"]
            .map { DateTime(parsing: $0, zone: .taipei)?.millisecondsSince1970 ?? 0 }
        #expect(!evening.covers(from: times[0], to: times[1]) && evening.covers(from: times[1], to: times[2]))
        #expect(!evening.covers(from: times[1], to: times[3]))
        #expect(evening.summary == "from 24:00 to 13:30, Asia/Taipei time")
        #expect(Freshness.age(.seconds(5)).covers(from: 1000, to: 6000))
        #expect(!Freshness.age(.seconds(5)).covers(from: 1000, to: 6001))
        #expect(!Freshness.revalidated.covers(from: 5, to: 5))
    }
}
