import OpenDataCore

/// The table of the index.
enum IndexSchema {
    private static let version = 1

    /// Makes the table, if it is not there; `alone` runs its argument while no other process is in it.
    static func prepare(_ database: Database, alone: (() throws -> Void) throws -> Void) throws {
        // A commit does not wait for the disk: a killed process loses nothing, a power failure at most the last copies;
        // and one while the index is made breaks nothing but an empty index, which is made anew.
        try database.run("PRAGMA synchronous = OFF")
        defer { _ = try? database.run("PRAGMA synchronous = NORMAL") }
        switch try version(of: database) {
        case version: return
        // The change of the journal does not wait for other processes; so it is made by one at a time.
        case 0: try alone { try make(database) }
        case let other:
            throw OpenDataError(
                .unreadable, "the index of snapshots is of version \(other), which this program does not know")
        }
    }

    private static func make(_ database: Database) throws {
        // Another process may have been faster.
        guard try version(of: database) == 0 else { return }
        // Readers go on while somebody writes.
        try database.run("PRAGMA journal_mode = WAL")
        try database.transaction {
            try database.run(
                """
                CREATE TABLE snapshots (
                    name TEXT PRIMARY KEY, key TEXT NOT NULL, dataset TEXT, sha256 TEXT NOT NULL,
                    bytes INTEGER NOT NULL, fetched INTEGER NOT NULL, seen INTEGER NOT NULL,
                    pinned INTEGER NOT NULL, usable INTEGER, provenance TEXT NOT NULL) WITHOUT ROWID
                """)
            try database.run("CREATE INDEX by_key ON snapshots (key, fetched)")
            try database.run("CREATE INDEX by_dataset ON snapshots (dataset, fetched)")
            try database.run("CREATE INDEX by_sha256 ON snapshots (sha256)")
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    private static func version(of database: Database) throws -> Int {
        try database.run("PRAGMA user_version").first?.first?.number ?? 0
    }

    /// Adds a snapshot, or changes the one of its name.
    static func put(_ snapshot: Snapshot, _ database: Database) throws {
        try database.run("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", snapshot.row)
    }

    /// The snapshots that a condition holds for, the newest first.
    static func select(
        _ condition: String, _ values: [Database.Value], limit: Int? = nil, _ database: Database
    ) throws -> [Snapshot] {
        let end = limit.map { " LIMIT \($0)" } ?? ""
        return try database.run(
            "SELECT \(Snapshot.columns) FROM snapshots WHERE \(condition) ORDER BY fetched DESC, name DESC\(end)",
            values
        ).compactMap { Snapshot(row: $0) }
    }
}
