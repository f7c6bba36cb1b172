import OpenData
import OpenDataCore
import OpenDataStore

/// `odctl history`: the copies that are kept of a data set.
struct HistoryCommand: AnswerCommand {
    static let help = Help(
        name: "history", summary: "List the downloads of a data set that are kept",
        usage: ["odctl history ID [--json]"],
        details: [
            """
            The newest first. FETCHED is when the bytes came, SEEN when the host last sent or confirmed them,
            DATA the day of the first record. 'odctl fetch ID --as-of TIME' reads one again.
            """
        ],
        flags: [.json, .cache], examples: ["odctl history twse.stock_day_all", "odctl history cafenomad.cafes --json"])

    private let id: String
    private let asJSON: Bool
    private let cache: CacheDirectory

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: HistoryCommand.help.flags)
        cache = context.cache(parsed)
        id = try SourceReference(parsed.operand("the id of a data set"), context.registry).outline.dataset.id
        asJSON = parsed.has(.json)
    }

    func answer(_ context: Context) throws(OpenDataError) -> String {
        let snapshots = try context.store(cache).snapshots(of: id)
        if asJSON { return JSONText.array(snapshots.map(SnapshotText.json)).document }
        guard !snapshots.isEmpty else { return "no copy of \(id) is kept\n" }
        return SnapshotText.table(snapshots)
    }
}

/// Snapshots as a person or a program reads them.
enum SnapshotText {
    /// A line each, with a header.
    static func table(_ snapshots: [Snapshot]) -> String {
        // Where there are several requests, their addresses tell them apart.
        let isMixed = Set(snapshots.map(\.provenance.url)).count > 1
        let rows = snapshots.map { snapshot in
            let provenance = snapshot.provenance
            let notes = [snapshot.isPinned ? "pinned" : "", snapshot.isUsable == false ? "of no use" : ""]
            return [
                time(provenance.fetched), time(provenance.revalidated ?? provenance.fetched),
                provenance.dataDate?.description ?? "-", provenance.records.map { String($0.read) } ?? "-",
                String(provenance.bytes), String(provenance.sha256.prefix(12)), snapshot.name,
                notes.filter { !$0.isEmpty }.joined(separator: ", "), isMixed ? provenance.url : "",
            ]
        }
        let header =
            ["FETCHED", "SEEN", "DATA", "RECORDS", "BYTES", "SHA-256", "NAME", "NOTES"] + (isMixed ? ["ADDRESS"] : [])
        return TextTable.lines([header] + rows).joined(separator: "\n") + "\n"
    }

    /// The record with what the store knows beside it.
    static func json(_ snapshot: Snapshot) -> JSONText {
        .object(
            [
                ("name", .string(snapshot.name)), ("pinned", .boolean(snapshot.isPinned)),
                ("usable", snapshot.isUsable.map { .boolean($0) } ?? .null),
            ]
                + (snapshot.provenance.document.members ?? []))
    }

    /// So many copies, in words.
    static func count(_ number: Int) -> String { number == 1 ? "1 copy" : "\(number) copies" }

    /// A time to the second, on the clock of Taipei.
    static func time(_ time: DateTime) -> String {
        let seconds = time.millisecondsSince1970 / 1000 * 1000
        return DateTime(millisecondsSince1970: seconds, zone: .taipei)?.description ?? time.description
    }
}
