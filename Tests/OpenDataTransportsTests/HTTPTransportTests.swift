import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// The bare transport against a server that answers as told.
@Suite struct HTTPTransportTests {
    private static let head = "HTTP/1.1 200 OK\r\n"

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Raw bytes, after which the connection is closed; `nil` waits.
        let answer: [UInt8]?
        let code: OpenDataError.Code?
        let says: String

        init(_ name: String, _ answer: String?, _ code: OpenDataError.Code?, _ says: String = "") {
            self.init(name, bytes: answer.map { Array($0.utf8) }, code, says)
        }

        init(_ name: String, bytes: [UInt8]?, _ code: OpenDataError.Code?, _ says: String = "") {
            (self.name, answer, self.code, self.says) = (name, bytes, code, says)
        }

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case("closed without a word", "", .unreachable, "closed the connection without an answer"),
        Case("cut short", head + "Content-Length: 100\r\n\r\nhalf", .truncated, "after 4 of 100 bytes"),
        Case("cut short in a chunk", head + "Transfer-Encoding: chunked\r\n\r\n10\r\nhalf", .truncated, "4"),
        Case("no status line", "a,b\n1,2\n", .badResponse, "HTTP"),
        Case("header without a colon", head + "nonsense\r\nContent-Length: 1\r\n\r\nx", .badResponse),
        Case(
            "header that is no text", bytes: Array(head.utf8) + [0x58, 0x3A, 0xA5, 0xFF] + Array("\r\n\r\nx".utf8),
            .badResponse),
        Case("length that is no number", head + "Content-Length: abc\r\n\r\nx", .badResponse),
        Case("negative length", head + "Content-Length: -1\r\n\r\nx", .badResponse),
        Case("broken chunk", head + "Transfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n", .badResponse, "cannot be read"),
        Case("gzip that is none", head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", .badResponse),
        Case(
            "gzip cut short",
            bytes: Array((head + "Content-Encoding: gzip\r\nContent-Length: 900\r\n\r\n").utf8)
                + [0x1F, 0x8B, 8, 0, 0], .truncated),
        Case(
            "too many headers", head + String(repeating: "X: aaaaaaaaaaaaaaaa\r\n", count: 30_000) + "\r\nx",
            .badResponse),
        Case("announced too large", head + "Content-Length: 99999999999\r\n\r\nx", .tooLarge, "longer than"),
        Case("sent too large", head + "\r\n" + String(repeating: "x", count: 2_000_000), .tooLarge, "1000000 bytes"),
        Case("B114: no answer", nil, .timedOut, "connect time-out"),
        Case("interim answer first", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head + "\r\nbody", nil),
        Case("HTTP/1.0 without a length", "HTTP/1.0 200 OK\r\n\r\nbody", nil),
        Case("folded header", head + "X: a\r\n b\r\nContent-Length: 4\r\n\r\nbody", nil),
        Case("length of 0", head + "Content-Length: 0\r\n\r\n", nil),
        Case("304", "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 500\r\n\r\n", nil),
        Case("404", "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nbody", nil),
        Case("401 with a realm", "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\r\nbody", nil),
        Case("401 without a realm", "HTTP/1.1 401 X\r\nWWW-Authenticate: Bearer\r\n\r\nbody", nil),
        Case("redirect", "HTTP/1.1 302 X\r\nLocation: /x\r\nContent-Length: 4\r\n\r\nbody", nil),
        Case("redirect to nowhere", "HTTP/1.1 302 X\r\nLocation: http://[bad\r\nContent-Length: 4\r\n\r\nbody", nil),
        Case("redirect without a target", "HTTP/1.1 302 X\r\nContent-Length: 4\r\n\r\nbody", nil),
    ]

