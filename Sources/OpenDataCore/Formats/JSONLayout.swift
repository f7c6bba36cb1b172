/// Where the records of a JSON document lie and how they are written.
///
/// A path is the names of members joined by dots, with the index of an element in brackets: `data`, `result.records`,
/// `tables[0].data`. `$` is the whole document, `$[0].data` a member of the first element of a document that is an
/// array. A path that ends in braces, `retVal{}` or `${}`, is an object whose members are the records.
public struct JSONLayout: FormatDialect {
    /// What stands at the path of the records.
    public enum Form: Sendable, Hashable {
        /// An array of records; for `$` also objects one after the other.
        case records
        /// An object that is itself the only record.
        case record
        /// An object whose members are columns: `{"date": […], "close": […]}`, arrays of the same length.
        ///
        /// Members that are no arrays are kept as what the document says beside its records. The object is read in one
        /// piece, which may have 16 MiB.
        case columns
    }

    /// What becomes of objects within a record.
    public enum Nested: Sendable, Hashable {
        /// Each is a cell, as a text of JSON.
        case json
        /// Their members are columns named by their path, `FareInfo.WorkingDay`.
        ///
        /// An object without members has none; arrays remain texts of JSON.
        case columns
    }

    /// The paths of the records, any of which may occur.
    public var records: [String]
    /// The member beside the records that names the columns of records written as arrays.
    public var fields: String?
    /// What stands at the path.
    public var form: Form
    /// Whether the first element of the records is a row that names the columns of the rows behind it.
    public var hasHeaderRow: Bool
    /// The column for the names of the members of an object of records, `retVal{}`; `nil` to drop them, where each
    /// record repeats its name.
    public var keyColumn: String?
    /// What becomes of objects within a record.
    public var nested: Nested
    /// A member of the records whose members become columns under their own names, such as the `properties` of GeoJSON.
    ///
    /// Where two columns would have one name, the second is `name_2`.
    public var lifted: String?
    /// The names of all columns, where they are known beforehand, in the order that the records are to have them.
    ///
    /// All batches then have these columns; a record without one of them has it absent, and a record with another key
    /// is an error. Members of nested objects are named by their path, those of ``lifted`` too. Of rows and single
    /// values, the names of the cells, which ``fields`` or a header row is then not asked for.
    public var columns: [String]?
    /// Whether names of rows' columns are made different from one another, by ``uniqueNames(_:)``.
    public var hasUniqueNames: Bool

    /// Whether this layout reads every document that another one reads, and alike: it has the same paths, or more.
    package func covers(_ other: JSONLayout) -> Bool {
        var other = other
        guard Set(other.records).isSubset(of: records) else { return false }
        other.records = records
        return other == self
    }

    /// Makes a layout: by default the document is the array of records.
    public init(
        records: [String] = ["$"], fields: String? = nil, form: Form = .records, hasHeaderRow: Bool = false,
        keyColumn: String? = "key", nested: Nested = .json, lifted: String? = nil, columns: [String]? = nil,
        hasUniqueNames: Bool = false
    ) {
        self.records = records
        self.fields = fields
        self.form = form
        self.hasHeaderRow = hasHeaderRow
        self.keyColumn = keyColumn
        self.nested = nested
        self.lifted = lifted
        self.columns = columns
        self.hasUniqueNames = hasUniqueNames
    }

    /// A table as the exchange writes it: names in `fields`, rows of cells in `data`.
    public static let table = JSONLayout(records: ["data"], fields: "fields")

    /// The names, of which those that stand again are numbered: `name`, `name_2`, `name_3`; blank ones are `column_5`.
    ///
    /// A number is passed over where a column is named so already. Names are the same if their UTF-8 is.
    public static func uniqueNames(_ names: [String]) -> [String] {
        let filled = names.enumerated().map { number, name in
            name.utf8.allSatisfy { $0 <= 0x20 } ? "column_\(number + 1)" : name
        }
        var taken = Set(filled.map { Array($0.utf8) })
        var seen: [[UInt8]: Int] = [:]
        return filled.map { name in
            let bytes = Array(name.utf8)
            guard var number = seen[bytes] else {
                seen[bytes] = 1
                return name
            }
            var unique = name
            repeat {
                number += 1
                unique = "\(name)_\(number)"
            } while !taken.insert(Array(unique.utf8)).inserted
            seen[bytes] = number
            return unique
        }
    }
}
