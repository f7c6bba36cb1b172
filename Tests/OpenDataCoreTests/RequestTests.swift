import Foundation
import OpenDataCore
import Testing

@Suite struct RequestTests {
    @Test(
        "B052, B110: encoded exactly once",
        arguments: [
            ("https://e.tw/a%20b/資料?x=%E4%B8%AD文", "https://e.tw/a%20b/%E8%B3%87%E6%96%99?x=%E4%B8%AD%E6%96%87"),
            (
                "https://example.tw/F/03/46443基金.csv?name=資料",
                "https://example.tw/F/03/46443%E5%9F%BA%E9%87%91.csv?name=%E8%B3%87%E6%96%99"
            ),
            ("https://e.tw/100%", "https://e.tw/100%25"), ("https://e.tw/a b", "https://e.tw/a%20b"),
            ("https://e.tw/x?a=1&b=2#c", "https://e.tw/x?a=1&b=2#c"),
        ])
    func encoding(_ text: String, _ expected: String) throws { #expect(try Request(text).url == expected) }

    @Test func queryItems() throws {
        let request = try Request("https://e.tw/x?a=1", query: ["城市": "臺 北", "plus": "a+b&c=d"])
        #expect(request.url == "https://e.tw/x?a=1&%E5%9F%8E%E5%B8%82=%E8%87%BA%20%E5%8C%97&plus=a%2Bb%26c%3Dd")
    }

    @Test(arguments: ["", "e.tw/x", "ftp://e.tw/x", "https:///x", "https://", "資料", "https:e.tw"])
    func badAddresses(_ text: String) {
        #expect { try Request(text) } throws: { ($0 as? OpenDataError)?.code == .badAddress }
    }

    @Test func parts() throws {
        let request = try Request("HTTPS://user:pw@E.tw:8443/a/b?c=d")
        #expect(request.scheme == "https" && request.host == "e.tw" && request.path == "/a/b")
        #expect(try Request("https://e.tw?x").path == "/")
        #expect(try Request("file:///tmp/a.csv").path == "/tmp/a.csv")
        #expect(try Request("http://[::1]:80/").host == "[::1]")
    }

    @Test("B024, B043: secrets are not shown") func redaction() throws {
        let request = try Request("https://u:p@e.tw/x?dataset=y&token=SECRET&mine=SECRET&page=2", secrets: ["mine"])
        #expect(request.redactedURL == "https://e.tw/x?dataset=y&token=REDACTED&mine=REDACTED&page=2")
    }

    @Test(
        "names of query items that sound like secrets",
        arguments: [
            ("serviceKey", true), ("client_secret", true), ("api%5Fkey", true), ("X-Amz-Signature", true),
            ("pwd", true), ("key", true), ("keyword", false), ("page", false), ("author", false), ("sign", false),
        ])
    func secretNames(_ name: String, _ isSecret: Bool) throws {
        let request = try Request("https://e.tw/x?\(name)=VALUE")
        #expect(request.redactedURL == "https://e.tw/x?\(name)=\(isSecret ? "REDACTED" : "VALUE")")
    }

    @Test("requests are told apart by all but what is certain to be a secret") func identity() throws {
        let request = try Request("https://u:p@e.tw/x?api_key=A&key=B&mine=C&page=2", secrets: ["mine"])
        #expect(request.urlForIdentity == "https://e.tw/x?api_key=REDACTED&key=B&mine=REDACTED&page=2")
        #expect(request.urlWithoutUser == "https://e.tw/x?api_key=A&key=B&mine=C&page=2")
    }

    @Test("a stream is copied up to a limit, so that one without an end does not fill the disk") func limit() throws {
        let zeros = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(count: 300_000).write(to: zeros)
        defer { try? FileManager.default.removeItem(at: zeros) }
        for (limit, code) in [(299_999, OpenDataError.Code.tooLarge), (300_000, nil)] {
            let file = try FileHandle(forReadingFrom: zeros)
            var error: OpenDataError?
            do throws(OpenDataError) {
                let copy = try Payload.stream(descriptor: file.fileDescriptor).repeatable(maximumBytes: limit)
                #expect(copy.size == 300_000)
            } catch let failure { error = failure }
            #expect(error?.code == code)
        }
    }

    @Test(
        "B105: header names in any case; a server's file name is no path",
        arguments: [
            ("attachment; filename=\"a.csv\"", "a.csv"),
            ("attachment;filename=STOCK_DAY_ALL.json", "STOCK_DAY_ALL.json"),
            ("attachment; filename=\"a.csv\"; filename*=UTF-8''%E8%B3%87%E6%96%99.csv", "資料.csv"),
            ("attachment; filename=\"../../etc/x.csv\"", "x.csv"), ("attachment; filename=\"a\\\"b.csv\"", "a\"b.csv"),
            ("attachment; filename=..", nil), ("inline", nil), ("attachment; filename=", nil),
        ] as [(String, String?)])
    func fileNames(_ header: String, _ expected: String?) {
        let response = Response(headers: [.init("content-DISPOSITION", header)], url: "")
        #expect(response.fileName == expected)
    }
}
