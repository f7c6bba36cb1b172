/// The format of a payload: which decoder reads it, in which dialect and which text encodings.
public struct Format: Sendable {
    /// The name that the decoder is registered under.
    public var name: String
    /// What the decoder has to know; each format has its own type of it.
    public var dialect: any FormatDialect
    /// The text encodings to try, in order, each over the whole payload.
    ///
    /// A byte order mark overrides them.
    public var encodings: [TextEncoding]
    /// The members of a ZIP archive that the records are in, by a pattern.
    ///
    /// Such as `*.csv`, where the publisher sends an
    /// archive; `*` for a gzip file, too. `nil` where it sends none, and an archive is an error.
    public var member: String?

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

extension Format: Hashable {
    /// Whether two formats read every payload alike.
    public static func == (left: Format, right: Format) -> Bool {
        left.name == right.name && AnyHashable(left.dialect) == AnyHashable(right.dialect)
            && left.encodings == right.encodings && left.member == right.member
    }

    /// Whether this format reads every payload that another one reads, alike.
    package func covers(_ other: Format) -> Bool {
        guard let layout = dialect as? JSONLayout, let otherLayout = other.dialect as? JSONLayout else {
            return self == other
        }
        return layout.covers(otherLayout) && name == other.name && encodings == other.encodings
            && member == other.member
    }

    /// Hashes name, dialect and encodings.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(AnyHashable(dialect))
        hasher.combine(encodings)
        hasher.combine(member)
    }
}
