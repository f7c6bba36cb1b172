/// A typed row: what a Swift caller gets for a record.
public protocol Row: Sendable {
    /// Maps a record that conforms to the data set's schema. Throws what reading its fields throws.
    ///
    /// The record is lent. A type may take it as `Record`, which costs a count of its references, or as `borrowing
    /// Record`.
    init(_ record: borrowing Record) throws

    /// Maps records, one after the other, to the end of the rows; there has to be room for them.
    ///
    /// A type has no need to write this. It is a requirement so that the loop over a batch's records is compiled
    /// together with the type's own initialiser.
    ///
    /// Throws what ``init(_:)`` throws; the rows made up to there stay.
    static func append(_ records: RecordBatch.Records, to rows: inout OutputSpan<Self>) throws
}

extension Row {
    /// Calls ``init(_:)`` with each record.
    @inlinable
    public static func append(_ records: RecordBatch.Records, to rows: inout OutputSpan<Self>) throws {
        guard var record = records.first else { return }
        for index in 0..<records.count {
            // One record that moves on: to make one for each would be to count the references to the storage.
            record.index = index
            rows.append(try Self(record))
        }
    }
}
