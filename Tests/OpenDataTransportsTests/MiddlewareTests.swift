import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

@Suite struct MiddlewareTests {
    // MARK: Addresses

    @Test(
        "relative addresses (RFC 3986, 5.4)",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g:h", "g:h"), ("HTTP://x/y", "HTTP://x/y"),
            ("  /g ", "http://a/g"),
        ])
    func relative(_ reference: String, _ expected: String) {
        #expect(URLReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }

    @Test(
        "local addresses in every disguise",
        arguments: [
            ("localhost", true), ("a.localhost", true), ("127.0.0.1", true), ("127.1", true), ("2130706433", true),
            ("0x7f000001", true), ("0177.0.0.1", true), ("0", true), ("10.1.2.3", true), ("172.16.0.1", true),
            ("172.32.0.1", false), ("192.168.1.1", true), ("169.254.169.254", true), ("100.64.0.1", true),
            ("8.8.8.8", false), ("[::1]", true), ("[::ffff:10.0.0.1]", true), ("[fe80::1]", true), ("[fd00::1]", true),
            ("[2001:b000::1]", false), ("[::ffff:7f00:1]", true), ("data.gov.tw", false), ("127.0.0.1.tw", false),
            ("printer.local", true), ("localhost.", true), ("256.1.1.1", false), ("224.0.0.1", true),
            ("fe80.tw", false),
        ])
    func localAddresses(_ host: String, _ isLocal: Bool) { #expect(HostKind.isLocal(host) == isLocal) }

    @Test(
        "local addresses, as bytes",
        arguments: [
            ([127, 0, 0, 1], true), ([10, 1, 2, 3], true), ([172, 31, 0, 1], true), ([172, 32, 0, 1], false),
            ([169, 254, 169, 254], true), ([8, 8, 8, 8], false), ([0, 0, 0, 0], true), ([255, 255, 255, 255], true),
            (v6(last: 1), true), (v6(last: 0), true), (v6(0xFE, 0x80, last: 1), true), (v6(0xFD, last: 1), true),
            (v6(0xFE, 0xC0, last: 1), true), (v6(0xFF, 0x02, last: 1), true), (v6(0x20, 0x01, 0xB0, last: 1), false),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 10, 0, 0, 1], true),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8], false),
            ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8], false),
            ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1], true),
            (v6(0x20, 0x02, 10, last: 1), true), (v6(0x20, 0x02, 8, last: 1), false), ([], true), ([8, 8, 8], true),
        ] as [([UInt8], Bool)])
    func localBytes(_ bytes: [UInt8], _ isLocal: Bool) {
        #expect(HostKind.isLocal(address: bytes) == isLocal, "\(HostKind.text(address: bytes))")
    }

    private static func v6(_ first: UInt8..., last: UInt8) -> [UInt8] {
        first + Array(repeating: 0, count: 15 - first.count) + [last]
    }

    // MARK: Redirects

    /// Follows redirects given as address → (status, location); returns the addresses asked and the outcome.
    private func follow(
        _ url: String, _ redirects: [String: (Int, String)], headers: [String: String] = [:]
    ) async throws -> (asked: [Request], final: String?, error: OpenDataError?) {
        let asked = Guarded<[Request]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            asked.with { $0.append(request) }
            guard let (status, location) = redirects[request.url] else { return StubTransport.payload(request) }
            return StubTransport.payload(request, status, ["location": location])
        }
        let transport = MiddlewareTransport([RedirectMiddleware()], stub)
        do throws(OpenDataError) {
            let payload = try await transport.send(try Request(url, headers: headers))
            return (asked.current, payload.response.url, nil)
        } catch { return (asked.current, nil, error) }
    }

    @Test("B098, B099: redirects are followed, with their port", arguments: [301, 302, 303, 307, 308])
    func followed(_ status: Int) async throws {
        let result = try await follow(
            "http://e.tw:8081/a/b",
            [
                "http://e.tw:8081/a/b": (status, "../c?d=資料"),
                "http://e.tw:8081/c?d=%E8%B3%87%E6%96%99":
                    (status, "https://f.tw/x"),
            ])
        #expect(result.asked.map(\.url).last == "https://f.tw/x" && result.asked.count == 3)
        #expect(result.final == "https://f.tw/x")
    }

    @Test(
        "a request that must be public begins at no local address, and is led to none",
        arguments: ["http://127.0.0.1/x", "https://localhost/", "http://[::1]/", "http://10.0.0.1/"])
    func publicOnly(_ address: String) async throws {
        let asked = Guarded<[Request]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            asked.with { $0.append(request) }
            return StubTransport.payload(request, request.path == "/1" ? 302 : 200, ["location": "/2"])
        }
        let transport = MiddlewareTransport([RedirectMiddleware()], stub)
        var request = try Request(address)
        _ = try await transport.send(request)
        request.mustBePublic = true
        let refused = request
        await #expect(throws: OpenDataError.self) { _ = try await transport.send(refused) }
        #expect(asked.current.count == 1)
        request = try Request("https://e.tw/1")
        request.mustBePublic = true
        _ = try await transport.send(request)
        #expect(asked.current.map(\.mustBePublic) == [false, true, true])
    }

    @Test("what is no redirect comes back as it is", arguments: [200, 300, 304, 305, 404])
    func notFollowed(_ status: Int) async throws {
        let result = try await follow("http://e.tw/a", ["http://e.tw/a": (status, "/b")])
        #expect(result.asked.count == 1 && result.error == nil)
    }

    @Test(
        "B021: refused redirects",
        arguments: [
            ("https://e.tw/", "http://e.tw/", "unencrypted"),
            ("https://e.tw/", "http://169.254.169.254/x", "unencrypted"),
            ("http://e.tw/", "http://169.254.169.254/x", "local network"),
            ("https://e.tw/", "https://localhost/", "local"),
            ("https://e.tw/", "https://[::1]/", "local"), ("https://e.tw/", "https://2130706433/", "local"),
            ("https://e.tw/", "file:///etc/passwd", "'file'"), ("https://e.tw/", "ftp://e.tw/x", "no usable address"),
            ("https://e.tw/", "https://", "no usable address"), ("https://e.tw/", "javascript:x", "no usable address"),
        ])
    func refused(_ url: String, _ location: String, _ says: String) async throws {
        let result = try await follow(url, [url: (302, location)])
        #expect(result.error?.code == .badResponse && result.error?.message.contains(says) == true, "\(result)")
        #expect(result.asked.count == 1)
    }

    @Test("a request that begins at a local address may stay there") func localStays() async throws {
        let result = try await follow("http://127.0.0.1:1/a", ["http://127.0.0.1:1/a": (302, "http://10.0.0.1/b")])
        #expect(result.final == "http://10.0.0.1/b")
    }

    @Test("circles and endless chains end") func endless() async throws {
        let circle = try await follow("http://e.tw/a", ["http://e.tw/a": (302, "/b"), "http://e.tw/b": (302, "/a")])
        #expect(circle.error?.code == .badResponse && circle.asked.count == 2)
        let chain = Dictionary(uniqueKeysWithValues: (0..<50).map { ("http://e.tw/\($0)", (302, "/\($0 + 1)")) })
        let result = try await follow("http://e.tw/0", chain)
        #expect(result.error?.message.contains("more than 10 times") == true && result.asked.count == 11)
        #expect(try await follow("http://e.tw/40", chain).final == "http://e.tw/50")
    }

    @Test("keys do not travel to another host") func keys() async throws {
        let headers = ["Authorization": "s", "X-Api-Key": "s", "Accept": "text/csv"]
        let result = try await follow(
            "https://e.tw/a", ["https://e.tw/a": (302, "/b"), "https://e.tw/b": (302, "https://f.tw/")],
            headers: headers)
        #expect(result.asked.map { $0.headers.count } == [3, 3, 1])
    }

    @Test("a host that only a redirect names must be public, unless a mirror stands in its place") func mustBePublic()
        async throws
    {
        let away = try await follow(
            "https://e.tw/a",
            [
                "https://e.tw/a": (302, "/b"), "https://e.tw/b": (302, "https://f.tw/"),
                "https://f.tw/": (302, "https://e.tw/c"),
            ])
        #expect(away.asked.map(\.mustBePublic) == [false, false, true, false])
        let local = try await follow("http://127.0.0.1/a", ["http://127.0.0.1/a": (302, "http://f.tw/")])
        #expect(local.asked.map(\.mustBePublic) == [false, false])
        let asked = Guarded<[Bool]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            asked.with { $0.append(request.mustBePublic) }
            return StubTransport.payload(request, request.path == "/e.tw/" ? 302 : 200, ["Location": "https://f.tw/"])
        }
        let rewrite = RewriteMiddleware([RewriteRule("https://", "http://m/")])
        _ = try await MiddlewareTransport([RedirectMiddleware(), rewrite], stub).send(Request("https://e.tw/"))
        #expect(asked.current == [false, false])
    }

    // MARK: Rewrites

    @Test(
        "rewrite rules are read",
        arguments: [
            ("https://=http://127.0.0.1:8931/", "https://", "http://127.0.0.1:8931/"),
            ("https://e.tw/x?a=b=http://m/?c=d", "https://e.tw/x?a=b", "http://m/?c=d"),
            (
                "https://e.tw/=file:///m/", "https://e.tw/",
                "file:///m/"
            ),
        ])
    func rule(_ text: String, _ prefix: String, _ replacement: String) throws {
        #expect(try RewriteRule.parse(text) == RewriteRule(prefix, replacement))
    }

    @Test(arguments: [
        "", "=", "https://", "https://=", "a=b", "https://e.tw=ftp://m/", "=http://m/", "https://=http://",
    ])
    func badRule(_ text: String) {
        #expect { try RewriteRule.parse(text) } throws: { ($0 as? OpenDataError)?.code == .badArgument }
    }

    @Test(
        "a mirror's redirects are turned back into published addresses",
        arguments: [
            ("https://", "/f.tw/c", "https://f.tw/c"), ("https://", "http://m:1/f.tw/c", "https://f.tw/c"),
            ("https://", "c", "https://e.tw/a/c"), ("https://", "https://f.tw/c", "https://f.tw/c"),
            ("https://e.tw/", "/c", "https://e.tw/c"), ("https://", "http://10.0.0.1/c", "http://10.0.0.1/c"),
        ])
    func rewriting(_ prefix: String, _ location: String, _ expected: String) async throws {
        let asked = Guarded<[String]>([])
        let stub = StubTransport { request throws(OpenDataError) in
            asked.with { $0.append(request.url) }
            return StubTransport.payload(request, 302, ["LOCATION": location])
        }
        let mirror = prefix == "https://" ? "http://m:1/" : "http://m:1/e/"
        let rules = [RewriteRule("https://never.tw", "http://n/"), RewriteRule(prefix, mirror)]
        let transport = MiddlewareTransport([RewriteMiddleware(rules)], stub)
        let response = try await transport.send(Request("https://e.tw/a/b?key=s")).response
        #expect(asked.current == [prefix == "https://" ? "http://m:1/e.tw/a/b?key=s" : "http://m:1/e/a/b?key=s"])
        #expect(response.header("Location") == expected && response.url == "https://e.tw/a/b?key=REDACTED")
    }

    // MARK: Statuses and blocks

    @Test(
        "B020, B023, B024, B025: a status has its error, with the host's words",
        arguments: [
            (400, .httpStatus, "data_id is required"), (401, .unauthorised, "key"), (402, .rateLimited, "fewer"),
            (403, .unauthorised, "key"), (404, .notFound, "moved"), (405, .httpStatus, "405"),
            (410, .notFound, "moved"),
            (429, .rateLimited, "wait 7 s"), (500, .httpStatus, "500"), (502, .httpStatus, "Bad Gateway"),
            (304, .httpStatus, "304"), (302, .httpStatus, "302"), (999, .httpStatus, "999"),
        ] as [(Int, OpenDataError.Code, String)])
    func statuses(_ status: Int, _ code: OpenDataError.Code, _ says: String) async throws {
        let body =
            "<html><style>p { x }</style><script>if (a<b) {}</script><p>data_id is\n required &amp; Bad Gateway"
            + String(repeating: " more", count: 200)
        let stub = StubTransport { request throws(OpenDataError) in
            StubTransport.payload(request, status, ["Retry-After": "7"], body)
        }
        let request = try Request("https://e.tw/x?dataset=y&token=SECRET")
        let error = await MiddlewareTransport([StatusMiddleware()], stub).failure(request)
        #expect(error.code == code && error.status == status && error.message.contains(says), "\(error)")
        #expect(error.message.contains(": data_id is required & Bad Gateway more") && error.message.count < 400)
        #expect(!error.description.contains("SECRET") && !error.message.contains("script"))
    }

    @Test(
        "Retry-After in both forms",
        arguments: [
            ("7", 7), ("Mon, 30 Nov 2026 04:00:30 GMT", 30), ("Mon, 30 Nov 2026 03:00:00 GMT", 0), ("-1", nil),
            ("soon", nil),
            ("", nil), ("99999999999", 86_400), ("Mon, 31 Foo 2026 04:00:30 GMT", nil),
            ("Tue, 31 Nov 2026 04:00:30 GMT", nil), ("Tue, 01 Dec 2026 24:00:30 GMT", nil),
        ] as [(String, Int?)])
    func retryAfter(_ value: String, _ seconds: Int?) async throws {
        let now = try #require(HTTPDate.secondsSince1970("Mon, 30 Nov 2026 04:00:00 GMT"))
        #expect(now == 1_796_011_200)
        let stub = StubTransport { request throws(OpenDataError) in
            StubTransport.payload(request, 429, ["retry-after": value])
        }
        let error = await MiddlewareTransport([StatusMiddleware(now: { Double(now) })], stub).failure(
            try Request("https://e.tw/"))
        #expect(error.retryAfter == seconds.map { .seconds($0) })
    }

    @Test("a 304 is for whoever asked conditionally; B005: an empty success is none") func special() async throws {
        let stub = StubTransport { request throws(OpenDataError) in
            StubTransport.payload(request, request.path == "/empty" ? 200 : 304, [:], "")
        }
        let transport = MiddlewareTransport([StatusMiddleware()], stub)
        let conditional = try Request("https://e.tw/x", headers: ["IF-none-match": "\"e\""])
        #expect(try await transport.send(conditional).response.status == 304)
        #expect(await transport.failure(try Request("https://e.tw/empty")).code == .emptyBody)
    }

    @Test(
        "B003, B004, B006: signs of a block",
        arguments: [
            (200, "", "<html>任何頁面</html>", true), (200, "", "\u{FEFF}\n <!DOCTYPE html>", true),
            (200, "", "a,b\n<c>", false),
            (200, "", "<?xml version=\"1.0\"?><data/>", false), (200, "", "{\"stat\":\"OK\"}", false),
            (428, "", "", true),
            (307, "/block.html", "", true), (302, "/elsewhere", "<html>", false), (404, "", "<html>404", false),
            (503, "", "因為安全性考量", true), (200, "", String(repeating: "a,b\n", count: 2000) + "因為安全性考量", false),
        ])
    func blocks(_ status: Int, _ location: String, _ body: String, _ isBlocked: Bool) async throws {
        let stub = StubTransport { request throws(OpenDataError) in
            StubTransport.payload(request, status, ["Content-Type": "text/x", "Location": location], body)
        }
        let middlewares: [any TransportMiddleware] = [
            DeclaredHosts([StandardTransportTests.exchange]), BlockMiddleware(),
        ]
        let error = await MiddlewareTransport(middlewares, stub).failure(try Request("https://www.twse.com.tw/x"))
        #expect((error.code == .blocked) == isBlocked, "\(error)")
        if isBlocked { #expect(error.message.contains("status \(status), text/x")) }
        let other = await MiddlewareTransport(middlewares, stub).failure(try Request("https://e.tw/x"))
        #expect(other.code.rawValue == "none")
    }

    @Test("what a host repeats of a request is shown without its secrets", arguments: [400, 403, 428, 307])
    func repeated(_ status: Int) async throws {
        let stub = StubTransport { request throws(OpenDataError) in
            StubTransport.payload(
                request, status, ["Location": "/block.html?back=se%2Fcret1&token=NEW"],
                "no: se/cret1 se%2Fcret1 abcd-key Bearer abcd-key pass1 ok")
        }
        let request = try Request(
            "https://user:pass1@www.twse.com.tw/x?key=se%2Fcret1&k=ok", headers: ["Authorization": "Bearer abcd-key"])
        let middlewares: [any TransportMiddleware] = [
            DeclaredHosts([StandardTransportTests.exchange]), StatusMiddleware(), BlockMiddleware(),
        ]
        let text = await MiddlewareTransport(middlewares, stub).failure(request).description
        for secret in ["cret1", "abcd", "pass1", "NEW"] { #expect(!text.contains(secret), "\(text)") }
        #expect(text.contains("REDACTED") && text.contains("ok"))
    }

    @Test("silence means a block only where the policy says so") func silence() async throws {
        let stub = StubTransport { _ throws(OpenDataError) in
            throw OpenDataError(.unreachable, "closed", underlying: ClosedWithoutAnswer())
        }
        let refused = StubTransport { _ throws(OpenDataError) in throw OpenDataError(.unreachable, "refused") }
        let middlewares: [any TransportMiddleware] = [
            DeclaredHosts([StandardTransportTests.exchange]), BlockMiddleware(),
        ]
        let request = try Request("https://www.twse.com.tw/x")
        #expect(await MiddlewareTransport(middlewares, stub).failure(request).code == .blocked)
        #expect(await MiddlewareTransport(middlewares, refused).failure(request).code == .unreachable)
        #expect(
            await MiddlewareTransport(middlewares, stub).failure(try Request("https://e.tw/")).code == .unreachable)
    }
}
