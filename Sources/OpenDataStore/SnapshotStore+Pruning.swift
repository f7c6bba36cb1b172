public import OpenDataCore

extension SnapshotStore {
    /// Which snapshots are taken away.
    ///
    /// Pinned ones never are. The newest `keepLast` of each request stay whatever their age, and are the last to go for
    /// the sake of room. Without a limit only what no snapshot needs goes: what killed processes have left.
    public struct PruneRule: Sendable, Hashable {
        /// Snapshots that were last seen longer ago than this go.
        public var olderThan: Duration?
        /// The oldest snapshots go until the rest have at most so many bytes.
        public var maximumBytes: Int?
        /// How many of each request stay in any case, but for `maximumBytes`.
        public var keepLast = 1
        /// Whether only a count is made.
        public var isDryRun = false

        /// Makes a rule without limits.
        public init() {}
    }

    /// What was taken away.
    public struct PruneResult: Sendable, Hashable {
        /// The snapshots that went.
        public var snapshots: [Snapshot] = []
        /// The bytes that became free.
        public var bytes = 0
        /// Files of killed processes that went.
        public var strays = 0
        /// Snapshots that the index had lost and has again.
        public var takenIn = 0
    }

    /// How much is kept.
    public struct Usage: Sendable, Hashable {
        /// How many snapshots.
        public var snapshots: Int
        /// How many of them are pinned.
        public var pinned: Int
        /// How many different payloads.
        public var objects: Int
        /// The bytes of those payloads.
        public var bytes: Int
    }

    /// How much is kept.
    public func usage() throws(OpenDataError) -> Usage {
        let all = try snapshots()
        var sizes: [String: Int] = [:]
        for snapshot in all { sizes[snapshot.provenance.sha256] = snapshot.provenance.bytes }
        return Usage(
            snapshots: all.count, pinned: all.filter(\.isPinned).count, objects: sizes.count,
            bytes: sizes.values.reduce(0, +))
    }

    /// Takes snapshots away by a rule, and what killed processes have left.
    ///
    /// Other processes may go on: a payload that one of them reads stays readable to its end.
    @discardableResult
    public func prune(_ rule: PruneRule) throws(OpenDataError) -> PruneResult {
        let now = StoreFolder.now()
        var result = PruneResult()
        guard exists else { return result }
        // The rows first: killed after that, the files are strays that the next run finds.
        let (takenIn, victims) = try withIndex(writes: true) { database, folder in
            try database.transaction {
                let takenIn = rule.isDryRun ? 0 : try self.takeIn(database, folder)
                let victims = SnapshotStore.victims(of: rule, among: try IndexSchema.select("1", [], database), now)
                if !rule.isDryRun {
                    for victim in victims {
                        try database.run("DELETE FROM snapshots WHERE name = ?", [.text(victim.name)])
                    }
                }
                return (takenIn, victims)
            }
        }
        result.takenIn = takenIn
        result.snapshots = victims
        if rule.isDryRun { return result }
        let (bytes, strays) = try withIndex(writes: true) { database, folder in
            // Alone, or a file could be needed again between the look at the index and its removal.
            try database.transaction { try self.sweep(victims, database, folder, now) }
        }
        result.bytes = bytes
        result.strays = strays
        return result
    }

    /// The snapshots that a rule takes away, the oldest first.
    static func victims(of rule: PruneRule, among all: [Snapshot], _ now: Int) -> [Snapshot] {
        // By request, the newest first: how many are newer than each.
        var newer: [String: Int] = [:]
        var rank: [String: Int] = [:]
        for snapshot in all {
            rank[snapshot.name] = newer[snapshot.key, default: 0]
            newer[snapshot.key, default: 0] += 1
        }
        func isKept(_ snapshot: Snapshot) -> Bool { rank[snapshot.name, default: 0] < max(rule.keepLast, 0) }
        let candidates = all.filter { !$0.isPinned }.sorted { ($0.seen, $0.name) < ($1.seen, $1.name) }
        var victims: [Snapshot] = []
        var taken: Set<String> = []
        if let age = rule.olderThan {
            let limit = now - Int(age.components.seconds) * 1000
            for snapshot in candidates where snapshot.seen < limit && !isKept(snapshot) {
                victims.append(snapshot)
                taken.insert(snapshot.name)
            }
        }
        guard let room = rule.maximumBytes else { return victims }
        // The same bytes count once, and go with the last snapshot of them.
        var uses: [String: Int] = [:]
        var bytes = 0
        for snapshot in all where !taken.contains(snapshot.name) {
            let sha256 = snapshot.provenance.sha256
            if uses[sha256] == nil { bytes += snapshot.provenance.bytes }
            uses[sha256, default: 0] += 1
        }
        let rest = candidates.filter { !taken.contains($0.name) }
        for snapshot in rest.filter({ !isKept($0) }) + rest.filter(isKept) where bytes > room {
            let sha256 = snapshot.provenance.sha256
            uses[sha256, default: 0] -= 1
            if uses[sha256] == 0 { bytes -= snapshot.provenance.bytes }
            victims.append(snapshot)
        }
        return victims
    }

    /// Removes the files of snapshots that are gone, and those that no snapshot needs.
    private func sweep(
        _ victims: [Snapshot], _ database: Database, _ folder: StoreFolder, _ now: Int
    ) throws -> (bytes: Int, strays: Int) {
        for victim in victims { StoreFolder.remove(folder.record(victim.provenance.sha256, victim.name)) }
        let gone = Set(victims.map(\.provenance.sha256))
        var needed: Set<String> = []
        for row in try database.run("SELECT DISTINCT sha256 FROM snapshots") {
            if let sha256 = row.first?.text { needed.insert(sha256) }
        }
        var (bytes, strays) = (0, 0)
        for shelf in StoreFolder.names(in: folder.objects) {
            for name in StoreFolder.names(in: "\(folder.objects)/\(shelf)") {
                // A record is needed as long as its bytes are; one without them tells of nothing.
                let sha256 = shelf + name.prefix { $0 != "." }
                if needed.contains(sha256), !name.hasSuffix(".damaged") { continue }
                let file = "\(folder.objects)/\(shelf)/\(name)"
                bytes += StoreFolder.status(file)?.bytes ?? 0
                StoreFolder.remove(file)
                if !gone.contains(sha256) { strays += 1 }
            }
        }
        // What is being written is younger than that.
        for (place, hours) in [(folder.incoming, 24), (folder.partial, 24 * 7)] {
            for name in StoreFolder.names(in: place) {
                let file = "\(place)/\(name)"
                guard let status = StoreFolder.status(file),
                    now / 1000 - status.secondsSince1970 > hours * 3600
                else { continue }
                bytes += status.bytes
                StoreFolder.remove(file)
                strays += 1
            }
        }
        return (bytes, strays)
    }
}
