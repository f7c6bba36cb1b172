/// A record that was read but does not fit, with the reason.
public struct Reject: Sendable, Hashable {
    /// Why a record was rejected: an extensible identifier.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name, such as `fieldCount`.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More or fewer cells than the header has.
        public static let fieldCount = Code(rawValue: "fieldCount")
        /// A name occurs twice in one object.
        public static let duplicateKey = Code(rawValue: "duplicateKey")
        /// An element of the records is not a record.
        public static let notARecord = Code(rawValue: "notARecord")
        /// The cell is not a value of the field's type.
        public static let type = Code(rawValue: "type")
        /// A required field has no value.
        public static let required = Code(rawValue: "required")
    }

    /// Where the record begins.
    public var origin: RecordOrigin
    /// Why it was rejected.
    public var code: Code
    /// The field at fault, if a single one is.
    public var field: String?
    /// The cell or record as published, at most 200 characters of it.
    public var raw: String
    /// The reason in words.
    public var message: String

    /// Makes a reject; `raw` is shortened to 200 characters.
    public init(origin: RecordOrigin, code: Code, field: String? = nil, raw: String, message: String) {
        self.origin = origin
        self.code = code
        self.field = field
        self.raw = String(raw.prefix(200))
        self.message = message
    }

    /// The reject as the error that ends a fetch which allows none.
    public var error: OpenDataError {
        OpenDataError(.rejected, message, position: origin.position, field: field)
    }
}
