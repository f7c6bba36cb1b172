public import OpenDataCore

/// What a person says of a payload that nobody has described; all else is found by evidence.
public struct FormatHints: Sendable, Hashable {
    /// The name of the format, such as `csv`; `nil` to go by the payload's first bytes.
    public var format: String?
    /// The text encoding.
    public var encoding: TextEncoding?
    /// The character between the cells of delimited text.
    public var delimiter: UInt8?
    /// The number of records before the header of delimited text that are not blank.
    public var titleRows: Int?
    /// The number of header records of delimited text: 0, 1 or 2.
    public var headerRows: Int?
    /// Where the records lie: member names of JSON joined by dots, element names of XML joined by slashes.
    public var records: String?
    /// What becomes of objects within records of JSON.
    public var nested = JSONLayout.Nested.json

    /// No hints.
    public init() {}
}
