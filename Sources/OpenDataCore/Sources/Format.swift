/// The format of a payload: which decoder reads it, in which dialect and which text encodings.
public struct Format: Sendable {
    /// The name that the decoder is registered under.
    public var name: String
    /// What the decoder has to know; each format has its own type of it.
    public var dialect: any FormatDialect
    /// The text encodings to try, in order, each over the whole payload. A byte order mark overrides them.
    public var encodings: [TextEncoding]

    /// Makes a format.
    public init(name: String, dialect: any FormatDialect, encodings: [TextEncoding] = [.utf8]) {
        self.name = name
        self.dialect = dialect
        self.encodings = encodings
    }

    /// Comma-separated values (RFC 4180) with a header line.
    public static let csv = Format.csv(CSVDialect())
    /// JSON (RFC 8259): an array of objects, or objects one after the other.
    public static let json = Format.json(JSONLayout())

    /// Comma-separated values in a dialect.
    public static func csv(_ dialect: CSVDialect, encodings: [TextEncoding] = [.utf8]) -> Format {
        Format(name: "csv", dialect: dialect, encodings: encodings)
    }

    /// JSON whose records lie under one of the paths, such as `records` or `result.records`; `$` is the whole document.
    public static func json(records paths: String...) -> Format { .json(JSONLayout(records: paths)) }

    /// JSON in a layout.
    public static func json(_ layout: JSONLayout) -> Format { Format(name: "json", dialect: layout) }
}

/// What a decoder has to know about a payload beyond its format's name.
public protocol FormatDialect: Sendable, Hashable {}

/// The dialect of a delimited text, in the words of the Frictionless CSV Dialect.
public struct CSVDialect: FormatDialect {
    /// What separates cells: an ASCII character.
    public var delimiter: UInt8
    /// The number of records that are not blank before the header, such as a title.
    public var titleRows: Int
    /// The beginnings of a first cell that end the table: the rest of the payload is notes.
    public var footnotes: [String]

    /// Makes a dialect: a comma, the header first, no notes.
    public init(delimiter: Character = ",", titleRows: Int = 0, footnotes: [String] = []) {
        guard let byte = delimiter.asciiValue else { preconditionFailure("a delimiter is an ASCII character") }
        self.delimiter = byte
        self.titleRows = titleRows
        self.footnotes = footnotes
    }
}

/// Where the records of a JSON document lie and how they are written.
public struct JSONLayout: FormatDialect {
    /// The paths of the records, any of which may occur; member names joined by dots, `$` for the whole document.
    public var records: [String]
    /// The member beside the records that names the columns of records written as arrays.
    public var fields: String?

    /// Makes a layout: by default the document is the array of records.
    public init(records: [String] = ["$"], fields: String? = nil) {
        self.records = records
        self.fields = fields
    }

    /// A table as the exchange writes it: names in `fields`, rows of cells in `data`.
    public static let table = JSONLayout(records: ["data"], fields: "fields")
}

/// A text encoding by its IANA name, or the name that code page registries use.
public struct TextEncoding: RawRepresentable, Sendable, Hashable {
    /// The name in lower case, `utf-8`.
    public let rawValue: String

    /// Makes an encoding from its name.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// UTF-8.
    public static let utf8 = TextEncoding(rawValue: "utf-8")
    /// UTF-16, big endian unless a byte order mark says otherwise.
    public static let utf16 = TextEncoding(rawValue: "utf-16")
    /// Code page 950, the Big5 of Windows.
    public static let cp950 = TextEncoding(rawValue: "cp950")
}
