import OpenData
import OpenDataCore
import OpenDataStore

/// `odctl cache`: the kept downloads as a whole.
struct CacheCommand: AnswerCommand {
    static let help = Help(
        name: "cache", summary: "Show, tidy and take out what is kept of downloads",
        usage: [
            "odctl cache list [--json]", "odctl cache path", "odctl cache pin NAME", "odctl cache unpin NAME",
            "odctl cache export NAME --to PATH",
            "odctl cache prune [--older-than AGE] [--max-bytes SIZE] [--keep-last N] [--dry-run]",
        ],
        details: [
            """
            Every download is kept with the record of where it comes from: in ODCTL_CACHE, else
            XDG_CACHE_HOME/opendata, else ~/.cache/opendata. A host is asked only for what has changed since,
            and not at all as long as the newest copy is current, as 'odctl describe ID' tells.
            """,
            """
            list counts the copies of each data set; NAME is one of those that 'odctl history ID' shows. export
            writes the bytes as they came, and PATH.provenance.json. prune removes copies, never a pinned one;
            without limits it removes only what killed runs have left.
            """,
        ],
        flags: [.json, .to, .olderThan, .maxBytes, .keepLast, .dryRun, .cache],
        examples: ["odctl cache list", "odctl cache prune --older-than 90d --keep-last 10 --max-bytes 5G"])

    private enum Action: Sendable {
        case list(asJSON: Bool)
        case path
        case pin(String, Bool)
        case export(String, to: String)
        case prune(SnapshotStore.PruneRule)
    }

    private let action: Action
    private let cache: CacheDirectory

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: CacheCommand.help.flags)
        cache = context.cache(parsed)
        let verbs = ["list", "path", "pin", "unpin", "export", "prune"]
        guard let verb = parsed.operands.first else {
            throw OpenDataError(.badArgument, "what to do is needed: one of \(verbs.joined(separator: ", "))")
        }
        guard verbs.contains(verb) else { throw Commands.unknown("way to use the cache", verb, among: verbs) }
        let named = ["pin", "unpin", "export"].contains(verb)
        if parsed.operands.count > (named ? 2 : 1) {
            throw OpenDataError(.badArgument, "'\(parsed.operands.last ?? "")' is one word too many")
        }
        let own: [String: [Flag]] = [
            "list": [.json], "export": [.to], "prune": [.olderThan, .maxBytes, .keepLast, .dryRun],
        ]
        let known = ((own[verb] ?? []) + [.cache]).map(\.name)
        if let other = parsed.names.first(where: { !known.contains($0) }) {
            throw OpenDataError(.badArgument, "cache \(verb) has no flag '\(other)'")
        }
        let name = parsed.operands.dropFirst().first
        if named, name == nil {
            throw OpenDataError(.badArgument, "the name of a copy is needed; 'odctl history ID' shows them")
        }
        switch verb {
        case "list": action = .list(asJSON: parsed.has(.json))
        case "path": action = .path
        case "export":
            guard let path = parsed[.to], path != "-" else {
                throw OpenDataError(.badArgument, "--to is needed: --to PATH, for example --to data.csv")
            }
            action = .export(name ?? "", to: path)
        case "prune": action = .prune(try CacheCommand.rule(parsed))
        default: action = .pin(name ?? "", verb == "pin")
        }
    }

    private static func rule(_ parsed: ParsedArguments) throws(OpenDataError) -> SnapshotStore.PruneRule {
        var rule = SnapshotStore.PruneRule()
        rule.olderThan = try ArgumentValues.age(parsed[.olderThan], of: .olderThan)
        rule.maximumBytes = try ArgumentValues.size(parsed[.maxBytes], of: .maxBytes)
        rule.keepLast = try FetchOrder.count(parsed[.keepLast], of: .keepLast) ?? 1
        rule.isDryRun = parsed.has(.dryRun)
        return rule
    }

    func answer(_ context: Context) throws(OpenDataError) -> String {
        let store = context.store(cache)
        switch action {
        case .path:
            guard !store.cache.path.isEmpty else {
                throw OpenDataError(
                    .unreadable, "there is no place for kept downloads; name one in the variable ODCTL_CACHE")
            }
            return store.path + "\n"
        case .list(let asJSON): return try CacheCommand.list(store.snapshots(), asJSON)
        case .pin(let name, let isPinned):
            let snapshot = try CacheCommand.snapshot(name, store)
            if isPinned { try store.pin(snapshot) } else { try store.unpin(snapshot) }
            return ""
        case .export(let name, let path):
            try CacheCommand.export(CacheCommand.snapshot(name, store), store, path)
            return ""
        case .prune(let rule):
            let result = try store.prune(rule)
            let strays = result.strays > 0 ? ", \(result.strays) leftovers of killed runs" : ""
            let regained = result.takenIn > 0 ? "; \(result.takenIn) that the index had lost are back" : ""
            let names = result.snapshots.map { "\($0.provenance.dataset ?? "-")  \($0.name)\n" }.joined()
            let verb = rule.isDryRun ? "would be removed" : "removed, \(result.bytes) bytes freed"
            return names + "\(SnapshotText.count(result.snapshots.count))\(strays) \(verb)\(regained)\n"
        }
    }

    private static func snapshot(_ name: String, _ store: SnapshotStore) throws(OpenDataError) -> Snapshot {
        if let snapshot = try store.snapshot(named: name) { return snapshot }
        throw OpenDataError(.notCached, "no copy is named '\(name)'; 'odctl history ID' shows the names")
    }

    private static func export(
        _ snapshot: Snapshot, _ store: SnapshotStore, _ path: String
    ) throws(OpenDataError) {
        let payload = try store.payload(of: snapshot)
        var file = try AtomicFile(path)
        try payload.forEachPiece { piece throws(OpenDataError) in try file.append(piece) }
        try file.commit()
        var record = try AtomicFile(ProvenanceFile.path(of: path))
        try record.append(Array(snapshot.provenance.json.utf8))
        try record.commit()
    }

    private static func list(_ snapshots: [Snapshot], _ asJSON: Bool) -> String {
        let groups = Dictionary(grouping: snapshots) { $0.provenance.dataset ?? "-" }.sorted { $0.key < $1.key }
        let counts = groups.map { id, snapshots in
            let sizes = Dictionary(snapshots.map { ($0.provenance.sha256, $0.provenance.bytes) }) { first, _ in first }
            return (id: id, snapshots: snapshots, bytes: sizes.values.reduce(0, +))
        }
        if asJSON {
            return JSONText.array(
                counts.map { group in
                    .object([
                        ("dataset", .string(group.id)), ("copies", .integer(group.snapshots.count)),
                        ("pinned", .integer(group.snapshots.filter(\.isPinned).count)),
                        ("bytes", .integer(group.bytes)),
                        ("first", .optional(group.snapshots.last?.provenance.fetched.description)),
                        ("last", .optional(group.snapshots.first?.provenance.fetched.description)),
                    ])
                }
            ).document
        }
        guard !snapshots.isEmpty else { return "nothing is kept\n" }
        let rows = counts.map { group in
            [
                group.id, String(group.snapshots.count), String(group.bytes),
                group.snapshots.last.map { SnapshotText.time($0.provenance.fetched) } ?? "",
                group.snapshots.first.map { SnapshotText.time($0.provenance.fetched) } ?? "",
            ]
        }
        return TextTable.lines([["DATA SET", "COPIES", "BYTES", "FIRST", "LAST"]] + rows).joined(separator: "\n") + "\n"
    }
}
