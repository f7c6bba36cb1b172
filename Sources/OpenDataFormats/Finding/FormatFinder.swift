public import OpenDataCore

/// Finds out how a payload is written that nobody has described.
public enum FormatFinder {
    /// The format of a payload, and what was taken for granted.
    ///
    /// The first bytes tell the kind, whatever the payload is called; all else is found by evidence over the whole of
    /// it. Throws ``OpenDataError/Code/unexpectedContent`` for a page, an archive or a document,
    /// ``OpenDataError/Code/noData`` where there are no records, and ``OpenDataError/Code/badArgument`` where several
    /// answers are possible, with the candidates and the hint that settles it, and for a hint that does not go with the
    /// kind.
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
                .unexpectedContent, ContentKind.mismatch("\(asked.rawValue) was asked for", head))
        }
        switch kind {
        case .json where hints.format != "csv" && hints.format != "tsv":
            try check(hints, kind)
            return try JSONFinder.find(
                in: payload, hints, nested: hints.nested, invalid: invalid, windowSize: windowSize)
        case .text, .json:
            try check(hints, .text)
            return try CSVFinder.find(in: payload, hints, invalid: invalid, windowSize: windowSize)
        case .blank:
            let isObject = head.contains(UInt8(ascii: "{"))
            throw OpenDataError(
                isObject ? .noData : .emptyBody,
                isObject ? "the payload is an object of JSON without members" : "the payload is blank")
        case .xml:
            try check(hints, kind)
            return try XMLFinder.find(in: payload, hints, invalid: invalid, windowSize: windowSize)
        case .html, .zip, .gzip, .pdf, .office, .image:
            throw OpenDataError(.unexpectedContent, ContentKind.mismatch("records were due", head))
        }
    }

    /// Throws ``OpenDataError/Code/badArgument`` for a hint that says nothing of payloads of the kind, rather than
    /// passing over it.
    private static func check(_ hints: FormatHints, _ kind: ContentKind) throws(OpenDataError) {
        let isText = kind == .text
        let given = [
            ("--records", isText && hints.records != nil),
            ("--nested columns", kind != .json && hints.nested == .columns),
            ("--delimiter", !isText && hints.delimiter != nil), ("--title-rows", !isText && hints.titleRows != nil),
            ("--header-rows", kind == .xml && hints.headerRows != nil),
        ]
        guard let flag = given.first(where: \.1)?.0 else { return }
        throw OpenDataError(
            .badArgument, "\(flag) says nothing of \(isText ? "delimited text" : kind.rawValue), which the payload is")
    }
}
