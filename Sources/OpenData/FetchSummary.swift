public import OpenDataCore

/// What a fetch has read so far.
public struct FetchSummary: Sendable, Hashable {
    /// Records read from the payloads: `written + rejected + leftOut`, always.
    public var read = 0
    /// Records handed on.
    public var written = 0
    /// Records that did not fit.
    public var rejected = 0
    /// Cells of records handed on that did not fit and have become null.
    public var nulled = 0
    /// Records that the caller has not asked for: see ``RecordFilter``.
    public var leftOut = 0
    /// Payloads opened.
    public var pages = 0
    /// Columns that the payloads have and the schema does not.
    public var unknownColumns: [String] = []
    /// Fields whose columns the last payload does not have, and need not have.
    public var missingFields: [String] = []
    /// The fewest records that were due, where fewer came: the publisher may have sent a part.
    public var minimumRecords: Int?
    /// Marks that were taken off and not handed on.
    public var droppedMarks = 0
    /// The name of the format of the last payload.
    public var format: String?
    /// The text encoding of the last payload.
    public var encoding: TextEncoding?

    /// What was found out about payloads that nobody has described, a sentence each.
    public var findings: [String] = []

    /// Where the payloads come from, in the order in which they were read to their ends.
    ///
    /// Those that the client's transport keeps no record of are missing, such as saved ones.
    public var provenance: [Provenance] = []

    /// Adds the sentences that are not yet there.
    mutating func add(findings sentences: [String]) {
        findings += sentences.filter { !findings.contains($0) }
    }

    /// Adds the names that are not yet there.
    mutating func add(unknownColumns names: [String]) {
        guard names != unknownColumns else { return }
        let known = Set(unknownColumns)
        unknownColumns += names.filter { !known.contains($0) }
    }
}
