public import OpenDataCore

extension SnapshotStore {
    /// The snapshots of a data set, the newest first; of all data sets without an id.
    public func snapshots(of id: String? = nil) throws(OpenDataError) -> [Snapshot] {
        guard exists else { return [] }
        return try withIndex { database, _ in
            guard let id else { return try IndexSchema.select("1", [], database) }
            return try IndexSchema.select("dataset = ?", [.text(id)], database)
        }
    }

    /// The newest snapshot of a data set that was downloaded at or before a time.
    ///
    /// One that is known to be of no use is passed over. Of a data set with parameters it is the newest of any request;
    /// ``CachePolicy/Mode/asOf(_:)`` finds that of one request.
    public func snapshot(of id: String, asOf time: DateTime) throws(OpenDataError) -> Snapshot? {
        guard exists else { return nil }
        return try withIndex { database, _ in
            try IndexSchema.select(
                "dataset = ? AND fetched <= ? AND usable IS NOT 0",
                [.text(id), .integer(time.millisecondsSince1970)], limit: 1, database
            ).first
        }
    }

    /// The newest snapshot of a data set that was downloaded on or before a day of a zone.
    public func snapshot(
        of id: String, asOf day: CalendarDate, zone: TimeZoneOffset = .taipei
    ) throws(OpenDataError) -> Snapshot? {
        guard let end = DateTime(endOf: day, zone: zone) else { return nil }
        return try snapshot(of: id, asOf: end)
    }

    /// The snapshot of a name, if there is one.
    public func snapshot(named name: String) throws(OpenDataError) -> Snapshot? {
        guard exists else { return nil }
        return try withIndex { database, _ in
            try IndexSchema.select("name = ?", [.text(name)], database).first
        }
    }

    /// The newest snapshot of a request, if one is kept that may be of use.
    func newest(_ key: String, asOf time: Int = .max) throws(OpenDataError) -> Snapshot? {
        guard exists else { return nil }
        return try withIndex { database, _ in
            try IndexSchema.select(
                "key = ? AND fetched <= ? AND usable IS NOT 0", [.text(key), .integer(time)], limit: 1, database
            ).first
        }
    }

    // Asking must not make a store.
    var exists: Bool {
        !cache.path.isEmpty && (StoreFolder.exists(path + "/index.sqlite") || StoreFolder.exists(path + "/objects"))
    }

    /// The bytes of a snapshot with its record, proved by their hash.
    ///
    /// They stay readable when the snapshot is pruned meanwhile. Throws ``OpenDataError/Code/damaged`` if they are not
    /// what was downloaded.
    public func payload(of snapshot: Snapshot) throws(OpenDataError) -> Payload {
        let file = try proved(snapshot)
        var provenance = snapshot.provenance
        provenance.origin = .snapshot
        var payload = Payload(response: provenance.response, body: .temporary(TemporaryFile(opened: file)))
        payload.provenance = provenance
        return payload
    }

    /// Reads the bytes of a snapshot and compares them with its record.
    ///
    /// Throws ``OpenDataError/Code/damaged`` if they are not what was downloaded.
    public func verify(_ snapshot: Snapshot) throws(OpenDataError) { _ = try proved(snapshot) }

    private func proved(_ snapshot: Snapshot) throws(OpenDataError) -> SystemFile {
        let path = StoreFolder(path: path).object(snapshot.provenance.sha256)
        let expected = snapshot.provenance
        func damaged(_ what: String) -> OpenDataError {
            OpenDataError(
                .damaged, "the snapshot \(snapshot.name) \(what); fetch it again with --refresh",
                dataset: expected.dataset, url: "file:" + path)
        }
        guard let file = try? SystemFile(reading: path) else { throw damaged("has lost its bytes") }
        guard file.length == expected.bytes else {
            throw damaged("has \(file.length ?? 0) bytes and not \(expected.bytes)")
        }
        var hash = SHA256()
        var offset = 0
        while true {
            var buffer: [UInt8] = []
            let count = try file.read(1 << 20, at: offset, into: &buffer)
            if count == 0 { break }
            hash.update(buffer)
            offset += count
        }
        guard hash.hex() == expected.sha256 else { throw damaged("has other bytes than were downloaded") }
        return file
    }

    /// Puts the damaged bytes of a snapshot aside and forgets every snapshot that they were of.
    func discard(_ snapshot: Snapshot) throws(OpenDataError) {
        let sha256 = snapshot.provenance.sha256
        try withIndex(writes: true) { database, folder in
            try database.transaction {
                let lost = try IndexSchema.select("sha256 = ?", [.text(sha256)], database)
                try database.run("DELETE FROM snapshots WHERE sha256 = ?", [.text(sha256)])
                for snapshot in lost { StoreFolder.remove(folder.record(sha256, snapshot.name)) }
                let path = folder.object(sha256)
                try? StoreFolder.move(path, to: path + ".damaged")
            }
        }
    }
}

extension DateTime {
    /// The last millisecond of a day.
    public init?(endOf day: CalendarDate, zone: TimeZoneOffset) {
        self.init(day, hour: 23, minute: 59, second: 59, millisecond: 999, offsetMinutes: zone.minutes)
    }
}
