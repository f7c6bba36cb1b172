public import OpenDataCore

extension SnapshotStore {
    /// Keeps a payload and returns its snapshot.
    ///
    /// The file is complete before the index names it. A payload like the newest snapshot of the same request is no new
    /// one: that it was seen again is noted. Throws ``OpenDataError/Code/unwritable``, for example when the disk is
    /// full; nothing of the payload is left behind then.
    /// - Parameters:
    ///   - key: What was asked, as ``RequestIdentity`` says it.
    ///   - describe: Makes the record from the number of bytes and their hash.
    func save(
        _ payload: Payload, key: String, describe: (_ bytes: Int, _ sha256: String) -> Provenance
    ) throws(OpenDataError) -> Snapshot {
        // The folders are made by this.
        let folder = try withIndex(writes: true) { _, folder in folder }
        let path = folder.newIncoming()
        do throws(OpenDataError) {
            let (bytes, sha256) = try SnapshotStore.copy(payload, to: path)
            let provenance = describe(bytes, sha256)
            return try withIndex(writes: true) { database, folder in
                try database.transaction {
                    try self.put(provenance, key: key, path, database, folder)
                }
            }
        } catch {
            StoreFolder.remove(path)
            throw error
        }
    }

    /// Copies the bytes to a new file.
    private static func copy(_ payload: Payload, to path: String) throws(OpenDataError) -> (Int, String) {
        let file = try SystemFile(creating: path, permissions: 0o600)
        var hash = SHA256()
        var bytes = 0
        try payload.forEachPiece { piece throws(OpenDataError) in
            hash.update(piece)
            try file.write(piece)
            bytes += piece.count
        }
        return (bytes, hash.hex())
    }

    /// Gives the file its name and the snapshot its row.
    ///
    /// In a transaction, so that nobody prunes meanwhile.
    private func put(
        _ provenance: Provenance, key: String, _ path: String, _ database: Database, _ folder: StoreFolder
    ) throws -> Snapshot {
        let sha256 = provenance.sha256
        let shelf = folder.shelf(sha256)
        if !StoreFolder.exists(shelf) { try StoreFolder.makeFolder(shelf) }
        // In the place of one that is there already: the same bytes, unless that one has been damaged.
        try StoreFolder.move(path, to: folder.object(sha256))
        let last = try IndexSchema.select("key = ?", [.text(key)], limit: 1, database).first
        if var last, last.provenance.sha256 == sha256 {
            last.provenance.headers = provenance.headers
            last.provenance.status = provenance.status
            last.provenance.finalURL = provenance.finalURL
            last.provenance.revalidated = provenance.fetched
            try write(last, database, folder)
            return last
        }
        var snapshot = Snapshot(name: SnapshotStore.newName(provenance), key: key, provenance: provenance)
        snapshot.provenance.snapshot = snapshot.name
        try write(snapshot, database, folder)
        return snapshot
    }

    /// Writes a snapshot's record, then its row.
    func write(_ snapshot: Snapshot, _ database: Database, _ folder: StoreFolder) throws {
        let sha256 = snapshot.provenance.sha256
        try folder.write(snapshot.record, to: folder.record(sha256, snapshot.name))
        try IndexSchema.put(snapshot, database)
    }

    /// A name by the time of the download: `20261130T073450123Z-k3v9…`.
    private static func newName(_ provenance: Provenance) -> String {
        let time = DateTime(millisecondsSince1970: provenance.fetched.millisecondsSince1970) ?? provenance.fetched
        func padded(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(width - text.count, 0)) + text
        }
        let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }.joined()
        let day = time.day.description.filter { $0 != "-" }
        return "\(day)T\(clock)\(padded(time.millisecond, 3))Z-\(StoreFolder.randomName().prefix(8))"
    }

    /// Changes a snapshot that is still there, in one step; `nil` if it is not.
    @discardableResult
    func change(_ name: String, _ edit: (inout Snapshot) -> Void) throws(OpenDataError) -> Snapshot? {
        try withIndex(writes: true) { database, folder in
            try database.transaction {
                guard var snapshot = try IndexSchema.select("name = ?", [.text(name)], database).first else {
                    return nil
                }
                edit(&snapshot)
                try self.write(snapshot, database, folder)
                return snapshot
            }
        }
    }

    /// Notes what decoding has told of a payload: its records, its format, its day.
    ///
    /// Does nothing for a payload that is no snapshot of this store.
    public func note(decoded provenance: Provenance) throws(OpenDataError) {
        guard let name = provenance.snapshot else { return }
        try change(name) { snapshot in
            snapshot.isUsable = true
            snapshot.provenance.dataDate = provenance.dataDate
            snapshot.provenance.format = provenance.format
            snapshot.provenance.encoding = provenance.encoding
            snapshot.provenance.records = provenance.records
        }
    }

    /// Notes that a payload is not what the data set should be, so that it is not used again by itself.
    public func note(unusable provenance: Provenance) throws(OpenDataError) {
        guard let name = provenance.snapshot else { return }
        try change(name) { $0.isUsable = false }
    }

    /// Protects a snapshot from ``prune(_:)``.
    ///
    /// Throws ``OpenDataError/Code/notCached`` if there is none of the name.
    public func pin(_ snapshot: Snapshot) throws(OpenDataError) { try set(pinned: true, snapshot) }

    /// Leaves a snapshot to ``prune(_:)`` again.
    ///
    /// Throws ``OpenDataError/Code/notCached`` if there is none of the name.
    public func unpin(_ snapshot: Snapshot) throws(OpenDataError) { try set(pinned: false, snapshot) }

    private func set(pinned: Bool, _ snapshot: Snapshot) throws(OpenDataError) {
        guard try change(snapshot.name, { $0.isPinned = pinned }) == nil else { return }
        throw OpenDataError(.notCached, "there is no snapshot '\(snapshot.name)' in '\(path)'")
    }
}
