import Foundation
import OpenDataCore
import TestSupport
import Testing

@testable import OpenDataStore

@Suite("Pruning")
struct PruningTests {
    private let place: Place
    private let store: SnapshotStore

    /// Ten copies of 100 bytes of each of two requests, a day apart, the newest of now.
    init() throws {
        place = try Place()
        store = place.store()
        for day in 0..<10 {
            let time = DateTime(millisecondsSince1970: StoreFolder.now() - (9 - day) * 86_400_000)
            for key in ["a", "b"] {
                try store.add(
                    String(repeating: key, count: 98) + "\(10 + day)", key: key, at: #require(time).description)
            }
        }
    }

    private func left(_ key: String) throws -> Int { try store.snapshots().filter { $0.key == key }.count }

    @Test("By age, the newest ones of each request staying")
    func age() throws {
        var rule = SnapshotStore.PruneRule()
        rule.olderThan = .seconds(4 * 86_400 + 3600)
        rule.isDryRun = true
        #expect(try store.prune(rule).snapshots.count == 10 && store.usage().snapshots == 20)
        rule.isDryRun = false
        let result = try store.prune(rule)
        #expect(result.snapshots.count == 10 && result.bytes == 1000 && result.strays == 0)
        #expect(try left("a") == 5 && left("b") == 5)
        rule.olderThan = .zero
        rule.keepLast = 3
        #expect(try store.prune(rule).snapshots.count == 4)
        #expect(place.files.count == 12)
        for snapshot in try store.snapshots() { try store.verify(snapshot) }
    }

    @Test("By size, the oldest first, and never a pinned one")
    func size() throws {
        let pinned = try #require(store.snapshots().last)
        try store.pin(pinned)
        var rule = SnapshotStore.PruneRule()
        rule.maximumBytes = 550
        #expect(try store.prune(rule).snapshots.count == 15)
        #expect(try store.usage() == .init(snapshots: 5, pinned: 1, objects: 5, bytes: 500))
        #expect(try store.snapshots().last?.name == pinned.name)
        rule.maximumBytes = 0
        rule.olderThan = .zero
        rule.keepLast = 0
        try store.prune(rule)
        #expect(try store.snapshots().map(\.name) == [pinned.name])
        try store.verify(pinned)
        try store.unpin(pinned)
        try store.prune(rule)
        #expect(try store.snapshots().isEmpty && place.files.isEmpty)
        #expect(throws: OpenDataError.self) { try store.pin(pinned) }
    }

    @Test("Bytes that another copy needs stay, and a reader keeps what it reads")
    func shared() throws {
        try store.add(String(repeating: "a", count: 98) + "10", key: "c", at: "2020-01-01T00:00:00Z")
        let old = try #require(store.snapshots().last)
        let payload = try store.payload(of: old)
        var rule = SnapshotStore.PruneRule()
        rule.olderThan = .seconds(30 * 86_400)
        rule.keepLast = 0
        #expect(try store.prune(rule).snapshots == [old])
        #expect(try store.snapshots().count == 20)
        for snapshot in try store.snapshots() { try store.verify(snapshot) }
        rule.olderThan = .zero
        try store.prune(rule)
        #expect(try payload.text().count == 100)
    }

    @Test("What killed processes have left goes, or is taken in where it is whole")
    func strays() throws {
        let folder = StoreFolder(path: store.path)
        let shelf = folder.objects + "/ab"
        try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
        try Data("stray".utf8).write(to: URL(fileURLWithPath: shelf + "/cdef"))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: shelf + "/cdef.name.json"))
        try Data("young".utf8).write(to: URL(fileURLWithPath: folder.incoming + "/young.tmp"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -80_000)], ofItemAtPath: folder.incoming + "/young.tmp")
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.incoming + "/old.tmp"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: folder.incoming + "/old.tmp")
        // Killed between the record and the row.
        let lost = try #require(store.snapshots().first)
        _ = try store.withIndex(writes: true) { database, _ in
            try database.run("DELETE FROM snapshots WHERE name = ?", [.text(lost.name)])
        }
        let result = try store.prune(.init())
        #expect(result.strays == 3 && result.takenIn == 1 && result.snapshots.isEmpty)
        #expect(try store.snapshots().first == lost)
        #expect(FileManager.default.fileExists(atPath: folder.incoming + "/young.tmp"))
    }
}
