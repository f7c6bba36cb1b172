public import OpenDataCore

/// The rows of a fetch, typed, one after the other.
public struct RowSequence<Element: Row>: AsyncSequence, Sendable {
    let batches: BatchSequence

    /// Starts a fetch; nothing is requested before the first row is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(batches: batches.makeAsyncIterator()) }

    /// A fetch under way.
    public struct Iterator: AsyncIteratorProtocol {
        private var batches: BatchSequence.Iterator
        private var batch = RecordBatch()
        private var index = 0

        init(batches: BatchSequence.Iterator) { self.batches = batches }

        /// What has been read so far.
        public var summary: FetchSummary { batches.summary }

        /// The next row, or `nil` at the end. Throws ``OpenDataError``, and whatever the row's initialiser throws.
        public mutating func next() async throws -> Element? {
            while index == batch.count {
                guard let next = try await batches.next() else { return nil }
                (batch, index) = (next, 0)
            }
            defer { index += 1 }
            return try Element(Record(batch, index))
        }
    }
}
