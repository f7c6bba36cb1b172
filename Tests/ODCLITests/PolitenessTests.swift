import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Several processes that ask one host.
@Suite("Politeness of processes together", .timeLimit(.minutes(3)))
struct PolitenessTests {
    private let tool: Tool
    private let cache: TemporaryFolder

    init() throws {
        tool = try Tool()
        cache = try TemporaryFolder()
    }

    private func fetch(
        _ url: String, month: String = "2025-01", flags: [String] = [], onStart: @Sendable (Int32) -> Void = { _ in }
    ) async throws -> ProcessRunner.Result {
        try await tool.run(
            ["fetch", "twse.stock_day", "--stock-no", "2330", "--month", month, "--format", "csv"]
                + ["--rewrite", "https://=\(url)/"] + flags,
            environment: ["ODCTL_CACHE": cache.url.path], onStart: onStart)
    }

    @Test(
        "B001, B003: twelve processes at once keep to the exchange's limit, and all are answered",
        .enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
    func together() async throws {
        let simulator = try Simulator()
        let runs = try await withThrowingTaskGroup(of: ProcessRunner.Result.self) { group in
            for month in 1...12 {
                group.addTask {
                    try await fetch(simulator.url, month: "2024-\(month < 10 ? "0" : "")\(month)")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for run in runs { #expect(run.status == 0 && run.output.contains("2330"), "\(run.errors)") }
        let stats = try simulator.stats()
        #expect(stats.count("www.twse.com.tw") == 12 && stats.banEvents.isEmpty)
        #expect(stats.maxPer5s["www.twse.com.tw"] == 3 && stats.maxConcurrent["www.twse.com.tw"] == 1)
        #expect(runs.contains { $0.errors.contains(" s for www.twse.com.tw") })
    }

    @Test(
        "B003: a block is remembered by the next process, which asks nothing and ends with 75",
        .enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
    func blocked() async throws {
        let simulator = try Simulator(knobs: ["ban_after": "0"])
        let first = try await fetch(simulator.url)
        #expect(first.status == 75 && first.errors.contains("it is left alone until "), "\(first.errors)")
        let second = try await fetch(simulator.url)
        #expect(second.status == 75 && second.output == "")
        #expect(second.errors.contains("odctl: blocked: www.twse.com.tw is left alone, blocked until "))
        #expect(second.errors.contains("block.html") && second.errors.contains("to do:     wait "))
        #expect(try simulator.stats().count("www.twse.com.tw") == 1)
    }

    @Test("one request at a time over all processes; one that is killed frees its place") func killed() async throws {
        let numbers = Guarded<[Int32]>([])
        let isSecond = Guarded(0)
        let server = try LoopbackServer { _, connection in
            if isSecond.increment() == 1 {
                // An answer that goes on and on: no time limit ends it before the test does.
                var isOpen = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in 0..<250 where isOpen {
                    _ = connection.wait(seconds: 1)
                    isOpen = connection.send(" ")
                }
            } else {
                connection.answer(404, body: "nothing")
            }
        }
        async let first = fetch(server.url) { number in numbers.with { $0.append(number) } }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        async let second = fetch(server.url, month: "2025-02")
        // The second says that it waits before it has sent anything.
        while try waiters() == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(server.requests.count == 1)
        let third = try await fetch(server.url, month: "2025-03") { number in
            // Ctrl-C, as soon as it waits.
            Thread.detachNewThread {
                while (try? waiters()) != 2 { Thread.sleep(forTimeInterval: 0.02) }
                _ = kill(number, SIGINT)
            }
        }
        #expect(third.status == 130)
        #expect(try waiters() == 1)
        _ = kill(try #require(numbers.current.first), SIGKILL)
        #expect(try await first.status == 137)
        #expect(try await second.status == 69)
        #expect(server.requests.count == 2)
    }

    private func waiters() throws -> Int {
        let record = cache.url.appendingPathComponent("hosts/www.twse.com.tw.host")
        let text = (try? String(decoding: Data(contentsOf: record), as: UTF8.self)) ?? ""
        return text.split(separator: "\n").count { $0.hasPrefix("waiter ") }
    }

    @Test("a cache directory that cannot be used is told once, and the data come all the same") func unusable()
        async throws
    {
        let server = try LoopbackServer { _, connection in connection.answer(404) }
        try tool.write("file", "")
        let run = try await fetch(server.url, flags: ["--cache", "file"])
        #expect(run.status == 69 && server.requests.count == 1)
        let told = run.errors.split(separator: "\n").filter {
            $0.contains("limits of hosts are kept by this process alone")
        }
        #expect(told.count == 1 && told[0].contains("'file/hosts' cannot be created: Not a directory"), "\(run.errors)")
    }

    @Test("--cache comes before ODCTL_CACHE; only what asks a host touches the directory") func directory() async throws
    {
        let server = try LoopbackServer { _, connection in connection.answer(404) }
        for words in ["list", "--version", "describe twse.stock_day", "fetch twse.stock_day --sample", "fetch --help"] {
            let run = try await tool.run(
                words.split(separator: " ").map(String.init),
                environment: ["ODCTL_CACHE": "none", "HOME": tool.folder.url.path])
            #expect(run.status == 0)
        }
        #expect(try tool.files == [])
        _ = try await fetch(server.url, flags: ["--cache", "here"])
        #expect(try tool.files == ["here"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.url.path) == [])
        _ = try await fetch(server.url)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.url.path) == ["hosts"])
    }
}
