/// The dialect of a delimited text, in the words of the Frictionless CSV Dialect where it has some.
///
/// From top to bottom, a text has title records, header records, the table, and notes. Lines without a byte are no
/// records anywhere and count nowhere. Names of columns are trimmed, and a line break in one is made a space.
public struct CSVDialect: FormatDialect {
    /// What separates cells: an ASCII character.
    public var delimiter: UInt8
    /// The number of records that are not blank before the header, such as a title.
    public var titleRows: Int
    /// The number of header records, 0 to 2.
    ///
    /// Without one, the columns are called `column_1`, `column_2` and so on. Of two, which say the same in two
    /// languages, ``namesRow`` gives the names.
    public var headerRows = 1
    /// The header record that gives the names, from 1; the other is kept beside the records.
    public var namesRow = 1
    /// The number of columns, or `nil` for as many as the header has, less those without a name at its end.
    ///
    /// Columns that the header has no name for are called `column_3` after their place. What a record has beyond the
    /// columns must be empty, as behind a delimiter that ends every record.
    public var columnCount: Int?
    /// Whether columns without a name are called `column_3` after their place, and the second of one name `name_2`.
    ///
    /// Otherwise names are as published: a schema that asks for a name that stands twice is then told so.
    public var distinctNames = false
    /// How many cells a record may lack at its end, which are then null.
    ///
    /// A record that lacks more is rejected.
    public var missingCells = 0
    /// Whether a record whose cells are all blank is passed over, as a blank line is, above the table and in it.
    ///
    /// In a table of one column a blank cell is a record all the same.
    public var skipsEmptyRecords = false
    /// Whether a cell that spreadsheets read as a formula of a text, `="0050"`, stays as published.
    ///
    /// Otherwise it is the text, `0050`.
    public var keepsTextFormulas = false
    /// The beginnings of a first cell that end the table: the rest of the payload is notes.
    public var footnotes: [String]
    /// The number of records in the table, rejected ones included: the rest of the payload is notes.
    ///
    /// `nil`: all there are.
    public var recordCount: Int?

    /// Makes a dialect: a comma, the header first, no notes.
    public init(delimiter: Character = ",", titleRows: Int = 0, footnotes: [String] = []) {
        guard let byte = delimiter.asciiValue else { preconditionFailure("a delimiter is an ASCII character") }
        self.delimiter = byte
        self.titleRows = titleRows
        self.footnotes = footnotes
    }
}
