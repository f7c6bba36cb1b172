/// A typed row: what a Swift caller gets for a record.
public protocol Row: Sendable {
    /// Maps a record that conforms to the data set's schema. Throws what reading its fields throws.
    init(_ record: Record) throws

    /// Maps all records of a batch, in order; the rows of large fetches are made by it.
    ///
    /// There is no need to implement it: the default maps one record after the other.
    static func rows(of batch: RecordBatch) throws -> [Self]
}

extension Row {
    /// Maps one record after the other.
    @inlinable
    public static func rows(of batch: RecordBatch) throws -> [Self] {
        let records = batch.records
        var rows: [Self] = []
        rows.reserveCapacity(records.count)
        for index in 0..<records.count { rows.append(try Self(records[index])) }
        return rows
    }
}
