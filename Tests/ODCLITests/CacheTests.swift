import Foundation
import OpenData
import OpenDataCore
import OpenDataStore
import TestSupport
import Testing

@testable import ODCLI

@Suite("Kept downloads")
struct CacheTests {
    private let folder: TemporaryFolder
    private let store: SnapshotStore

    /// Three copies of one data set, of which the middle one is of no use, and one of another.
    init() async throws {
        folder = try TemporaryFolder()
        store = SnapshotStore(CacheDirectory(path: folder.url.path))
        for (dataset, body) in [("prices", "one\n"), ("prices", "three\n"), ("prices", "two\n"), ("stations", "x\n")] {
            var request = try Request("https://example.tw/\(dataset)?api_key=s3cret")
            request.dataset = "test.\(dataset)"
            let payload = try await StoreMiddleware(store).send(request) { request throws(OpenDataError) in
                Payload(response: Response(url: request.redactedURL), body: .bytes(Array(body.utf8)))
            }
            if body == "three\n" { try store.note(unusable: #require(payload.provenance)) }
        }
    }

    private func run(_ words: String...) async throws -> Captured {
        try await Captured.run(words, environment: ["ODCTL_CACHE": folder.url.path])
    }

    @Test("The history of a data set, the newest first")
    func history() async throws {
        let run = try await run("history", "test.prices")
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(run.status == 0 && run.errors == "" && lines.count == 4)
        #expect(lines[0] == ["FETCHED", "SEEN", "DATA", "RECORDS", "BYTES", "SHA-256", "NAME", "NOTES"])
        #expect(lines.dropFirst().map { $0[4] } == ["4", "6", "4"])
        #expect(lines[2].suffix(3) == ["of", "no", "use"] && lines[1].count == 7)
        let json = try await self.run("history", "test.prices", "--json")
        let array = try #require(JSONText(parsing: json.output)?.elements)
        #expect(array.map { $0["bytes"]?.number } == [4, 6, 4] && array[1]["usable"]?.truth == false)
        #expect(array[0]["url"]?.text == "https://example.tw/prices?api_key=REDACTED")
        #expect(try await self.run("history", "test.price").status == 64)
        let none = try await Captured.run("history", "test.prices", environment: ["ODCTL_CACHE": "/nowhere"])
        #expect(none.status == 0 && none.output == "no copy of test.prices is kept\n")
    }

    @Test("Copies that decode to other records than they did are found")
    func counts() async throws {
        let copy = try #require(store.snapshots(of: "test.prices").last)
        var provenance = copy.provenance
        provenance.records = Provenance.RecordCounts(read: 7, written: 7, rejected: 0)
        try store.note(decoded: provenance)
        let run = try await run("verify")
        #expect(run.status == 65 && run.errors.contains("damaged: test.prices: the copy \(copy.name) had 7 records"))
    }

    @Test("Damaged copies are found, told and make the status 65")
    func verify() async throws {
        let well = try await run("verify")
        #expect(well.status == 0 && well.output == "4 copies checked: all are what was downloaded\n")
        let hash = try #require(store.snapshots(of: "test.stations").first?.provenance.sha256)
        try Data("y\n".utf8).write(
            to: folder.url.appendingPathComponent("snapshots/objects/\(hash.prefix(2))/\(hash.dropFirst(2))"))
        let ill = try await run("verify")
        #expect(ill.status == 65 && ill.output == "")
        #expect(ill.errors.hasPrefix("damaged: test.stations: the snapshot "))
        #expect(ill.errors.contains("odctl: damaged: 1 of 4 copies damaged"))
        #expect(try await run("verify", "test.prices").output == "3 copies checked: all are what was downloaded\n")
    }

    @Test("list counts, path says where, pin protects, prune takes away, export gives back")
    func cache() async throws {
        let list = try await run("cache", "list")
        let lines = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.map { $0.prefix(3) }.dropFirst() == [["test.prices", "3", "14"], ["test.stations", "1", "2"]])
        #expect(try await run("cache", "path").output == folder.url.path + "/snapshots\n")
        let names = try store.snapshots(of: "test.prices").map(\.name)
        #expect(try await run("cache", "pin", names[2]).status == 0)
        #expect(try await run("history", "test.prices").output.contains("\(names[2])  pinned\n"))
        let dry = try await run("cache", "prune", "--older-than", "0s", "--dry-run")
        #expect(dry.output == "test.prices  \(names[1])\n1 copy would be removed\n")
        let prune = try await run("cache", "prune", "--older-than", "0s")
        #expect(prune.output.hasPrefix("test.prices  \(names[1])\n1 copy removed, ") && prune.status == 0)
        #expect(try store.snapshots(of: "test.prices").map(\.name) == [names[0], names[2]])
        #expect(try await run("cache", "unpin", names[2]).status == 0)
        #expect(try await run("cache", "prune", "--max-bytes", "6").status == 0)
        #expect(try store.snapshots(of: "test.prices").map(\.name) == [names[0]])
        let path = folder.url.appendingPathComponent("out.csv").path
        #expect(try await run("cache", "export", names[0], "--to", path).status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "two\n")
        let record = try String(contentsOfFile: path + ".provenance.json", encoding: .utf8)
        #expect(Provenance(json: record)?.dataset == "test.prices")
    }

    @Test(
        "What is wrong with a command line ends it with 64, an unknown copy with 66",
        arguments: [
            (["cache"], 64, "what to do is needed"), (["cache", "lst"], 64, "did you mean 'list'?"),
            (["cache", "list", "--dry-run"], 64, "cache list has no flag '--dry-run'"),
            (["cache", "list", "x"], 64, "one word too many"), (["cache", "pin"], 64, "the name of a copy is needed"),
            (["cache", "export", "x"], 64, "--to is needed"), (["cache", "pin", "x"], 66, "no copy is named 'x'"),
            (["cache", "prune", "--older-than", "3"], 64, "takes an age such as"),
            (["cache", "prune", "--max-bytes", "3T"], 64, "takes a size such as"),
            (["fetch", "test.prices", "--offline", "--refresh"], 64, "--offline and --refresh exclude each other"),
            (["fetch", "test.prices", "--as-of", "2026-02-30"], 64, "--as-of takes a day"),
            (["fetch", "test.prices", "--as-of", "2026-02-03", "--sample"], 64, "exclude each other"),
            (["fetch", "test.prices", "--max-age", "soon"], 64, "--max-age takes an age"),
            (["fetch", "test.prices", "--sample", "--envelope", "--format", "csv"], 64, "--envelope writes json"),
            (["export", "test.prices", "--envelope"], 64, "there is no flag '--envelope'"),
        ])
    func wrong(words: [String], status: Int, message: String) async throws {
        let run = try await Captured.run(words, environment: ["ODCTL_CACHE": folder.url.path])
        #expect(run.status == Int32(status) && run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("An envelope holds the records, the counts and where they come from")
    func envelope() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--sample", "--envelope")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect((object["data"] as? [[String: Any]])?.count == 2 && object["read"] as? Int == 2)
        #expect(object["dataset"] as? String == "test.prices" && (object["provenance"] as? [Any])?.isEmpty == true)
    }
}

@Suite("Kept downloads, with the command as a process")
struct CacheProcessTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    static func cafe(_ name: String) -> String {
        let rest = [
            "wifi", "seat", "quiet", "tasty", "cheap", "music", "url", "address", "latitude", "longitude",
            "limited_time", "socket", "standing_desk", "mrt", "open_time",
        ].map { ",\"\($0)\":\"1\"" }.joined()
        return "[{\"id\":\"1\",\"name\":\"\(name)\",\"city\":\"tainan\"\(rest)}]"
    }

