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
