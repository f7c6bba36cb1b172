/// Where the records of an XML document lie and how they become columns.
///
/// Names are those of elements and attributes without their prefixes. A column is called by the names from the record
/// down to the value, joined by dots: `StationName.Zh_tw`. An attribute has an `@` before its name and comes behind
/// what is inside its element: `value`, `value.@units`. The text that a record has beside its elements is `#text`.
public struct XMLLayout: FormatDialect {
    /// What becomes of the elements within an element of a record.
    public enum Nested: Sendable, Hashable {
        /// Each of their values is a column of its own.
        case flattened
        /// The element of the record is one column that holds an object of JSON.
        case json
    }

    /// The paths of the elements that are records: element names from the root down, joined by slashes: `table/row`.
    ///
    /// The elements at all of the paths are records, in the order of the document.
    public var records: [String]
    /// The columns that are known beforehand, in order.
    ///
    /// Any others that occur follow in the order in which they do.
    public var columns: [String]
    /// The attribute that names the column of an element in place of the element's own name.
    ///
    /// That of `<Col1 name="month">1</Col1>` is `name`. An element without the attribute keeps its own name.
    public var columnNames: String?
    /// What becomes of nested elements.
    public var nested: Nested
    /// Whether a record has the values of the elements around it too, but for those of the root.
    ///
    /// These are their attributes, and the texts of elements without others within that precede the record there, such
    /// as the name of the place that a list of times is within. They come behind the record's own and are called by the
    /// names below the root: `dataset.location.locationName`.
    public var includesSurroundings: Bool
    /// Whether the document may be a part of one whose outer elements were cut off.
    ///
    /// Such a part can have several elements at the top, and prefixes that are declared nowhere.
    public var isFragment: Bool

    /// Makes a layout for records at the paths, whose columns are found on the way unless given.
    public init(
        records: [String], columns: [String] = [], columnNames: String? = nil, nested: Nested = .flattened,
        includesSurroundings: Bool = false, isFragment: Bool = false
    ) {
        self.records = records
        self.columns = columns
        self.columnNames = columnNames
        self.nested = nested
        self.includesSurroundings = includesSurroundings
        self.isFragment = isFragment
    }
}

extension Format {
    /// XML whose records are the elements at one of the paths, such as `table/row`.
    public static func xml(records paths: String...) -> Format { .xml(XMLLayout(records: paths)) }

    /// XML (1.0, fifth edition) in a layout.
    ///
    /// The encodings are those of a document that has no byte order mark; what it declares is the caller's to look at.
    public static func xml(_ layout: XMLLayout, encodings: [TextEncoding] = [.utf8]) -> Format {
        Format(name: "xml", dialect: layout, encodings: encodings)
    }
}