    @Test("Fetched once, read as often as wanted; an export tells where its records come from")
    func fetches() async throws {
        let body = Guarded(CacheProcessTests.cafe("甲"))
        let server = try LoopbackServer { _, connection in connection.answer(body: body.current) }
        let rewrite = "--rewrite=https://cafenomad.tw/=\(server.url)/"
        let first = try await tool.run("fetch", "cafenomad.cafes", rewrite)
        #expect(first.status == 0 && first.errors == "cafenomad.cafes: read 1, written 1, rejected 0\n")
        let second = try await tool.run("fetch", "cafenomad.cafes", rewrite)
        #expect(second.output == first.output && server.requests.count == 1)
        #expect(second.errors.contains("is still current; --refresh asks again"))
        let quiet = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--quiet")
        #expect(quiet.output == first.output && quiet.errors == "")
        let history = try await tool.run("history", "cafenomad.cafes")
        let time = try #require(history.output.split(separator: "\n").last?.split(separator: " ").first)

        _ = body.replace(with: CacheProcessTests.cafe("乙"))
        try await Task.sleep(for: .milliseconds(1100))
        let third = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--refresh")
        #expect(third.output.contains("乙") && server.requests.count == 2)
        server.stop()
        try await Task.sleep(for: .milliseconds(200))
        for (words, name) in [(["--offline"], "乙"), (["--as-of", "\(time.dropLast(6)).999+08:00"], "甲")] {
            let run = try await tool.shell(
                "\"$odctl\" fetch cafenomad.cafes \(rewrite) \(words.joined(separator: " "))")
            #expect(run.status == 0 && run.output.contains(name), "\(run.errors)")
        }
        let early = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--as-of", "2020-01-01")
        #expect(early.status == 66 && early.errors.contains("odctl history cafenomad.cafes"))
        let stale = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--max-age", "0s", "--stale-if-error")
        #expect(stale.status == 0 && stale.output.contains("乙") && stale.errors.contains("may be out of date"))
        let failed = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--max-age", "0s")
        #expect(failed.status == 69 && failed.output == "")

        let export = try await tool.run("export", "cafenomad.cafes", "--to", "a.csv", rewrite, "--offline")
        #expect(export.status == 0)
        #expect(try tool.files == ["a.csv", "a.csv.provenance.json"])
        let record = try #require(JSONText(parsing: try tool.read("a.csv.provenance.json")))
        let provenance = try #require(record["provenance"]?.elements?.first.flatMap { Provenance($0) })
        #expect(record["file"]?.text == "a.csv" && provenance.origin == .snapshot && provenance.records?.read == 1)
        // Records of unknown origin must not stand beside the record of others.
        #expect(try await tool.run("export", "cafenomad.cafes", "--to", "a.csv", "--sample").status == 0)
        #expect(try tool.files == ["a.csv"])
    }

