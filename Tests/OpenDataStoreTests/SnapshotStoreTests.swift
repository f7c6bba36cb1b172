import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataStore

@Suite("The store of snapshots")
struct SnapshotStoreTests {
    @Test("What is downloaded comes out again, with the record of where it comes from")
    func roundTrip() async throws {
        let place = try Place()
        let host = Host(
            "a,b\n1,2\n",
            headers: [
                .init("ETag", "\"v1\""), .init("Content-Type", "text/csv"), .init("Set-Cookie", "id=1"),
                .init("Content-Disposition", "attachment; filename=\"台.csv\""),
            ])
        let payload = try await place.middleware().send(request(), to: host)
        let provenance = try #require(payload.provenance)
        #expect(provenance.origin == .downloaded && provenance.bytes == 8 && provenance.status == 200)
        #expect(provenance.sha256 == SHA256.hex(Array("a,b\n1,2\n".utf8)))
        #expect(provenance.headers.map(\.name) == ["ETag", "Content-Type", "Content-Disposition"])
        #expect(Provenance(json: provenance.json) == provenance)

        // Another process finds it.
        let other = place.store()
        let snapshots = try other.snapshots(of: "test.a")
        #expect(snapshots.count == 1 && snapshots.first?.provenance == provenance)
        let again = try other.payload(of: #require(snapshots.first))
        #expect(try again.text() == "a,b\n1,2\n" && again.response.fileName == "台.csv")
        #expect(again.provenance?.origin == .snapshot)
        #expect(try other.snapshots(of: "test.b").isEmpty && other.snapshots().count == 1)
        #expect(place.files.count == 2 && place.notices.current.isEmpty)
        try other.verify(#require(snapshots.first))
    }

    @Test("The same bytes again are no new snapshot, other bytes are, and the same bytes are kept once")
    func versions() async throws {
        let place = try Place()
        let (host, middleware) = (Host("one\n"), place.middleware())
        for body in ["one\n", "one\n", "two\n", "one\n"] {
            _ = host.body.replace(with: body)
            _ = try await middleware.send(request(), to: host)
        }
        _ = try await middleware.send(request("https://example.tw/b.csv"), to: host)
        let store = place.store()
        let snapshots = try store.snapshots(of: "test.a")
        #expect(snapshots.count == 4 && host.requests.current.count == 5)
        #expect(try store.usage() == .init(snapshots: 4, pinned: 0, objects: 2, bytes: 8))
        #expect(snapshots.last?.provenance.revalidated != nil)
        // Two objects, four records.
        #expect(place.files.count == 6)
    }

    @Test("The newest at or before a time or a day")
    func asOf() throws {
        let place = try Place()
        let store = place.store()
        for (day, text) in [(1, "one"), (2, "two"), (3, "three")] {
            try store.add(text, at: "2026-11-0\(day)T20:00:00+08:00")
        }
        func found(_ time: String) throws -> String? {
            let time = try #require(DateTime(parsing: time, zone: .taipei))
            return try store.snapshot(of: "test.a", asOf: time).map { try store.payload(of: $0).text() }
        }
        #expect(try found("2026-11-01T19:59:59+08:00") == nil)
        #expect(try found("2026-11-01T20:00:00+08:00") == "one")
        #expect(try found("2026-11-02T11:59:59Z") == "one")
        #expect(try found("2026-11-02T12:00:00Z") == "two")
        #expect(try found("2030-01-01T00:00:00Z") == "three")
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 2))
        #expect(try store.snapshot(of: "test.a", asOf: day).map { try store.payload(of: $0).text() } == "two")
        let first = try #require(store.snapshots(of: "test.a").first)
        try store.note(unusable: first.provenance)
        #expect(try found("2030-01-01T00:00:00Z") == "two")
    }

