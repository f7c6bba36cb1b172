public import OpenDataCore

/// Finds the dialect of delimited text that nobody has described, by evidence over all of it.
///
/// Evidence is what all records have in common: the text is split at each delimiter that may be one, quotes respected,
/// and the one under which the records are equally wide, with the fewest assumptions, is the delimiter. What stands
/// above and below such records are titles and notes.
public enum CSVFinder {
    /// The delimiters that are looked for.
    private static let delimiters = [",", "\t", ";", "|"].flatMap { (text: String) in Array(text.utf8) }

    /// So much of the text settles which delimiters are worth a look at all of it.
    private static let headSize = 1 << 20
    /// So many of the first records are looked at in full.
    private static let headRecords = 200

    /// Finds the format.
    ///
    /// Throws ``OpenDataError/Code/unexpectedContent`` for what is no table, or may be two, with the flags that settle
    /// it; ``OpenDataError/Code/noData`` for a header alone; ``OpenDataError/Code/emptyBody`` for nothing;
    /// ``OpenDataError/Code/invalidText`` for text in no encoding that is tried; ``OpenDataError/Code/malformed`` for a
    /// quote that is never closed; ``OpenDataError/Code/badArgument`` for hints that do not fit, and for a payload that
    /// can be read only once.
    /// - Complexity: one pass over the payload where it is UTF-8 and its first mebibyte leaves one delimiter; memory
    ///   does not grow with it.
    ///
    /// - Parameter invalid: What becomes of bytes that are no letter; the text has to be opened for the same when it is
    ///   decoded.
    public static func find(
        in payload: Payload, _ hints: FormatHints, invalid: TextSource.InvalidText = .refused
    ) throws(OpenDataError) -> FoundFormat {
        try find(in: payload, hints, invalid: invalid, windowSize: RecordReader.defaultWindowSize)
    }

    /// The same in windows of a size, on which the outcome must not depend.
    static func find(
        in payload: Payload, _ hints: FormatHints, invalid: TextSource.InvalidText, windowSize: Int
    ) throws(OpenDataError) -> FoundFormat {
        try payload.checkRepeatable()
        if let encoding = hints.encoding { return try find(in: payload, hints, encoding, invalid, windowSize) }
        if let (encoding, _) = TextSource.byteOrderMark(try payload.head(4)) {
            return try find(in: payload, hints, encoding, invalid, windowSize)
        }
        do {
            return try find(in: payload, hints, .utf8, .refused, windowSize)
        } catch {
            guard error.code == .invalidText else { throw error }
        }
        let encoding: TextEncoding
        do {
            encoding = try EncodingFinder.find(in: payload).encoding
        } catch {
            guard error.code == .invalidText, invalid == .replaced else { throw error }
            encoding = try TextSource.open(payload, encodings: TextEncoding.undescribed, invalid: invalid).encoding
        }
        return try find(in: payload, hints, encoding, invalid, windowSize)
    }

    private static func find(
        in payload: Payload, _ hints: FormatHints, _ encoding: TextEncoding, _ invalid: TextSource.InvalidText,
        _ windowSize: Int
    ) throws(OpenDataError) -> FoundFormat {
        var text = try TextSource.open(payload, encodings: [encoding], invalid: invalid)
        var source = text.source
        var head: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd, head.count < headSize {
            isAtEnd = try source.read(headSize - head.count, into: &head) == 0
        }
        try check(head)
        let headRoom = headRecords + max(hints.titleRows ?? 0, 0)
        var candidates = hints.delimiter.map { [$0] } ?? delimiters.filter { head.contains($0) }
        if hints.format == "tsv", hints.delimiter == nil { candidates = [UInt8(ascii: "\t")] }
        if candidates.isEmpty { candidates = [UInt8(ascii: ",")] }
        var layouts: [Result<CSVLayout, OpenDataError>] = []
        for delimiter in candidates {
            layouts.append(
                Result { () throws(OpenDataError) in
                    var shapes = CSVShapes(delimiter: delimiter, headRoom: headRoom)
                    if isAtEnd {
                        try shapes.read(ByteArraySource(head), window: windowSize)
                    } else {
                        _ = shapes.take(head, isLast: false)
                    }
                    return try CSVLayout(shapes, hints)
                })
        }
        if !isAtEnd {
            // The rest of the text settles it: for the best so far, and for all where that does not hold.
            let best = (try? best(of: layouts))?.dialect.delimiter
            var isSettled = false
            for delimiter in ([best].compactMap { $0 } + candidates.filter { $0 != best }) where !isSettled {
                var shapes = CSVShapes(delimiter: delimiter, headRoom: headRoom)
                text = try TextSource.open(payload, encodings: [encoding], invalid: invalid)
                try shapes.read(text.source, window: windowSize)
                let layout = Result { () throws(OpenDataError) in try CSVLayout(shapes, hints) }
                if let index = candidates.firstIndex(of: delimiter) { layouts[index] = layout }
                if delimiter == best, case .success = layout {
                    isSettled = true
                    layouts = [layout]
                }
            }
        }
        let layout = try best(of: layouts)
        // What is noticed in the text, such as letters replaced, is told once it is decoded: see `TextTally`.
        var findings = hints.encoding == text.encoding ? [] : EncodingFinder.found(text.encoding).findings
        if layout.dialect.delimiter != UInt8(ascii: ","), hints.delimiter == nil, hints.format != "tsv" {
            findings.append("cells are separated by \(CSVLayout.name(ofDelimiter: layout.dialect.delimiter))s")
        }
        return FoundFormat(.csv(layout.dialect, encodings: [text.encoding]), findings: findings + layout.findings)
    }

    /// The layout that assumes the least; of those that assume as much, the one with the most columns.
    private static func best(of layouts: [Result<CSVLayout, OpenDataError>]) throws(OpenDataError) -> CSVLayout {
        let found = layouts.compactMap { try? $0.get() }
        let ranked = found.sorted { ($0.cost, -$0.columns) < ($1.cost, -$1.columns) }
        guard let best = ranked.first else { throw failure(of: layouts) }
        let rivals = ranked.filter { $0.cost == best.cost && $0.columns == best.columns }
        if rivals.count > 1 {
            let names = rivals.map { CSVLayout.name(ofDelimiter: $0.dialect.delimiter) }
            throw OpenDataError(
                .unexpectedContent,
                "cells may be separated by \(names.joined(separator: "s or "))s: \(best.columns) columns each; "
                    + "--delimiter says which")
        }
        return best
    }

    /// What to say where no delimiter makes a table: of the errors, the one that explains most.
    private static func failure(of layouts: [Result<CSVLayout, OpenDataError>]) -> OpenDataError {
        let errors = layouts.compactMap { result -> OpenDataError? in
            if case .failure(let error) = result { error } else { nil }
        }
        let order: [OpenDataError.Code] = [
            .badArgument, .noData, .unexpectedContent, .malformed, .tooLarge, .emptyBody,
        ]
        return order.lazy.compactMap { code in errors.first { $0.code == code } }.first
            ?? errors.first ?? OpenDataError(.emptyBody, "there is no record")
    }

    /// Refuses what is no text of that kind by its first bytes.
    private static func check(_ head: [UInt8]) throws(OpenDataError) {
        let kind = ContentKind(head: head)
        switch kind {
        case .blank: throw OpenDataError(.emptyBody, "the payload is blank")
        case .html, .zip, .gzip, .pdf, .office, .image:
            throw OpenDataError(.unexpectedContent, ContentKind.mismatch("delimited text was due", head))
        case .json, .xml, .text: break
        }
    }
}
