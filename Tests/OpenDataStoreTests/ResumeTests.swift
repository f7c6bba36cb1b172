import Foundation
import OpenDataCore
import OpenDataTransports
import TestSupport
import Testing

@testable import OpenDataStore

@Suite("Interrupted downloads")
struct ResumeTests {
    private static let body = String((0..<20_000).map { "line \($0)\n" }.joined())

    /// How the server goes on after it has cut the first answer short.
    enum Rest: String, Sendable, CaseIterable {
        case range, wholeAgain, otherVersion, wrongPlace, refused, cutAgain, noVersion
    }

    @Test("go on where they ended, or begin anew", arguments: Rest.allCases)
    func resume(rest: Rest) async throws {
        let count = Guarded(0)
        let server = try LoopbackServer { request, connection in
            let number = count.increment()
            let body = ResumeTests.body
            let etag = rest == .noVersion ? "" : "ETag: \"v1\"\r\n"
            let half = body.utf8.count / 2
            func send(_ from: Int, _ to: Int, etag: String = etag) {
                let bytes = Array(body.utf8)
                connection.send(
                    "HTTP/1.1 206 X\r\n\(etag)Content-Range: bytes \(from)-\(bytes.count - 1)/\(bytes.count)\r\n"
                        + "Content-Length: \(bytes.count - from)\r\n\r\n")
                connection.send(Array(bytes[from..<to]))
            }
            guard number > 1 else {
                connection.send(
                    "HTTP/1.1 200 X\r\n\(etag)Content-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
                connection.send(Array(body.utf8.prefix(half)))
                return
            }
            let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            switch (rest, start) {
            case (.range, let start?), (.cutAgain, let start?):
                #expect(request.headers["if-range"] == "\"v1\"" && request.headers["accept-encoding"] == "identity")
                send(start, rest == .cutAgain && number == 2 ? start + half / 2 : body.utf8.count)
            case (.otherVersion, let start?): send(start, body.utf8.count, etag: "ETag: \"v2\"\r\n")
            case (.wrongPlace, let start?): send(start - 1, body.utf8.count)
            case (.refused, .some): connection.answer(416)
            default:
                connection.send("HTTP/1.1 200 X\r\n\(etag)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let place = try Place()
        let (store, notices) = (place.store(), place.notices)
        let transport = StandardTransport(
            budgets: HostBudgets(), retry: .init(base: .zero), store: place.middleware(store),
            resume: ResumeMiddleware(store, onNotice: { notice in notices.with { $0.append(notice.message) } }))
        let payload = try await transport.send(request(server.url + "/a.txt"))
        #expect(try payload.text() == ResumeTests.body && payload.response.status == 200)
        #expect(payload.provenance?.bytes == ResumeTests.body.utf8.count)
        let expected = ["refused", "otherVersion", "wrongPlace", "cutAgain"].contains(rest.rawValue) ? 3 : 2
        #expect(count.current == expected)
        let ranges = server.requests.map { $0.headers["range"] != nil }
        switch rest {
        case .range, .wholeAgain: #expect(ranges == [false, true])
        case .cutAgain: #expect(ranges == [false, true, true])
        case .noVersion: #expect(ranges == [false, false])
        default: #expect(ranges == [false, true, false])
        }
        let resumed = rest == .range || rest == .cutAgain
        #expect(notices.current.contains { $0.contains("went on behind") } == resumed)
        // Nothing is left of it, and it is kept once.
        #expect(!place.files.contains { $0.hasPrefix("partial/") || $0.hasPrefix("incoming/") })
        #expect(try store.snapshots().count == 1)
        if resumed { #expect(payload.response.header("Content-Type") == "text/plain") }
    }

    @Test("in one process go on in another")
    func otherProcess() async throws {
        let count = Guarded(0)
        let server = try LoopbackServer { request, connection in
            let bytes = Array(ResumeTests.body.utf8)
            let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let isFirst = count.increment() == 1
            connection.send(
                "HTTP/1.1 \(start > 0 ? 206 : 200) X\r\nETag: \"v1\"\r\nContent-Length: \(bytes.count - start)\r\n"
                    + "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[start..<(isFirst ? 100_000 : bytes.count)]))
        }
        let place = try Place()
        func transport() -> StandardTransport {
            let store = place.store()
            return StandardTransport(
                budgets: HostBudgets(), retry: .init(attempts: 1), store: place.middleware(store),
                resume: ResumeMiddleware(store))
        }
        do {
            _ = try await transport().send(request(server.url + "/a.txt"))
            Issue.record("it was cut short")
        } catch { #expect(error.code == .truncated) }
        #expect(place.files.filter { $0.hasPrefix("partial/") }.count == 1)
        let payload = try await transport().send(request(server.url + "/a.txt"))
        #expect(try payload.text() == ResumeTests.body)
        #expect(server.requests.last?.headers["range"] == "bytes=100000-")
    }

    @Test(
        "Content-Range is read as written",
        arguments: [
            ("bytes 100-199/200", [100, 199, 200]), ("Bytes 0-0/*", [0, 0, -1]), ("bytes 5-4/9", nil),
            ("bytes 5-9/9", nil), ("bytes */9", nil), ("lines 1-2/3", nil), ("bytes 1-2", nil), ("", nil),
        ] as [(String, [Int]?)])
    func contentRange(text: String, parts: [Int]?) {
        let range = ContentRange(Response(headers: [.init("content-range", text)], url: ""))
        #expect(range.map { [$0.first, $0.last, $0.total ?? -1] } == parts)
    }
}
