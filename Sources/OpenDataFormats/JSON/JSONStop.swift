/// Why a scan ended before what it scanned did.
enum JSONStop: Error {
    /// The window ends first.
    case needsMore
    /// A byte stands where it cannot.
    case unexpected(at: Int, wanted: JSONExpectation)
    /// An object or array is nested too deep.
    case tooDeep(at: Int)
    /// A value is longer than a cell may be.
    case tooLong(at: Int)
    /// The records have more different keys than a table may have columns.
    case tooManyColumns(at: Int)
    /// The record has a key, at an index, that the records before it in the batch do not have as a column.
    case newColumn(at: Int)
    /// Two columns, written as arrays, have different numbers of values, or one stands twice.
    case uneven(String)
    /// The document is sound, but its records are not where or what they should be.
    case schema(JSONSchemaProblem)
}

/// What should have stood in the place of an unexpected byte.
enum JSONExpectation: String {
    case value = "a value"
    case key = "a key in double quotes"
    case colon = "':' after the key"
    case commaOrBracket = "',' or ']'"
    case commaOrBrace = "',' or '}'"
    case digit = "a digit"
    case literal = "true, false or null"
    case hexadecimal = "a hexadecimal digit"
    case escape = "one of \"\\/bfnrtu after the backslash"
    case letter = "a letter, an escape or the closing quote of the string"
    case lowSurrogate = "the \\u escape of a low surrogate (DC00 to DFFF) after that of a high one"
    case codePoint = "a code point that is not half of a surrogate pair"
    case end = "the end of the document"
}

/// Why a sound document gives no records.
enum JSONSchemaProblem {
    /// The document as a whole is a value that neither is records nor can hold them.
    case document
    /// Records are written as arrays and no member names their columns.
    case noFields
    /// A second path holds records too.
    case secondTable
}
