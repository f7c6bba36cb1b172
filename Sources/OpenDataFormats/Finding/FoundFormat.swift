public import OpenDataCore

/// The format of a payload that nobody has described, found by evidence over all of it, and what was taken for granted.
public struct FoundFormat: Sendable {
    /// The format to decode the payload in.
    public var format: Format
    /// What was found that a reader should know of, a short sentence each: `line 1 is taken for a title`.
    ///
    /// Empty where there is nothing but one way to read the payload.
    public var findings: [String]

    /// Makes a finding.
    public init(_ format: Format, findings: [String] = []) {
        self.format = format
        self.findings = findings
    }
}
