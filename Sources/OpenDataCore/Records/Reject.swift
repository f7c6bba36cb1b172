/// A record that was read but does not fit, or a cell of one, with the reason.
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
    /// The cell or record as published, at most 4,096 characters of it.
    public var raw: String
    /// The reason in words.
    public var message: String
    /// Whether the record was handed on all the same, with null in place of the cell.
    public var isKept = false
    /// All cells of the record by their published columns, where the caller wants them: see
    /// ``Conformer/keepsRawRecords``.
    public var record: [RawCell] = []

    /// A cell as published.
    public struct RawCell: Sendable, Hashable {
        /// The published name of the column.
        public var column: String
        /// The text; `nil` where there is no value.
        public var text: String?

        /// Makes a cell.
        public init(column: String, text: String?) {
            self.column = column
            self.text = text
        }
    }

    /// Makes a reject; `raw` is shortened to 4,096 characters.
    public init(origin: RecordOrigin, code: Code, field: String? = nil, raw: String, message: String) {
        self.origin = origin
        self.code = code
        self.field = field
        self.raw = String(raw.prefix(4096))
        self.message = message
    }

    /// The reject as the error that ends a fetch which allows none.
    public var error: OpenDataError {
        OpenDataError(.rejected, message, position: origin.position, field: field)
    }
}
