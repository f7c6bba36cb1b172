import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataTransports

@Suite struct OtherTransportTests {
    @Test("files by address, Chinese names and all") func files() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("資料 100% [1].csv", Data("a,b\n".utf8))
        let transport = TransportRegistry.standard()
        for url in ["file://\(folder.url.path)/資料 100%25 [1].csv", file.absoluteString] {
            let payload = try await transport.send(Request(url))
            #expect(try payload.text() == "a,b\n" && payload.response.status == 200)
        }
        let small = try Request(file.absoluteString, maximumBytes: 3)
        #expect(await transport.failure(small).code == .tooLarge)
        let missing = await transport.failure(try Request("file://\(folder.url.path)/none.csv"))
        #expect(missing.code == .unreadable && missing.message.contains("none.csv"), "\(missing)")
        #expect(await transport.failure(try Request("file://\(folder.url.path)")).code == .unreadable)
        #expect(await transport.failure(try Request("file://elsewhere/x")).code == .badAddress)
        for path in ["a%00b", "a%FFb", "%E8%B3"] {
            #expect(await transport.failure(try Request("file:///\(path)")).code == .badAddress)
        }
    }

    @Test("schemes find their transport; one more is one line") func registry() async throws {
        let stub = StubTransport { request throws(OpenDataError) in StubTransport.payload(request) }
        var registry = TransportRegistry(["file": FileTransport()])
        let request = try Request("https://e.tw/")
        let error = await registry.failure(request)
        #expect(error.code == .badAddress && error.message.contains("'https'") && error.message.contains("file"))
        registry["https"] = stub
        #expect(try await registry.send(request).response.status == 200)
    }

    @Test("recorded answers") func replay() async throws {
        let transport = ReplayTransport([
            .init("https://e.tw/", isPrefix: true, body: "any"), .init("https://e.tw/a", body: "a"),
            .init("https://e.tw/bad", .failure(OpenDataError(.notFound, "gone"))),
        ])
        #expect(try await transport.send(Request("https://e.tw/a")).text() == "a")
        let other = try await transport.send(Request("https://e.tw/b?token=s"))
        #expect(try other.text() == "any" && other.response.url == "https://e.tw/b?token=REDACTED")
        #expect(await transport.failure(try Request("https://e.tw/bad")).code == .notFound)
        let unknown = await transport.failure(try Request("https://f.tw/x"))
        #expect(unknown.code == .badAddress && unknown.message.contains("https://f.tw/x"))
        #expect(transport.requests.count == 4 && transport.requests[1] == "https://e.tw/b?token=REDACTED")
    }

    @Test("identical requests under way become one, and a cancelled caller harms nobody") func coalescing() async throws
    {
        let calls = Guarded<[String]>([])
        let isCancelled = Guarded(false)
        let gate = Guarded(false)
        let stub = StubTransport { request throws(OpenDataError) in
            calls.with { $0.append(request.path) }
            while !gate.current {
                do { try await Task.sleep(for: .milliseconds(5)) } catch {
                    isCancelled.with { $0 = true }
                    throw OpenDataError(.cancelled, "cancelled")
                }
            }
            return StubTransport.payload(request)
        }
        let transport = CoalescingTransport(stub)
        let request = try Request("https://e.tw/a")
        let tasks = (0..<10).map { _ in Task { await transport.failure(request).code.rawValue } }
        let other = Task { await transport.failure(try Request("https://e.tw/b")).code.rawValue }
        try await until { transport.waiting(for: request) == 10 && calls.current.count == 2 }
        for task in tasks[0..<5] { task.cancel() }
        for task in tasks[0..<5] { #expect(await task.value == "cancelled") }
        #expect(calls.current.sorted() == ["/a", "/b"] && !isCancelled.current)
        gate.with { $0 = true }
        for task in tasks[5...] { #expect(await task.value == "none") }
        #expect(try await other.value == "none")

        gate.with { $0 = false }
        let alone = Task { await transport.failure(request).code.rawValue }
        while calls.current.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
        alone.cancel()
        #expect(await alone.value == "cancelled")
        for _ in 0..<200 where !isCancelled.current { try await Task.sleep(for: .milliseconds(5)) }
        #expect(isCancelled.current)
        gate.with { $0 = true }
        #expect(await transport.failure(request).code.rawValue == "none" && calls.current.count == 4)
    }

    @Test("programs: their status, input, output and end") func processes() async throws {
        let script = "cat; head -c 300000 /dev/zero; echo $NAME >&2; exit 3"
        let result = try await ProcessRunner.run(
            "/bin/sh", ["-c", script], environment: ["NAME": "資料", "PATH": "/usr/bin:/bin"], input: Data("in".utf8))
        #expect(result.status == 3 && result.stdout.count == 300_002 && result.errors == "資料\n")
        await #expect(throws: ProcessRunner.TimedOut.self) {
            try await ProcessRunner.run("/bin/sh", ["-c", "exec sleep 30"], timeout: 0.3)
        }
        await #expect(throws: (any Error).self) { try await ProcessRunner.run("/no/such/program") }
    }
}
