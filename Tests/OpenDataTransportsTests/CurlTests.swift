#if !canImport(Darwin)
    import Foundation
    import OpenDataCore
    import TestSupport
    import Testing

    @testable import OpenDataTransports

    /// What is read and undone here rather than by libcurl.
    @Suite struct CurlTests {
        private static let head = "HTTP/1.1 200 OK\r\n"
        private static let gzip: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 202, 79, 169, 4, 0, 178, 11, 168, 219, 4, 0, 0, 0,
        ]
        private static let zlib: [UInt8] = [120, 156, 75, 202, 79, 169, 4, 0, 4, 26, 1, 175]
        private static let deflate: [UInt8] = [75, 202, 79, 169, 4, 0]
        private static let wrongChecksum = gzip.prefix(16) + [179] + gzip.dropFirst(17)

        struct Answer: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let bytes: [UInt8]
            let code: OpenDataError.Code?
            let says: String

            init(_ name: String, _ header: String, _ body: [UInt8], _ code: OpenDataError.Code?, _ says: String = "") {
                testDescription = name
                bytes = Array(header.utf8) + body
                self.code = code
                self.says = says
            }
        }

        private static let body = Array("body".utf8)

        private static func encoded(_ name: String) -> String { "\(head)Content-Encoding: \(name)\r\n\r\n" }

        private static func chunked(_ bytes: [UInt8]) -> [UInt8] {
            Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
        }

        static let answers: [Answer] = [
            Answer("ends within the status", "HTTP/1.1 20", [], .unreachable, "without an answer"),
            Answer("ends behind the status", head, [], .truncated, "within the header"),
            Answer("ends within a header line", head + "Content-Type: text/c", [], .truncated, "within the header"),
            Answer("ends behind a header line", head + "X: y\r\n", [], .truncated, "within the header"),
            Answer("ends behind an interim answer", "HTTP/1.1 103 X\r\n\r\n", [], .truncated, "within the header"),
            Answer("status that is none", "HTTP/1.1 2x0 OK\r\n\r\n", body, .badResponse),
            Answer("NUL in a header", head + "X: a\0b\r\n\r\n", body, .badResponse),
            Answer("several lengths", head + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n", body, .badResponse),
            Answer("the same length twice", head + "Content-Length: 4\r\ncontent-length: 4\r\n\r\n", body, nil),
            Answer("trailers", head + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX: y\r\n\r\n", [], nil),
            Answer("gzip", encoded("gzip"), gzip, nil),
            Answer("gzip by its old name", encoded("X-GZip"), gzip, nil),
            Answer(
                "gzip in two streams", encoded("gzip"), [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 3, 0] + zeros + gzip, nil),
            Answer("gzip with something behind it", encoded("gzip"), gzip + [0, 0, 7], nil),
            Answer("zlib", encoded("deflate"), zlib, nil),
            Answer("deflate without a header", encoded("deflate"), deflate, nil),
            Answer("identity", encoded("identity"), body, nil),
            Answer("gzip of a wrong checksum", encoded("gzip"), Array(wrongChecksum), .badResponse, "broken"),
            Answer("an encoding not asked for", encoded("br"), body, .badResponse, "'br' was not asked for"),
            Answer("two encodings", encoded("gzip, gzip"), gzip, .badResponse, "'gzip, gzip'"),
            Answer("gzip without bytes", head + "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", [], nil),
            Answer(
                "gzip in a whole chunk, cut short",
                head + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", chunked(gzip.dropLast()),
                .truncated),
            Answer(
                "gzip in a chunk", head + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", chunked(gzip),
                nil),
        ]

        private static let zeros = [UInt8](repeating: 0, count: 8)

        @Test("headers and encodings, right and wrong", .timeLimit(.minutes(1)), arguments: answers)
        func answer(_ each: Answer) async throws {
            let server = try LoopbackServer { _, connection in connection.send(each.bytes) }
            do throws(OpenDataError) {
                let payload = try await HTTPTransport(impatient).send(Request(server.url))
                #expect(each.code == nil, "status \(payload.response.status)")
                let isEmpty = payload.response.header("Content-Length") == "0"
                #expect(try payload.text() == (isEmpty ? "" : "body"))
            } catch {
                #expect(error.code == each.code && error.message.contains("127.0.0.1"), "\(error)")
                #expect(each.says.isEmpty || error.message.contains(each.says), "\(error)")
            }
        }

        @Test("a compressed body that ends early is cut short, wherever it does") func cutShort() async throws {
            for count in 1..<CurlTests.gzip.count {
                let answer = Array(CurlTests.encoded("gzip").utf8) + CurlTests.gzip.prefix(count)
                let server = try LoopbackServer { _, connection in connection.send(answer) }
                let error = await HTTPTransport(impatient).failure(try Request(server.url))
                #expect(error.code == .truncated && error.status == 200, "\(count): \(error)")
            }
        }

        @Test("the status of a failure counts, whatever its page is encoded in") func failurePage() async throws {
            let server = try LoopbackServer { _, connection in
                connection.answer(429, headers: ["Content-Encoding": "br"], body: "body")
            }
            #expect(try await HTTPTransport(impatient).send(Request(server.url)).response.status == 429)
        }

        @Test("decompression is the same in pieces of any size", arguments: [1, 2, 3, 7, 30, 100, 100_000])
        func pieces(_ size: Int) throws {
            let decoder = try #require(ContentDecoder("gzip"))
            var result: [UInt8] = []
            let input = CurlTests.gzip + CurlTests.gzip
            for start in stride(from: 0, to: input.count, by: size) {
                let piece = Array(input[start..<min(start + size, input.count)])
                let isWell = unsafe piece.withUnsafeBytes { bytes in
                    unsafe decoder.decode(bytes) {
                        unsafe result.append(contentsOf: $0)
                        return true
                    }
                }
                #expect(isWell)
                // Complete at the ends of the two streams only, as far as they are met.
                let end = min(start + size, input.count)
                #expect(decoder.isComplete == (end % CurlTests.gzip.count == 0))
            }
            #expect(String(decoding: result, as: UTF8.self) == "bodybody")
        }

        @Test("headers that may be sent, and what is sent by itself") func order() async throws {
            let server = try LoopbackServer { _, connection in connection.answer(body: "x") }
            let headers = ["X-Empty": "", "ACCEPT-ENCODING": "identity", "user-agent": "Mine"]
            _ = try await HTTPTransport().send(Request(server.url, headers: headers))
            let seen = try #require(server.requests.first).headers
            #expect(seen["x-empty"] == "" && seen["accept-encoding"] == "identity" && seen["user-agent"] == "Mine")
            #expect(seen["accept"] == "*/*" && seen["connection"] == "close" && seen["host"]?.hasPrefix("127.") == true)
            for name in ["", "A B", "A:", "A\r\nB", "資料"] {
                let error = await HTTPTransport().failure(try Request(server.url, headers: [name: "x"]))
                #expect(error.code == .badArgument)
            }
        }

        @Test(
            "B109: the certificate authorities come from the caller, the environment, or where a distribution has them")
        func bundle() {
            func path(_ given: String?, _ variable: String?, _ builtIn: [String], _ there: Set<String>) -> String? {
                CertificateBundle.path(given: given, variable: variable, builtIn: builtIn) { there.contains($0) }
            }
            let usual = CertificateBundle.usualPlaces
            #expect(path("/mine", "/variable", ["/built"], ["/built"]) == "/mine")
            #expect(path(nil, "/variable", ["/built"], ["/built"]) == "/variable")
            #expect(path(nil, "", ["/built"], ["/built", usual[0]]) == nil)
            #expect(path(nil, nil, ["/built", "/folder"], ["/folder", usual[0]]) == nil)
            #expect(path(nil, nil, ["/built"], [usual[1], usual[2]]) == usual[1])
            #expect(path(nil, nil, [], [usual[3]]) == usual[3])
            #expect(path(nil, nil, ["/built"], []) == nil)
        }
    }

    /// Encryption, against a server whose certificate only the test knows.
    @Suite(.enabled(if: TLSServer.isPossible, "needs openssl and python3"))
    struct EncryptionTests {
        @Test("B022, B042: nobody is trusted but whom the caller's file names", .timeLimit(.minutes(1)))
        func caFile() async throws {
            let server = try TLSServer()
            let request = try Request("\(server.url)/x?token=SECRET")
            let untrusted = await HTTPTransport(impatient).failure(request)
            #expect(untrusted.code == .untrusted && untrusted.message.contains("SSL_CERT_FILE"), "\(untrusted)")
            var configuration = impatient
            configuration.caFile = server.certificate
            #expect(try await HTTPTransport(configuration).send(request).text() == "body")
            let otherName = try Request(server.url.replacingOccurrences(of: "localhost", with: "127.0.0.1"))
            #expect(await HTTPTransport(configuration).failure(otherName).code == .untrusted)
            var single = impatient
            (single.caFile, single.caFiles) = ("/no/such/file.pem", ["localhost": server.certificate])
            #expect(try await HTTPTransport(single).send(request).text() == "body")
            configuration.caFile = "/no/such/file.pem"
            let missing = await HTTPTransport(configuration).failure(request)
            #expect(missing.code == .untrusted && missing.message.contains("/no/such/file.pem"), "\(missing)")
        }

        @Test("a connection that breaks off under encryption is an error, and no signal", .timeLimit(.minutes(1)))
        func reset() async throws {
            let server = try TLSServer()
            var configuration = impatient
            configuration.caFile = server.certificate
            let transport = HTTPTransport(configuration)
            for _ in 0..<20 {
                let error = await transport.failure(try Request("\(server.url)/reset"))
                #expect(error.code == .unreachable && error.underlying is ClosedWithoutAnswer, "\(error)")
            }
        }
    }
#endif
