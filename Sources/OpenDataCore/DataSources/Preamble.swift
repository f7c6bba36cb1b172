/// What a payload says outside its records.
public struct Preamble: Sendable {
    /// The host's answer: status, headers, final address.
    public var response: Response
    /// What the decoder found beside the records.
    ///
    /// JSON: the scalar members of the objects around the records, by name (`stat`, `total`). CSV: the lines before the
    /// header as `title`, those after the table as `notes`; several are joined by line breaks.
    public var members: [String: String]
    /// How many records have been read so far, rejected ones included; 0 if the payload is well but has none, `nil`
    /// where that is not known, as in a payload that cannot be decoded.
    public var recordCount: Int?

    /// Makes a preamble.
    public init(response: Response, members: [String: String] = [:], recordCount: Int? = nil) {
        self.response = response
        self.members = members
        self.recordCount = recordCount
    }

    /// What the decoder found under the name.
    public subscript(_ name: String) -> String? { members[name] }
}
