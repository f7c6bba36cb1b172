/// A typed row: what a Swift caller gets for a record.
public protocol Row: Sendable {
    /// Maps a record that conforms to the data set's schema. Throws what reading its fields throws.
    init(_ record: Record) throws
}
