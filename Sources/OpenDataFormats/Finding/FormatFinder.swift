public import OpenDataCore

/// Finds out how a payload is written that nobody has described.
public enum FormatFinder {
    /// The format of a payload, and what was taken for granted.
    ///
    /// The first bytes tell the kind, whatever the payload is called; all else is found by evidence over the whole of it.
    /// Throws ``OpenDataError/Code/unexpectedContent`` for a page, an archive or a document, ``OpenDataError/Code/noData``
    /// where there are no records, and ``OpenDataError/Code/badArgument`` where several answers are possible, with the
    /// candidates and the hint that settles it.
    /// - Parameter payload: One that can be read more than once.
    /// - Complexity: O(bytes), in memory that does not grow with them.
    public static func find(
        in payload: Payload, _ hints: FormatHints, invalid: TextSource.InvalidText = .refused
    ) throws(OpenDataError) -> FoundFormat {
        try find(in: payload, hints, invalid: invalid, windowSize: RecordReader.defaultWindowSize)
    }

    /// The same in windows of a size, on which the outcome must not depend.
    package static func find(
        in payload: Payload, _ hints: FormatHints, invalid: TextSource.InvalidText, windowSize: Int
    ) throws(OpenDataError) -> FoundFormat {
        let head = try payload.head(1 << 16)
        let kind = ContentKind(head: head)
        let asked = hints.format.flatMap { ["json": ContentKind.json, "xml": .xml][$0] }
        if let asked, kind != asked, kind != .blank {
            throw OpenDataError(
                .unexpectedContent, "\(asked.rawValue) was asked for and \(kind.rawValue) came: \(excerpt(head))")
        }
        switch kind {
        case .json where hints.format != "csv" && hints.format != "tsv":
            return try JSONFinder.find(in: payload, hints, nested: hints.nested, windowSize: windowSize)
        case .text, .json: return try CSVFinder.find(in: payload, hints, invalid: invalid, windowSize: windowSize)
        case .blank:
            let isObject = head.contains(UInt8(ascii: "{"))
            throw OpenDataError(
                isObject ? .noData : .emptyBody,
                isObject ? "the payload is an object of JSON without members" : "the payload is blank")
        case .xml: return try XMLFinder.find(in: payload, hints, windowSize: windowSize)
        case .html, .zip, .gzip, .pdf:
            throw OpenDataError(.unexpectedContent, "records were due and \(kind.rawValue) came: \(excerpt(head))")
        }
    }

    /// The first letters of a payload, as far as they can be shown.
    private static func excerpt(_ head: [UInt8]) -> String {
        let text = String(decoding: head.prefix(400), as: UTF8.self)
        let words = text.split { $0.isWhitespace || $0 == "\u{FFFD}" || $0.unicodeScalars.contains { $0.value < 32 } }
        return String(words.joined(separator: " ").prefix(80))
    }
}
