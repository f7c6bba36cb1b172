import OpenDataCore
import OpenDataStore

/// What is found out about a payload while it is decoded, for the record of where it comes from.
struct PayloadTrace: Sendable {
    private let store: SnapshotStore?
    private let start: FetchSummary
    private let day: String?
    private var provenance: Provenance
    /// Whether the payload is known to have a record.
    private(set) var hasSeenRecord = false

    /// Starts with a payload that has a record; `summary` is that of the payloads before it.
    init?(_ payload: Payload, _ schema: Schema, _ store: SnapshotStore?, _ summary: FetchSummary) {
        guard let provenance = payload.provenance else { return nil }
        self.provenance = provenance
        self.store = store
        start = summary
        day = schema.fields.first { $0.type == .date && schema.primaryKey.contains($0.name) }?.name
    }

    /// Takes the day from the first record.
    mutating func see(_ batch: RecordBatch, _ summary: FetchSummary) {
        guard !hasSeenRecord, let first = batch.records.first else { return }
        hasSeenRecord = true
        guard let day else { return }
        provenance.dataDate = (try? first[field: day]) ?? nil
    }

    /// Notes what was decoded, the payload having been read to its end.
    func finish(_ summary: FetchSummary, _ format: String?, _ encoding: TextEncoding?) -> Provenance? {
        var result = provenance
        result.format = format
        result.encoding = encoding
        result.records = Provenance.RecordCounts(
            read: summary.read - start.read, written: summary.written + summary.leftOut - start.written - start.leftOut,
            rejected: summary.rejected - start.rejected)
        // What is known already need not be written again.
        if result.records != provenance.records || result.format != provenance.format {
            // A store that cannot be written has said so when the payload came.
            try? store?.note(decoded: result)
        }
        return result
    }

    /// Notes that the payload is of no use, if that is what an error says.
    func failed(_ error: OpenDataError) {
        let useless: Set<OpenDataError.Code> = [
            .emptyBody, .unexpectedContent, .schemaChanged, .malformed, .invalidText, .unauthorised, .badArgument,
            .tooLarge, .truncated, .rateLimited, .blocked,
        ]
        guard useless.contains(error.code) else { return }
        try? store?.note(unusable: provenance)
    }
}
