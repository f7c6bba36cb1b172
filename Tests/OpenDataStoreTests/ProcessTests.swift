import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataStore

/// The command `odctl`, several of it at a time, with one place for what is kept.
@Suite("Processes that share what is kept")
struct ProcessTests {
    private let place: Place

    init() throws { place = try Place() }

    private func run(
        _ line: String, onStart: @Sendable (Int32) -> Void = { _ in }
    ) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(
            Binary.path(of: "odctl"), line.split(separator: " ").map(String.init),
            environment: [
                "PATH": "/usr/bin:/bin", "ODCTL_CACHE": place.folder.url.path, "TMPDIR": NSTemporaryDirectory(),
            ],
            directory: place.folder.url, timeout: 120, onStart: onStart)
    }

    /// A host of cafes, `count` of them, whose names are of a version.
    private static func cafes(_ version: String, _ count: Int) -> String {
        let rest = [
            "wifi", "seat", "quiet", "tasty", "cheap", "music", "url", "address", "latitude", "longitude",
            "limited_time", "socket", "standing_desk", "mrt", "open_time",
        ].map { ",\"\($0)\":\"1\"" }.joined()
        return "["
            + (0..<count).map { "{\"id\":\"\($0)\",\"name\":\"\(version)\",\"city\":\"tainan\"\(rest)}" }
            .joined(separator: ",\n") + "]"
    }

    @Test("Eight at once keep one copy of the same answer, and each has all of it", .timeLimit(.minutes(2)))
    func together() async throws {
        let body = ProcessTests.cafes("one", 500)
        let server = try LoopbackServer { _, connection in connection.answer(body: body) }
        let results = try await withThrowingTaskGroup(of: ProcessRunner.Result.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await run(
                        "fetch cafenomad.cafes --format csv --max-age 0s --rewrite https://cafenomad.tw/=\(server.url)/"
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.status == 0 && $0.output == results[0].output }, "\(results[0].errors)")
        #expect(server.requests.count == 8)
        let store = place.store()
        let snapshots = try store.snapshots(of: "cafenomad.cafes")
        #expect(snapshots.count == 1 && snapshots.first?.provenance.records?.read == 500)
        let verified = try await run("verify")
        #expect(verified.output == "1 copy checked: all are what was downloaded\n" && verified.status == 0)
    }

    @Test("Killed at any moment, they leave whole copies and an index that opens", .timeLimit(.minutes(5)))
    func killed() async throws {
        let count = Guarded(0)
        let server = try LoopbackServer { _, connection in
            connection.answer(body: ProcessTests.cafes("\(count.increment())", 400))
        }
        let line = "fetch cafenomad.cafes --format csv --max-age 0s --rewrite https://cafenomad.tw/=\(server.url)/"
        var start = Date()
        #expect(try await run(line).status == 0)
        // How long a run takes that is left alone: less when the machine has less to do.
        var time = Date().timeIntervalSince(start)
        var generator = SeededGenerator(seed: 42)
        var killed = 0
        for number in 0..<50 {
            let wait = Double.random(in: 0...(time * 1.2), using: &generator)
            start = Date()
            let result = try await run(line) { process in
                // (A process that has ended by itself is not waited for yet, so that the number is still its own.)
                Thread.detachNewThread {
                    Thread.sleep(forTimeInterval: wait)
                    _ = kill(process, SIGKILL)
                }
            }
            killed += result.status == 128 + SIGKILL ? 1 : 0
            if result.status == 0 { time = min(time, Date().timeIntervalSince(start)) }
            let store = place.store()
            for snapshot in try store.snapshots() { try store.verify(snapshot) }
            #expect(place.notices.current.isEmpty, "run \(number)")
        }
        #expect(killed > 0)
        let store = place.store()
        let before = try store.snapshots().count
        #expect(before >= 1)
        let result = try store.prune(.init())
        #expect(try store.snapshots().count == before + result.takenIn)
        // Whatever is left beside the index belongs to a copy, or is too young to be judged.
        let needed = Set(try store.snapshots().map { $0.provenance.sha256 })
        for file in place.files where file.hasPrefix("objects/") {
            let hash = file.dropFirst("objects/".count).filter { $0 != "/" }.prefix(64)
            #expect(needed.contains(String(hash)))
        }
        #expect(try await run(line).status == 0)
    }

    @Test("A download that Ctrl-C has interrupted goes on where it ended", .timeLimit(.minutes(2)))
    func interrupted() async throws {
        let body = Array(ProcessTests.cafes("one", 2000).utf8)
        let (count, isHalf) = (Guarded(0), Guarded(false))
        let server = try LoopbackServer { request, connection in
            let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            connection.send(
                "HTTP/1.1 \(start > 0 ? 206 : 200) X\r\nETag: \"v1\"\r\nContent-Length: \(body.count - start)\r\n"
                    + "Content-Range: bytes \(start)-\(body.count - 1)/\(body.count)\r\n\r\n")
            guard count.increment() == 1 else { return _ = connection.send(Array(body[start...])) }
            connection.send(Array(body[..<(body.count / 2)]))
            _ = isHalf.replace(with: true)
            connection.wait(seconds: 30)
        }
        let line = "fetch cafenomad.cafes --format csv --rewrite https://cafenomad.tw/=\(server.url)/"
        let first = try await run(line) { process in
            Thread.detachNewThread {
                // What was sent is on its way, a short one.
                while !isHalf.current { Thread.sleep(forTimeInterval: 0.02) }
                Thread.sleep(forTimeInterval: 0.5)
                _ = kill(process, SIGINT)
            }
        }
        #expect(first.status == 130 && first.output == "")
        #expect(place.files.filter { $0.hasPrefix("partial/") }.count == 1)
        let second = try await run(line)
        #expect(second.status == 0 && second.output.split(separator: "\n").count == 2001)
        let range = try #require(server.requests.last?.headers["range"])
        #expect(Int(range.dropFirst("bytes=".count).dropLast()) ?? 0 > 50_000)
        #expect(second.errors.contains("went on behind"))
        #expect(!place.files.contains { $0.hasPrefix("partial/") })
    }

    // The thread sanitizer cannot start under a limit for files.
    private static let isSanitized = unsafe dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil

    @Test(
        "A limit that stops the copy is told, and the records come all the same", .enabled(if: !isSanitized))
    func fullDisk() async throws {
        // 60 KiB stay in memory while they come; no file may have more than 16.
        let server = try LoopbackServer { _, connection in connection.answer(body: ProcessTests.cafes("one", 200)) }
        let line =
            "trap '' XFSZ; ulimit -f 32; \"$odctl\" fetch cafenomad.cafes --format csv --rewrite"
            + " https://cafenomad.tw/=\(server.url)/ | wc -l"
        let run = try await ProcessRunner.run(
            "/bin/sh", ["-c", line],
            environment: [
                "PATH": "/usr/bin:/bin", "odctl": Binary.path(of: "odctl"), "ODCTL_CACHE": place.folder.url.path,
            ])
        #expect(run.output.filter { $0 != " " } == "201\n", "\(run.errors)")
        #expect(run.errors.contains("is not kept: "), "\(run.errors)")
        #expect(try place.store().snapshots().isEmpty)
        #expect(!place.files.contains { $0.hasPrefix("objects/") || $0.hasPrefix("incoming/") })
    }
}
