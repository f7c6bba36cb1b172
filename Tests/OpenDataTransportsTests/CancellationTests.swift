import OpenDataCore
import OpenDataTransports
import TestSupport
import Testing

@Suite struct CancellationTests {
    /// Answers of every kind, so that a cancellation meets each of them at some moment.
    private func server() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            switch request.target.split(separator: "?").first {
            case "/redirect": connection.answer(302, headers: ["Location": "/elsewhere"], body: "moved")
            case "/key": connection.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: "no")
            case "/drop": break
            case "/stall": connection.wait(seconds: 30)
            case "/slow":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while connection.send("some more bytes"), connection.wait(seconds: 0.01) {}
            case "/big":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 64000000\r\n\r\n")
                let block = [UInt8](repeating: 65, count: 64_000)
                for _ in 0..<1000 where !connection.send(block) { return }
            default: connection.answer(body: "well")
            }
        }
    }

    @Test("B102, B115: cancelled at any moment, a request ends at once and as cancelled", .timeLimit(.minutes(2)))
    func cancelAtAnyMoment() async throws {
        let server = try server()
        let transport = HTTPTransport(patient)
        let paths = ["/ok", "/redirect", "/key", "/drop", "/stall", "/slow", "/big", "closed"]
        var random = SeededGenerator(seed: 7)
        for round in 0..<200 {
            let path = paths[round % paths.count]
            let request = try Request(path == "closed" ? "http://127.0.0.1:1/" : "\(server.url)\(path)?\(round)")
            let delay = Int.random(in: 0...3000, using: &random)
            let task = Task { await transport.failure(request).code }
            if round % 3 > 0 { try await Task.sleep(for: .microseconds(delay)) }
            task.cancel()
            let code = await task.value
            let natural: OpenDataError.Code =
                path == "/drop" || path == "closed" ? .unreachable : .init(rawValue: "none")
            #expect(code == .cancelled || code == natural, "round \(round) \(path): \(code.rawValue)")
        }
        // What was given up has not hurt the session.
        let payload = try await transport.send(Request("\(server.url)/ok"))
        #expect(try payload.text() == "well")
    }

    @Test("B102: a crowd of requests to a closed port, cancelled together", .timeLimit(.minutes(1)))
    func crowd() async throws {
        let transport = HTTPTransport(patient)
        let request = try Request("http://127.0.0.1:1/")
        for _ in 0..<5 {
            let codes = await withTaskGroup { group in
                for _ in 0..<100 { group.addTask { await transport.failure(request).code } }
                try? await Task.sleep(for: .microseconds(300))
                group.cancelAll()
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes.isSubset(of: [.cancelled, .unreachable]))
        }
    }

    @Test("a request that is called off before it starts asks nobody") func cancelledBefore() async throws {
        let server = try server()
        let request = try Request("\(server.url)/ok")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await HTTPTransport().failure(request).code
        }
        #expect(await task.value == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test("a request that is given up closes its connection") func connectionIsClosed() async throws {
        let isGone = Guarded(false)
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbegin")
            let stays = connection.wait(seconds: 20)
            isGone.with { $0 = !stays }
        }
        let request = try Request(server.url)
        let task = Task { await HTTPTransport().failure(request).code }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(await task.value == .cancelled)
        for _ in 0..<500 where !isGone.current { try await Task.sleep(for: .milliseconds(10)) }
        #expect(isGone.current)
    }
}
