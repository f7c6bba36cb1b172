/// A place in a payload.
public struct Position: Sendable, Hashable {
    /// The record, from 1, headers and titles not counted; `nil` outside the records.
    public var record: Int?
    /// The physical line, from 1.
    public var line: Int?
    /// The column of that line, in bytes of UTF-8, from 1.
    public var column: Int?
    /// The offset in bytes from the start of the payload's text as UTF-8, without a byte order mark.
    public var byte: Int?

    /// Makes a position from what is known of it.
    public init(record: Int? = nil, line: Int? = nil, column: Int? = nil, byte: Int? = nil) {
        self.record = record
        self.line = line
        self.column = column
        self.byte = byte
    }
}

extension Position: CustomStringConvertible {
    /// For example `record 12, line 13, column 4, byte 812`.
    public var description: String {
        [("record", record), ("line", line), ("column", column), ("byte", byte)]
            .compactMap { name, number in number.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }
}
