public import OpenDataCore

/// A download that is kept: its record, and what became of it.
public struct Snapshot: Sendable, Hashable {
    /// The name, unique in its store; later ones sort behind earlier ones.
    public var name: String
    /// Where the bytes come from.
    public var provenance: Provenance
    /// Whether it is never pruned.
    public var isPinned = false
    /// Whether it was decoded to its end (`true`), or is not what the data set should be (`false`); `nil` if nobody has
    /// read all of it.
    ///
    /// Only one that was decoded is ever used without asking the host, and one that could not be decoded is not used
    /// again by itself.
    public var isUsable: Bool?

    // What was asked, as `RequestIdentity` says it.
    var key: String

    init(name: String, key: String, provenance: Provenance) {
        self.name = name
        self.key = key
        self.provenance = provenance
    }

    /// When the bytes were last known to be what the host sends.
    var seen: Int { max(fetched, provenance.revalidated?.millisecondsSince1970 ?? 0) }

    var fetched: Int { provenance.fetched.millisecondsSince1970 }
}

extension Snapshot {
    static let columns = "name, key, pinned, usable, provenance"

    /// The row of the index, in the order of the table.
    var row: [Database.Value] {
        [
            .text(name), .text(key), Database.Value(provenance.dataset), .text(provenance.sha256),
            .integer(provenance.bytes), .integer(fetched), .integer(seen), .integer(isPinned ? 1 : 0),
            Database.Value(isUsable.map { $0 ? 1 : 0 }), .text(provenance.json),
        ]
    }

    /// Reads a row of ``columns``.
    init?(row: [Database.Value]) {
        guard row.count == 5, let name = row[0].text, let key = row[1].text, let json = row[4].text,
            let provenance = Provenance(json: json)
        else { return nil }
        self.init(name: name, key: key, provenance: provenance)
        isPinned = row[2].number == 1
        isUsable = row[3].number.map { $0 == 1 }
    }

    /// What is written beside the bytes: everything that the index says.
    var record: String {
        JSONText.object([
            ("name", .string(name)), ("key", .string(key)), ("pinned", .boolean(isPinned)),
            ("usable", isUsable.map { .boolean($0) } ?? .null), ("provenance", provenance.document),
        ]).document
    }

    /// Reads what ``record`` has written.
    init?(record: String) {
        guard let document = JSONText(parsing: record), let name = document["name"]?.text,
            let key = document["key"]?.text, let provenance = document["provenance"].flatMap({ Provenance($0) })
        else { return nil }
        self.init(name: name, key: key, provenance: provenance)
        isPinned = document["pinned"]?.truth ?? false
        isUsable = document["usable"]?.truth
    }
}
