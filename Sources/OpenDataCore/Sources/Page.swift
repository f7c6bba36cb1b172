/// One payload of several, as ``DataSource/nextRequest(after:_:)`` sees it.
public struct Page: Sendable {
    /// What was requested.
    public var request: Request
    /// What surrounded the records.
    public var preamble: Preamble
    /// How many records it had, rejected ones included.
    public var recordCount: Int

    /// Makes a page.
    public init(request: Request, preamble: Preamble, recordCount: Int) {
        self.request = request
        self.preamble = preamble
        self.recordCount = recordCount
    }
}

/// What a payload says outside its records.
public struct Preamble: Sendable {
    /// The host's answer: status, headers, final address.
    public var response: Response
    /// What the decoder found beside the records.
    ///
    /// JSON: the scalar members of the objects around the records, by name (`stat`, `total`). CSV: the lines before the
    /// header as `title`, those after the table as `notes`; several are joined by line breaks.
    public var members: [String: String]
    /// How many records have been read so far, rejected ones included; 0 if the payload is well but has none, `nil` where
    /// that is not known, as in a payload that cannot be decoded.
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

/// A small payload that a connector carries, so that it can be tried without a network.
public struct Sample: Sendable {
    /// The bytes, as the publisher would send them.
    public var bytes: [UInt8]
    /// The arguments that would have asked for them.
    public var arguments: Arguments
    /// The file name that the publisher would give.
    public var fileName: String?

    /// Makes a sample.
    public init(_ bytes: [UInt8], arguments: Arguments = [:], fileName: String? = nil) {
        self.bytes = bytes
        self.arguments = arguments
        self.fileName = fileName
    }
}