    @Test("every broken answer has its error, in bounded time", .timeLimit(.minutes(1)), arguments: cases)
    func answers(_ each: Case) async throws {
        let server = try LoopbackServer { _, connection in
            if let answer = each.answer { connection.send(answer) } else { connection.wait(seconds: 30) }
        }
        let request = try Request("\(server.url)/data?token=SECRET", maximumBytes: 1_000_000)
        let payload: Payload
        do throws(OpenDataError) {
            payload = try await HTTPTransport(impatient).send(request)
        } catch {
            #expect(error.code == each.code, "\(error)")
            #expect(each.says.isEmpty || error.message.contains(each.says), "\(error)")
            #expect(error.message.contains("127.0.0.1") && !error.description.contains("SECRET"), "\(error)")
            #expect(error.url == "\(server.url)/data?token=REDACTED")
            return
        }
        #expect(each.code == nil, "status \(payload.response.status)")
        #expect(payload.response.url == "\(server.url)/data?token=REDACTED")
        let announcesBody = payload.response.header("Content-Length") != "0"
        if payload.response.status == 200, announcesBody { #expect(try payload.text() == "body") }
        let answer = String(decoding: each.answer ?? [], as: UTF8.self)
        let status = answer.components(separatedBy: "HTTP/1.").last?.split(separator: " ").dropFirst().first
        #expect(status.map { String($0) } == "\(payload.response.status)")
    }

    @Test("B114: each time limit says that it was the one", .timeLimit(.minutes(1)))
    func timeLimits() async throws {
        let server = try LoopbackServer { request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nsome")
            while request.target == "/trickle", connection.send("more"), connection.wait(seconds: 0.02) {}
            connection.wait(seconds: 30)
        }
        let impatient = HTTPTransport(.init(connectTimeout: .seconds(20), idleTimeout: .milliseconds(600)))
        let idle = await impatient.failure(try Request("\(server.url)/idle"))
        #expect(idle.code == .timedOut && idle.message.contains("sent nothing for 0.6 s (idle time-out)"), "\(idle)")
        let hurried = HTTPTransport(.init(connectTimeout: .seconds(20), totalTimeout: .milliseconds(1500)))
        let total = await hurried.failure(try Request("\(server.url)/trickle"))
        #expect(total.code == .timedOut && total.message.contains("after 1.5 s (total time-out)"), "\(total)")
    }

    @Test("refused and unknown hosts") func unreachable() async throws {
        let refused = await HTTPTransport().failure(try Request("http://127.0.0.1:1/"))
        #expect(refused.code == .unreachable && !(refused.underlying is ClosedWithoutAnswer), "\(refused)")
        let unknown = await HTTPTransport().failure(try Request("http://no-such-host.invalid/"))
        #expect(unknown.code == .unreachable && unknown.message.contains("no-such-host.invalid"), "\(unknown)")
        let silent = try LoopbackServer { _, _ in }
        let closed = await HTTPTransport().failure(try Request(silent.url))
        #expect(closed.code == .unreachable && closed.underlying is ClosedWithoutAnswer, "\(closed)")
        let odd = await HTTPTransport().failure(try Request("http://127.0.0.1:99999/"))
        #expect([.unreachable, .badAddress].contains(odd.code), "\(odd)")
    }

    @Test("B001, B002: a request is sent once, whatever happens to earlier connections") func sentOnce() async throws {
        let again = Guarded(0)
        let server = try LoopbackServer { request, connection in
            // Keeps a connection unless asked not to; closes it without an answer when it is used again.
            guard request.target == "/first" else { return }
            connection.answer(body: "x")
            if request.headers["connection"] != "close", connection.readRequest() != nil { again.increment() }
        }
        for _ in 0..<4 { _ = try await HTTPTransport().send(Request("\(server.url)/first")) }
        let error = await HTTPTransport(impatient).failure(try Request("\(server.url)/second"))
        #expect(error.code == .unreachable && error.underlying is ClosedWithoutAnswer, "\(error)")
        #expect(server.requests.map(\.target) == Array(repeating: "/first", count: 4) + ["/second"])
        #expect(again.current == 0)
    }

    @Test("what is sent") func request() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(body: "x") }
        let transport = HTTPTransport(.init(userAgent: "Test/1"))
        var request = try Request(
            "\(server.url)/a%20b/資料[1].csv?x=%E4%B8%AD文&plus=a%2Bb#part", headers: ["X-Key": "k", "accept": "text/csv"])
        _ = try await transport.send(request)
        let seen = try #require(server.requests.first)
        #expect(seen.method == "GET")
        #expect(seen.target == "/a%20b/%E8%B3%87%E6%96%99%5B1%5D.csv?x=%E4%B8%AD%E6%96%87&plus=a%2Bb")
        #expect(seen.headers["user-agent"] == "Test/1" && seen.headers["x-key"] == "k")
        #expect(seen.headers["accept"] == "text/csv" && seen.headers["cookie"] == nil)
        #expect(seen.headers["accept-encoding"]?.contains("gzip") == true)
        request.headers = ["X": "a\r\nInjected: b"]
        #expect(await transport.failure(request).code == .badArgument)
    }

    @Test("B105: header names in any case; cookies are not kept") func headers() async throws {
        let server = try LoopbackServer { _, connection in
            connection.send(
                "HTTP/1.1 200 OK\r\ncontent-disposition: attachment; filename=\"a.csv\"\r\netag: \"e\"\r\n"
                    + "SET-COOKIE: a=b\r\ncontent-type: Text/CSV; charset=x\r\ncontent-length: 1\r\n\r\nx")
        }
        for _ in 0..<2 {
            let response = try await HTTPTransport().send(Request(server.url)).response
            #expect(response.fileName == "a.csv" && response.header("ETag") == "\"e\"")
            #expect(response.mediaType == "text/csv" && response.header("Set-Cookie") == "a=b")
        }
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
    }

    @Test("bodies around the size that stays in memory", arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_003])
    func sizes(_ size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let server = try LoopbackServer { request, connection in
            connection.send("HTTP/1.1 200 OK\r\n\(request.target == "/open" ? "" : "Content-Length: \(size)\r\n")\r\n")
            connection.send(body)
        }
        for path in ["/length", "/open"] {
            let payload = try await HTTPTransport(impatient).send(Request(server.url + path, maximumBytes: size))
            #expect(try payload.bytes() == body)
            if case .bytes = payload.body { #expect(size <= 65_536) } else { #expect(size > 65_536) }
            guard size > 0 else { continue }
            let less = try Request(server.url + path, maximumBytes: size - 1)
            #expect(await HTTPTransport(impatient).failure(less).code == .tooLarge)
        }
    }

    @Test(
        "B108: the proxy of the environment is named",
        arguments: [
            (["http_proxy": "http://u:pw@127.0.0.1:9"], "http://e.tw/", "127.0.0.1:9"),
            (["HTTP_PROXY": "http://p:9"], "http://e.tw/", nil), (["https_proxy": "p:9"], "http://e.tw/", nil),
            (["HTTPS_PROXY": "p:9/"], "https://e.tw/", "p:9"), (["all_proxy": "socks5://p:9"], "https://e.tw/", "p:9"),
            (["https_proxy": "p:9", "no_proxy": "localhost,.e.tw"], "https://a.e.tw/", nil),
            (["https_proxy": "p:9", "no_proxy": "e.tw"], "https://more.tw/", "p:9"), ([:], "https://e.tw/", nil),
        ] as [([String: String], String, String?)])
    func proxies(_ variables: [String: String], _ url: String, _ expected: String?) throws {
        let proxy = ProxyEnvironment(variables).proxy(for: try Request(url))
        #expect(proxy?.address == expected)
    }

    #if canImport(Darwin)
        private static func failure(_ number: Int, _ sentence: String) -> TransferFailure {
            TransferFailure(
                NSError(
                    domain: NSURLErrorDomain, code: number, userInfo: [NSLocalizedDescriptionKey: sentence]))
        }

        private static let sentences: [(Int, String, OpenDataError.Code)] = [
            (-1202, "The certificate for this server is invalid.", .untrusted),
            (-1005, "The network connection was lost.", .unreachable),
            (-1001, "The request timed out.", .timedOut),
        ]
    #else
        private static func failure(_ number: Int, _ sentence: String) -> TransferFailure {
            TransferFailure(curl: Int32(number), sentence)
        }

        private static let sentences: [(Int, String, OpenDataError.Code)] = [
            (60, "SSL certificate problem: self-signed certificate", .untrusted),
            (60, "SSL certificate problem: unable to get local issuer certificate", .untrusted),
            (77, "error setting certificate verify locations:  CAfile: /x", .untrusted),
            (35, "error:0A000438:SSL routines::tlsv1 alert internal error", .untrusted),
            (35, "OpenSSL SSL_connect: Connection reset by peer in connection to e.tw:443", .unreachable),
            (35, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to e.tw:443", .unreachable),
            (56, "Recv failure: Connection reset by peer", .unreachable),
            (56, "Received HTTP code 403 from proxy after CONNECT", .unreachable),
            (28, "Connection timed out after 10 milliseconds", .timedOut),
            (1, "Protocol \"https\" not supported or disabled in libcurl", .badAddress),
        ]
    #endif

    @Test("failures of encryption are told apart from silence", arguments: sentences)
    func encryption(_ number: Int, _ sentence: String, _ code: OpenDataError.Code) throws {
        let failure = HTTPTransportTests.failure(number, sentence)
        let error = failure.error(for: try Request("https://e.tw/x"), nil, received: 0, of: nil)
        #expect(error.code == code && error.message.contains("e.tw"), "\(error)")
        #expect((error.underlying is ClosedWithoutAnswer) == (code == .unreachable && !sentence.contains("proxy")))
        if code == .untrusted {
            #expect(
                error.message.contains(sentence) && error.message.contains("never switched off"), "B022, B042, B109")
        }
    }

    @Test(
        "B104: many downloads, and one large one, in steady memory", .timeLimit(.minutes(2)),
        .enabled(if: Memory.isMeasurable, "a sanitizer keeps what has been freed"))
    func memory() async throws {
        let block = [UInt8](repeating: 65, count: 1 << 20)
        let server = try LoopbackServer { request, connection in
            let count = request.target == "/large" ? 256 : 1
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count << 20)\r\n\r\n")
            for _ in 0..<count where !connection.send(block) { return }
        }
        let transport = HTTPTransport()
        for _ in 0..<20 { _ = try await transport.send(Request(server.url)) }
        let before = try Memory.resident()
        for _ in 0..<200 { _ = try await transport.send(Request(server.url)) }
        let afterMany = try Memory.resident()
        // Other tests run in this process meanwhile; what is looked for would be 200 and 256 MiB.
        #expect(afterMany - before < 120 << 20, "grew by \((afterMany - before) >> 20) MiB")
        let payload = try await transport.send(Request("\(server.url)/large"))
        let afterLarge = try Memory.resident()
        #expect(afterLarge - afterMany < 120 << 20, "grew by \((afterLarge - afterMany) >> 20) MiB")
        guard case .temporary = payload.body else {
            Issue.record("a large body is kept in memory")
            return
        }
    }
}
