/// Where a record of a batch begins.
public struct RecordOrigin: Sendable, Hashable {
    /// The number of the record in the payload, from 1.
    public var record: Int
    /// The physical line of its first byte, from 1.
    public var line: Int
    /// The offset of its first byte in the payload's text.
    public var byte: Int

    /// Makes an origin.
    public init(record: Int, line: Int, byte: Int) {
        self.record = record
        self.line = line
        self.byte = byte
    }

    /// The origin as a position.
    public var position: Position { Position(record: record, line: line, byte: byte) }
}
