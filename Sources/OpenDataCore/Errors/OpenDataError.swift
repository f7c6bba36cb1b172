/// What went wrong, where, and what to do about it.
///
/// Every failure that the package reports is of this one type. `code` is for programs, `message` for people: it says
/// what was found, what was expected and, where there is something to do, what that is. Secrets never appear in any
/// property; see ``Request/redactedURL``.
public struct OpenDataError: Error, Sendable {
    /// The name of the failure.
    public var code: Code
    /// One sentence or two for a person, without the data set's id and the address, which `description` adds.
    public var message: String
    /// The id of the data set being read, if one was.
    public var dataset: String?
    /// The address asked for, secrets redacted.
    public var url: String?
    /// The HTTP status that the host answered with, if it answered.
    public var status: Int?
    /// Where in the payload the failure stands.
    public var position: Position?
    /// The name of the field concerned.
    public var field: String?
    /// How long the host asked to be left alone, from its `Retry-After` header.
    public var retryAfter: Duration?
    /// The failure beneath this one, if there is one.
    public var underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, dataset: String? = nil, url: String? = nil, status: Int? = nil,
        position: Position? = nil, field: String? = nil, retryAfter: Duration? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.dataset = dataset
        self.url = url
        self.status = status
        self.position = position
        self.field = field
        self.retryAfter = retryAfter
        self.underlying = underlying
    }

    /// The same error with what is not yet known filled in.
    ///
    /// Each stage adds what it alone knows: a decoder knows the position, the client the data set and the address.
    public func adding(dataset: String? = nil, url: String? = nil, status: Int? = nil) -> OpenDataError {
        var copy = self
        copy.dataset = copy.dataset ?? dataset
        copy.url = copy.url ?? url
        copy.status = copy.status ?? status
        return copy
    }
}

extension OpenDataError: CustomStringConvertible {
    /// `code: message`, then data set, position, status and address, as far as they are known.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        var notes: [String] = []
        if let dataset { notes.append(dataset) }
        if let field { notes.append("field \(field)") }
        if let position { notes.append(position.description) }
        if let status { notes.append("HTTP \(status)") }
        if let url { notes.append(url) }
        if !notes.isEmpty { text += " [\(notes.joined(separator: ", "))]" }
        return text
    }
}
