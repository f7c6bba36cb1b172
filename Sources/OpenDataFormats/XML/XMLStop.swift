/// Why the reading of XML ended before what was read did.
enum XMLStop: Error {
    /// The window ends first.
    case needsMore
    /// A byte stands where it cannot.
    case unexpected(at: Int, wanted: String)
    /// A rule is broken, which the sentence tells.
    case broken(at: Int, String)
    /// Elements are nested too deep.
    case tooDeep(at: Int)
    /// There is more of something than is dealt with.
    case tooMany(at: Int, String)
    /// The record has a column that the records before it in the batch do not have.
    case newColumn
}
