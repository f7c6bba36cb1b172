public import OpenDataCore

/// The rows of a fetch, typed, one after the other.
public struct RowSequence<Element: Row>: AsyncSequence, Sendable {
    let batches: BatchSequence

    /// Starts a fetch; nothing is requested before the first row is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

    /// A fetch under way.
    public struct Iterator: AsyncIteratorProtocol {
        private var batches: BatchSequence.Iterator
        private var records = RecordBatch().records[...]

        init(batches: BatchSequence.Iterator) { self.batches = batches }

        /// What has been read so far.
        public var summary: FetchSummary { batches.summary }

        /// The next row, or `nil` at the end.
        ///
        /// Throws ``OpenDataError``, and whatever the row's initialiser throws.
        public mutating func next() async throws -> Element? {
            while true {
                if let record = records.popFirst() { return try Element(record) }
                guard let batch = try await batches.next() else { return nil }
                records = batch.records[...]
            }
        }
    }
}