    @Test("Damaged bytes are never handed out", arguments: ["truncated", "changed", "lost"])
    func damage(how: String) async throws {
        let place = try Place()
        let host = Host("a,b\n1,2\n", headers: [.init("ETag", "\"v1\"")])
        _ = try await place.middleware().send(request(), to: host)
        let store = place.store()
        let snapshot = try #require(store.snapshots().first)
        let object = place.object(snapshot)
        switch how {
        case "truncated": try Data("a,b\n".utf8).write(to: object)
        case "changed": try Data("a,b\n1,3\n".utf8).write(to: object)
        default: try FileManager.default.removeItem(at: object)
        }
        #expect(throws: OpenDataError.self) { try store.verify(snapshot) }
        do {
            _ = try store.payload(of: snapshot)
            Issue.record("handed out")
        } catch { #expect(error.code == .damaged && error.message.contains("--refresh")) }
        var offline = try request()
        offline.cache.mode = .offline
        do {
            _ = try await place.middleware().send(offline, to: host)
            Issue.record("handed out")
        } catch { #expect(error.code == .damaged) }
        // The next fetch puts it aside, asks for all of it, and all is well.
        let payload = try await place.middleware().send(request(), to: host)
        #expect(try payload.text() == "a,b\n1,2\n")
        #expect(host.requests.current.last?.headers["If-None-Match"] == nil)
        #expect(place.notices.current.contains { $0.contains("it is put aside") })
        try store.verify(#require(try store.snapshots().first))
    }

    @Test(
        "A broken index is put aside and made anew from the records",
        arguments: ["no database", "zeros", "a page of nonsense", "removed"])
    func brokenIndex(how: String) async throws {
        let place = try Place()
        let store = place.store()
        for number in 1...40 { try store.add("text \(number)", at: "2026-11-01T20:00:\(number + 10)+08:00") }
        let pinned = try #require(store.snapshots().last)
        try store.pin(pinned)
        let before = try store.snapshots()
        let index = place.snapshots.appendingPathComponent("index.sqlite")
        _ = try Database(index.path, .create, wait: 1000).run("PRAGMA wal_checkpoint(TRUNCATE)")
        switch how {
        case "no database": try Data("this is no database, nor has it ever been one".utf8).write(to: index)
        case "zeros": try Data(count: 8192).write(to: index)
        case "a page of nonsense":
            var data = try Data(contentsOf: index)
            data.replaceSubrange(4096..<8192, with: Data(repeating: 0xA5, count: 4096))
            try data.write(to: index)
        default:
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index.path + suffix) }
        }
        let other = place.store()
        if how == "removed" {
            // An index that is not there is a new one; pruning takes in what lies beside it.
            #expect(try other.snapshots().isEmpty)
            #expect(try other.prune(.init()).takenIn == 40)
        }
        let after = try other.snapshots()
        #expect(after == before && after.last?.isPinned == true)
        for snapshot in after { try other.verify(snapshot) }
        // The one that had the old index open goes on with the new one.
        #expect(try store.snapshots() == before)
        try store.add("another", at: "2026-11-02T20:00:00+08:00")
        #expect(try other.snapshots().count == 41)
    }

    @Test("What cannot be written is told once, and the payload is handed on", arguments: ["a file", "no place"])
    func unwritable(how: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("cache").path
        let notices = Guarded<[String]>([])
        let store = SnapshotStore(CacheDirectory(path: how == "a file" ? file : ""))
        let middleware = StoreMiddleware(store, onNotice: { notice in notices.with { $0.append(notice.message) } })
        let host = Host("text")
        let payload = try await middleware.send(request(), to: host)
        #expect(try payload.text() == "text" && payload.provenance?.bytes == 4)
        #expect(notices.current.count == 1 && notices.current.first?.contains("is not kept") == true)
        #expect(try store.snapshots().isEmpty)
    }

    @Test(
        "A store that can only be read is read, and what cannot be kept is told",
        .enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnly() async throws {
        let place = try Place()
        let host = Host("one")
        _ = try await place.middleware().send(request(), to: host)
        let folders = ["", "/incoming", "/partial", "/objects"].map { place.snapshots.path + $0 }
        for folder in folders { _ = unsafe chmod(folder, 0o500) }
        defer { for folder in folders { _ = unsafe chmod(folder, 0o700) } }
        var offline = try request()
        offline.cache.mode = .offline
        #expect(try await place.middleware().send(offline, to: host).text() == "one")
        _ = host.body.replace(with: "two")
        #expect(try await place.middleware().send(request(), to: host).text() == "two")
        #expect(place.notices.current.last?.contains("can only be read") == true)
        #expect(throws: OpenDataError.self) { try place.store().prune(.init()) }
        #expect(try place.store().snapshots().count == 1)
    }

    @Test("Many stores in one place keep what many tasks save")
    func together() async throws {
        let place = try Place()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    let store = place.store()
                    for number in 0..<10 {
                        // Half of the bytes are those of other workers too.
                        let text = number % 2 == 0 ? "shared \(number)" : "\(worker) \(number)"
                        try store.add(text, key: "\(worker)-\(number)", at: "2026-11-01T20:00:00Z")
                        if number == 5 { try store.prune(.init()) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = place.store()
        let snapshots = try store.snapshots()
        #expect(snapshots.count == 80 && place.notices.current.isEmpty)
        for snapshot in snapshots { try store.verify(snapshot) }
        #expect(try store.usage().objects == 45)
        #expect(!place.files.contains { $0.hasPrefix("incoming/") })
    }
}

extension SnapshotStore {
    /// Keeps a text as a download of a time.
    @discardableResult
    func add(
        _ text: String, key: String = "key", dataset: String = "test.a", at time: String
    ) throws -> Snapshot {
        let time = try #require(DateTime(parsing: time, zone: .utc))
        let response = Response(url: "https://example.tw/a.csv")
        return try save(Payload(response: response, body: .bytes(Array(text.utf8))), key: key) { bytes, sha256 in
            Provenance(
                dataset: dataset, url: response.url, response: response, requested: time, fetched: time, bytes: bytes,
                sha256: sha256)
        }
    }
}