    @Test("Nothing is kept with --no-store, and a missing SQLite is told")
    func nothingKept() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(body: CacheProcessTests.cafe("甲")) }
        let rewrite = "--rewrite=https://cafenomad.tw/=\(server.url)/"
        let run = try await tool.run("fetch", "cafenomad.cafes", rewrite, "--no-store")
        #expect(run.status == 0 && run.errors == "cafenomad.cafes: read 1, written 1, rejected 0\n")
        #expect(try await tool.run("cache", "list").output == "nothing is kept\n")
        #if canImport(Glibc)
            try tool.write("libsqlite3.so.0", "")
            let without = try await tool.run(
                "fetch", "cafenomad.cafes", rewrite, environment: ["LD_LIBRARY_PATH": tool.folder.url.path])
            #expect(without.status == 0 && without.output == run.output)
            #expect(without.errors.contains("is not kept: keeping downloads needs the library libsqlite3.so.0"))
        #endif
    }

    @Test("A key never reaches the disk")
    func secret() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(body: CacheProcessTests.cafe("甲")) }
        let run = try await tool.run(
            "fetch", "cafenomad.cafes",
            "--rewrite=https://cafenomad.tw/=\(server.url)/x?api_key=s3cr3t-5f6e7d8c&path=")
        #expect(run.status == 0 && server.requests.first?.target.contains("s3cr3t-5f6e7d8c") == true)
        let found = try await tool.shell(
            "grep -r s3cr3t-5f6e7d8c '\(tool.cache.url.path)'; ls -R '\(tool.cache.url.path)'")
        #expect(!found.output.contains("s3cr3t") && !found.errors.contains("s3cr3t"))
        #expect(found.output.contains("index.sqlite"))
    }
}
