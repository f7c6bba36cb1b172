import OpenData
import OpenDataCore
import OpenDataFormats
import OpenDataStore

/// `odctl diff`: the records that are different in two payloads of a data set.
struct DiffCommand: Command {
    private static let from = Flag(
        "--from", value: "WHICH",
        "The earlier payload: a file, the name of a kept copy, or a day or time by which it "
            + "was downloaded. The last copy that is different unless given.")
    private static let to = Flag(
        "--to", value: "WHICH", "The later payload, said the same way. The last copy unless given.")
    private static let key = Flag(
        "--key", value: "FIELDS",
        "Match records by these fields, with commas between; those of the data set's key "
            + "unless given, without a day that all records of a payload share.")

    static let help = Help(
        name: "diff", summary: "Show the records added, changed and removed between two payloads",
        usage: ["odctl diff ID [--from WHICH] [--to WHICH] [FLAGS]"],
        details: [
            """
            What is compared is kept of earlier downloads, which 'odctl history ID' lists, or saved in a file.
            Each line is a record of the later payload with 'added' or 'changed' in front, or one of the
            earlier payload with 'removed'. The last column, before, is an object of JSON with the earlier
            values of the fields that changed. Numbers are compared as numbers: 14.10 is 14.1.
            Without --format the records are written as a table to a terminal and as csv to anything else.
            """
        ],
        flags: [from, to, key, .format, .byteOrderMark, .marks, .cache, .quiet],
        examples: [
            "odctl diff twse.stock_day_all", "odctl diff twse.stock_day_all --from 2026-07-07 --to 2026-07-08",
            "odctl diff twse.stock_day_all --from monday.csv --to tuesday.csv --format ndjson",
        ])

    private let source: any DataSource
    private let sides: (from: String?, to: String?)
    private let cache: CacheDirectory
    private let key: [String]?
    private let encoder: any RecordEncoder
    private let hasMarks: Bool
    private let isQuiet: Bool

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: DiffCommand.help.flags)
        source = try context.registry.source(parsed.operand("the id of a data set"))
        sides = (parsed[DiffCommand.from], parsed[DiffCommand.to])
        guard sides.from != "-" || sides.to != "-" else {
            throw OpenDataError(.badArgument, "standard input cannot be both --from and --to")
        }
        cache = context.cache(parsed)
        key = parsed[DiffCommand.key].map { $0.split(separator: ",").map(String.init) }
        var options = EncoderOptions()
        options.byteOrderMark = parsed.has(.byteOrderMark)
        let format = parsed[.format] ?? (context.console.isTerminal ? "table" : "csv")
        encoder = try EncoderRegistry.standard.encoder(named: format, options: options)
        hasMarks = parsed.has(.marks)
        isQuiet = parsed.has(.quiet)
    }

    func run(_ context: Context) async throws(OpenDataError) {
        let store = context.store(cache)
        // The later one first: the earlier one is before it, unless it is said.
        var last: Snapshot?
        let (to, from): (Payload, Payload)
        if let text = sides.to {
            to = try payload(text, DiffCommand.to, store, context)
        } else {
            to = try newest(store, &last)
        }
        if let text = sides.from {
            from = try payload(text, DiffCommand.from, store, context)
        } else {
            from = try before(last, store)
        }
        let (earlier, later) = (batches(from, context), batches(to, context))
        let diff = try await RecordDiff(from: earlier, to: later, key: key)
        var (encoder, output) = (encoder, [UInt8]())
        encoder.begin(RecordDiff.fields(of: later.fields ?? []), into: &output)
        encoder.write(diff.batch, into: &output)
        encoder.finish(into: &output)
        try SystemFile(descriptor: context.console.output, path: "standard output", closes: false).write(output)
        guard !isQuiet else { return }
        if !diff.ignoredKey.isEmpty {
            context.console.tell(
                "odctl: matched by \(diff.key.joined(separator: " and ")) alone: each payload has a "
                    + "\(diff.ignoredKey.joined(separator: " and ")) of its own; --key says otherwise")
        }
        context.console.tell(
            "\(source.dataset.id): added \(diff.added), changed \(diff.changed), removed \(diff.removed), "
                + "unchanged \(diff.unchanged)")
    }

    /// The payload that a flag's value names.
    private func payload(
        _ text: String, _ flag: Flag, _ store: SnapshotStore, _ context: Context
    ) throws(OpenDataError) -> Payload {
        let file = Result { () throws(OpenDataError) in
            try SavedPayload.open(text, standardInput: context.console.input)
        }
        if case .success(let payload) = file { return payload }
        if let snapshot = try store.snapshot(named: text) { return try store.payload(of: snapshot) }
        guard let time = try? ArgumentValues.time(text, of: flag) else { return try file.get() }
        guard let snapshot = try store.snapshot(of: source.dataset.id, asOf: time) else {
            throw OpenDataError(
                .notCached, "no copy that was downloaded by \(text) is kept", dataset: source.dataset.id)
        }
        return try store.payload(of: snapshot)
    }

    private func newest(_ store: SnapshotStore, _ found: inout Snapshot?) throws(OpenDataError) -> Payload {
        found = try copies(store).last
        guard let found else {
            throw OpenDataError(
                .notCached, "no copy is kept; fetch the data set, or name files with --from and --to",
                dataset: source.dataset.id)
        }
        return try store.payload(of: found)
    }

    /// The last copy before another one, or of all, that has other bytes and is an answer to the same request.
    private func before(_ snapshot: Snapshot?, _ store: SnapshotStore) throws(OpenDataError) -> Payload {
        let copies = try copies(store)
        let end = snapshot.flatMap { last in copies.lastIndex { $0.name == last.name } } ?? copies.endIndex
        let other = copies[..<end].last {
            $0.provenance.sha256 != snapshot?.provenance.sha256
                && (snapshot == nil || $0.provenance.url == snapshot?.provenance.url)
        }
        guard let other else {
            throw OpenDataError(
                .notCached,
                "there is no earlier copy that is different; 'odctl history \(source.dataset.id)' lists them",
                dataset: source.dataset.id)
        }
        return try store.payload(of: other)
    }

    /// The copies of the data set, the last one downloaded at the end.
    private func copies(_ store: SnapshotStore) throws(OpenDataError) -> [Snapshot] {
        try store.snapshots(of: source.dataset.id).sorted {
            $0.provenance.fetched.millisecondsSince1970 < $1.provenance.fetched.millisecondsSince1970
        }
    }

    private func batches(_ payload: Payload, _ context: Context) -> BatchSequence {
        var options = FetchOptions()
        options.marks = hasMarks
        options.payload = payload
        return (context.transport.map { Client(transport: $0) } ?? Client()).batches(of: source, options: options)
    }
}
