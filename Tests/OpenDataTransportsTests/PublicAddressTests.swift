import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

/// Hosts that only a redirect has named, and their addresses.
@Suite("Hosts that must be public") struct PublicAddressTests {
    private static func request(_ url: String, mustBePublic: Bool) throws -> Request {
        var request = try Request(url)
        request.mustBePublic = mustBePublic
        return request
    }

    @Test("the address is judged before anything is sent") func address() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(body: "secrets of the house") }
        let refused = try PublicAddressTests.request(server.url, mustBePublic: true)
        let error = await HTTPTransport(impatient).failure(refused)
        #expect(error.code == .badResponse && error.message.contains("127.0.0.1, an address of the local network"))
        #if !canImport(Darwin)
            #expect(server.requests.isEmpty)
        #endif
        let allowed = try PublicAddressTests.request(server.url, mustBePublic: false)
        #expect(try await HTTPTransport(impatient).send(allowed).text() == "secrets of the house")
    }

    /// A name of this machine that does not look like one, if it has one.
    private static let name: String? = {
        let lines = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8))?.split(separator: "\n") ?? []
        let names = lines.filter { $0.hasPrefix("127.") }
            .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init) }
        return names.first { !HostKind.isLocal($0) && !$0.contains("#") }
    }()

    @Test(
        "a redirect to a name that stands for this machine is refused, unless the request began there",
        .enabled(if: name != nil, "/etc/hosts has no such name"))
    func resolved() async throws {
        let name = try #require(PublicAddressTests.name)
        let server = try LoopbackServer { request, connection in
            connection.answer(
                request.target == "/a" ? 302 : 200, headers: ["Location": "/b"], body: "secrets of the house")
        }
        let port = server.url.split(separator: ":").last ?? ""
        let stub = StubTransport { request throws(OpenDataError) in
            guard request.host == "e.tw" else { return try await HTTPTransport(impatient).send(request) }
            return StubTransport.payload(request, 302, ["Location": "http://\(name):\(port)/b"])
        }
        let transport = MiddlewareTransport([RedirectMiddleware()], stub)
        let error = await transport.failure(try Request("http://e.tw/"))
        #expect(error.code == .badResponse && error.message.contains("'\(name)'"), "\(error)")
        #expect(error.message.contains("an address of the local network"), "\(error)")
        let asked = try Request("http://\(name):\(port)/a")
        #expect(try await transport.send(asked).text() == "secrets of the house")
    }
}
