/// Records that a decoder has had written at once, so that a batch has no cells of theirs.
@usableFromInline
package struct Transcript: Sendable {
    /// Records that follow one another in the payload.
    package struct Run: Sendable, Hashable {
        /// The number of the first, as ``RecordOrigin/record`` counts.
        package var record: Int
        /// How many there are.
        package var count: Int
        /// The end of their text; it begins where that of the run before ends.
        package var end: Int
    }

    /// The records as the encoder writes them, one after the other.
    package var bytes: [UInt8] = []
    /// Where those that follow one another are, in order.
    package private(set) var runs: [Run] = []
    /// The number of records.
    @usableFromInline
    package private(set) var count = 0

    /// No records.
    package init() {}

    /// Notes records whose text ends at an offset in the bytes.
    package mutating func note(_ count: Int, from record: Int, end: Int) {
        if count == 0 { return }
        self.count += count
        if let last = runs.last, last.record + last.count == record {
            runs[runs.count - 1].count += count
            runs[runs.count - 1].end = end
        } else {
            runs.append(Run(record: record, count: count, end: end))
        }
    }
}
