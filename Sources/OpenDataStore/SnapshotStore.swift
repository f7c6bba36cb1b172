public import OpenDataCore

/// Keeps every download with the record of where it comes from, for any number of processes at once.
///
/// The bytes are files named by their SHA-256, so that the same bytes are kept once; an index in SQLite finds them. A
/// file is complete before the index names it: a process that is killed at any moment leaves, at worst, files that the
/// index does not know, which ``prune(_:)`` takes in or removes. Nothing waits for the disk: a power failure may damage
/// the last copies. Every use compares a copy with its hash, and one that is damaged is put aside and downloaded again.
/// An index that is broken is put aside and made anew from the records beside the files.
///
/// Nothing is opened before the first use. Every method may wait for the disk and, some seconds at most, for another
/// process; each throws ``OpenDataError/Code/unreadable`` or ``OpenDataError/Code/unwritable`` where the store cannot
/// be used, beside what it says itself.
public final class SnapshotStore: Sendable {
    struct State: Sendable {
        var database: Database?
        // The index file that `database` has open, by its number.
        var identity: UInt64 = 0
        var isReadOnly = false
        var folder: StoreFolder?
    }

    /// Where the store is: its folder is `snapshots` in there.
    public let cache: CacheDirectory
    let onNotice: Notice.Handler
    let state = Locked(State())

    /// Makes a store in a folder; `onNotice` hears of a broken index.
    public init(_ cache: CacheDirectory = .standard(), onNotice: @escaping Notice.Handler = { _ in }) {
        self.cache = cache
        self.onNotice = onNotice
    }

    /// The path of the store's folder.
    public var path: String { cache.path + "/snapshots" }

    // MARK: The index

    /// Runs `body` with the index, opened if need be and made anew if it is broken.
    ///
    /// `writes` is whether `body` changes anything, which a store that cannot be written refuses.
    func withIndex<Result: Sendable>(
        writes: Bool = false, _ body: (Database, StoreFolder) throws -> Result
    ) throws(OpenDataError) -> Result {
        do {
            return try state.withLock { state in
                do {
                    return try body(try open(&state, writes: writes), try folder(&state))
                } catch let failure as Database.Failure where failure.isCorrupt {
                    state.database = nil
                    try rebuild(try folder(&state), because: failure)
                    return try body(try open(&state, writes: writes), try folder(&state))
                }
            }
        } catch let error as OpenDataError {
            throw error
        } catch let failure as Database.Failure {
            let hint = failure.isBusy ? "; another process holds it, try again" : ""
            throw OpenDataError(
                writes ? .unwritable : .unreadable, "the index of '\(path)' cannot be used: \(failure.sentence)\(hint)")
        } catch {
            throw OpenDataError(.unreadable, "the store '\(path)' cannot be used: \(error)")
        }
    }

    private func folder(_ state: inout State) throws(OpenDataError) -> StoreFolder {
        if let folder = state.folder { return folder }
        let folder = StoreFolder(path: path)
        // A folder that is there may be one that can only be read.
        if !StoreFolder.exists(folder.objects) || StoreFolder.isWritable(path) {
            _ = try cache.folder("snapshots")
            try folder.create()
        } else {
            state.isReadOnly = true
        }
        state.folder = folder
        return folder
    }

    private func open(_ state: inout State, writes: Bool) throws -> Database {
        guard Database.isAvailable else {
            throw OpenDataError(
                .unreadable,
                "keeping downloads needs the library libsqlite3.so.0, which is not here; install it (Debian, Ubuntu:"
                    + " libsqlite3-0; Fedora, Red Hat: sqlite-libs; Alpine: sqlite-libs)")
        }
        let folder = try folder(&state)
        if writes, state.isReadOnly { throw OpenDataError(.unwritable, "'\(path)' can only be read") }
        // Somebody may have put another index in the place of the one that is open, or removed the whole store.
        if let database = state.database, StoreFolder.status(folder.index)?.identity == state.identity {
            return database
        }
        state.database = nil
        if !state.isReadOnly {
            _ = try cache.folder("snapshots")
            try folder.create()
        }
        let database = state.isReadOnly ? try openReadOnly(folder) : try Database(folder.index, .create, wait: 10_000)
        if !state.isReadOnly { try IndexSchema.prepare(database) { try folder.alone($0) } }
        state.identity = StoreFolder.status(folder.index)?.identity ?? 0
        state.database = database
        return database
    }

    private func openReadOnly(_ folder: StoreFolder) throws -> Database {
        if let database = try? Database(folder.index, .readOnly, wait: 10_000),
            (try? database.run("SELECT count(*) FROM snapshots")) != nil
        {
            return database
        }
        // Where not even the files of the journal can be made, nobody writes either.
        return try Database(folder.index, .immutable, wait: 10_000)
    }

    /// Puts a broken index aside and makes one from the records beside the files.
    private func rebuild(_ folder: StoreFolder, because failure: Database.Failure) throws {
        guard StoreFolder.isWritable(folder.path) else { throw failure }
        try folder.alone {
            // Another process may have been faster.
            if let database = try? Database(folder.index, .create, wait: 10_000),
                (try? database.run("PRAGMA quick_check").first?.first?.text) == "ok"
            {
                return
            }
            let aside = "\(folder.index).broken-\(StoreFolder.now())"
            try StoreFolder.move(folder.index, to: aside)
            for suffix in ["-wal", "-shm"] { try? StoreFolder.move(folder.index + suffix, to: aside + suffix) }
            let database = try Database(folder.index, .create, wait: 10_000)
            try IndexSchema.prepare(database) { try $0() }
            let count = try database.transaction { try takeIn(database, folder) }
            onNotice(
                Notice(
                    "the index of '\(path)' was broken (\(failure.sentence)); it was put aside as"
                        + " '\(aside)' and made anew with \(count) snapshots"))
        }
    }

    /// Adds the snapshots whose records lie beside the files to the index, if it lacks them; how many they are.
    ///
    /// In a transaction.
    func takeIn(_ database: Database, _ folder: StoreFolder) throws -> Int {
        var known = Set(try database.run("SELECT name FROM snapshots").compactMap { $0.first?.text })
        var count = 0
        for shelf in StoreFolder.names(in: folder.objects) {
            let names = Set(StoreFolder.names(in: "\(folder.objects)/\(shelf)"))
            for name in names.sorted() where name.hasSuffix(".json") {
                guard let text = StoreFolder.text("\(folder.objects)/\(shelf)/\(name)"),
                    let snapshot = Snapshot(record: text), !known.contains(snapshot.name),
                    folder.record(snapshot.provenance.sha256, snapshot.name).hasSuffix("/\(shelf)/\(name)"),
                    names.contains(String(snapshot.provenance.sha256.dropFirst(2)))
                else { continue }
                try IndexSchema.put(snapshot, database)
                known.insert(snapshot.name)
                count += 1
            }
        }
        return count
    }
}
