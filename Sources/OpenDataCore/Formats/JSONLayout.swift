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
