/// Turns records into the bytes of one format.
///
/// Conforming: `begin`, then `write` for each batch, then `finish`; the concatenated output depends on the records
/// alone, not on how they are cut into batches, and is the same in every run.
public protocol RecordEncoder: Sendable {
    /// Adds what stands before the first record. `fields` describes the columns of every batch to come.
    mutating func begin(_ fields: [Field], into output: inout [UInt8])

    /// Adds the records of a batch.
    mutating func write(_ batch: RecordBatch, into output: inout [UInt8])

    /// Adds what stands after the last record.
    mutating func finish(into output: inout [UInt8])

    /// An encoder that writes batches anywhere behind the first record, each by itself, or `nil` if what it writes
    /// depends on more than the batch; `nil` unless declared.
    ///
    /// Asked for after a record has been written. Batches are then encoded at the same time and joined in order.
    func forLaterBatches() -> Self?
}

extension RecordEncoder {
    /// One batch after the other.
    public func forLaterBatches() -> Self? { nil }
}
