public import OpenDataCore

/// The schema that all records of an undescribed payload agree with.
///
/// Every record is read; nothing is sampled. A column is a number, a day or a time only if each of its values is one
/// and none would lose anything: a leading zero, an exponent, a sign that is not a number's, more than 38 digits, or a
/// name that says "code" keep it text. 0 and 1 are numbers, never true and false. A column without values has no type.
///
/// Days may be of either calendar. Bare digits are days only where the column's name says so as well: `1130715` may be
/// a number.
public struct InferredSchema: Sendable {
    private var columns: Columns?
    private var evidence: [ColumnEvidence] = []

    /// Nothing has been seen yet.
    public init() {}

    /// Reads all records of a fetch of an undescribed source.
    ///
    /// Throws what the fetch throws, and ``OpenDataError/Code/noData`` where there are no records.
    public static func infer(_ batches: BatchSequence) async throws(OpenDataError) -> Schema {
        var inferred = InferredSchema()
        var iterator = batches.makeAsyncIterator()
        while let batch = try await iterator.next() { try inferred.see(batch) }
        return inferred.schema
    }

    /// Takes the records of a batch into account.
    ///
    /// Throws ``OpenDataError/Code/schemaChanged`` where two columns have one name.
    public mutating func see(_ batch: RecordBatch) throws(OpenDataError) {
        let names = batch.columns.names
        if columns?.count != batch.columns.count {
            guard Set(names).count == names.count else {
                throw OpenDataError(.schemaChanged, "two columns have one name; types cannot be told for either")
            }
            for name in names.dropFirst(evidence.count) { evidence.append(ColumnEvidence(name: name)) }
            columns = batch.columns
        }
        for column in names.indices {
            for record in 0..<batch.count { evidence[column].see(batch[record, column], of: batch.bytes) }
        }
    }

    /// The schema of what has been seen: a field for each column, under its published name.
    public var schema: Schema { Schema(evidence.map(\.field)) }
}
