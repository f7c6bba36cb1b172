public import OpenDataCore

/// Finds where the records of a JSON document lie, and how they are written, by a look at all of it.
///
/// What is taken without a word to it: an array of objects, and objects one after the other. What is taken and told:
///
/// * the one array of objects in an object;
/// * the one array of rows beside an array of as many names, or with the names as its first row;
/// * the one object whose members are all objects with keys in common, as `{"0001": {…}, "0002": {…}}`;
/// * the arrays of the same length that are all an object has, each a column;
/// * the features of GeoJSON, with their properties as columns;
/// * an object without any of these, as the only record.
///
/// An array in a record is no candidate; nor is one that only describes the columns of another, by their names or their
/// spans, nor the totals beside a table. Of several, the one is taken whose columns another describes, or whose number
/// of records the document states.
public enum JSONFinder {
    /// Finds the layout of a payload.
    ///
    /// `hints.records` names a path, in the words of ``JSONLayout``: `$`, `data.park`, `tables[0].data`, `retVal{}`.
    /// What names the columns is found beside it. `hints.headerRows` says of rows without names whether the first row
    /// has them.
    ///
    /// Memory: one window of the text, the names of columns, and a few cells of each array; a record may have 16 MiB.
    ///
    /// The payload has to be repeatable: see ``OpenDataCore/Payload/repeatable()``.
    ///
    /// Throws ``OpenDataError/Code/noData`` for a document without records, with what it says instead;
    /// ``OpenDataError/Code/badArgument`` where there are several candidates or none, or none at the path of the hints;
    /// ``OpenDataError/Code/unexpectedContent`` for a document that is a single value; what the decoder throws for a
    /// broken one.
    /// - Parameters:
    ///   - nested: What is to become of objects within a record.
    ///   - invalid: What becomes of bytes that are no letter; the text has to be opened for the same when it is
    ///     decoded.
    /// - Complexity: one pass over the payload; for GeoJSON and where objects within a record become columns, two.
    public static func find(
        in payload: Payload, _ hints: FormatHints, nested: JSONLayout.Nested = .json,
        invalid: TextSource.InvalidText = .refused
    ) throws(OpenDataError) -> FoundFormat {
        try find(
            in: payload, hints, nested: nested, invalid: invalid, windowSize: RecordReader.defaultWindowSize)
    }

    /// The same in windows of a size, on which the outcome must not depend.
    static func find(
        in payload: Payload, _ hints: FormatHints, nested: JSONLayout.Nested,
        invalid: TextSource.InvalidText = .refused, windowSize: Int
    ) throws(OpenDataError) -> FoundFormat {
        try payload.checkRepeatable()
        let encodings = try encodings(of: payload, hints)
        var source = try TextSource.open(payload, encodings: encodings, invalid: invalid).source
        var survey = JSONFinderSurvey(wanted: hints.records, windowSize: windowSize)
        try survey.read(&source)
        var choice = JSONFinderChoice(survey, hints)
        try choice.choose()
        choice.layout.nested = nested
        if nested == .columns || choice.layout.lifted != nil {
            choice.layout.columns = try columns(
                of: payload, encodings, choice.layout, invalid, windowSize: windowSize)
        }
        var format = Format.json(choice.layout)
        format.encodings = encodings
        return FoundFormat(format, findings: choice.findings)
    }

    /// The encoding that was asked for, or one of those that the first bytes of JSON, which are ASCII, tell apart.
    private static func encodings(of payload: Payload, _ hints: FormatHints) throws(OpenDataError) -> [TextEncoding] {
        if let encoding = hints.encoding { return [encoding] }
        let head = try payload.head(2)
        if head.count == 2, head[0] != 0, head[1] == 0 { return [TextEncoding(rawValue: "utf-16le")] }
        if head.count == 2, head[0] == 0, head[1] != 0 { return [TextEncoding(rawValue: "utf-16be")] }
        return [.utf8]
    }

    /// All columns of the records, those of a lifted member in front.
    private static func columns(
        of payload: Payload, _ encodings: [TextEncoding], _ layout: JSONLayout, _ invalid: TextSource.InvalidText,
        windowSize: Int
    ) throws(OpenDataError) -> [String]? {
        var layout = layout
        layout.columns = nil
        let source = try TextSource.open(payload, encodings: encodings, invalid: invalid).source
        var reader = RecordReader(source, decoder: JSONRecordDecoder(layout), windowSize: windowSize)
        while try reader.next() != nil {}
        guard let names = (reader.decoder as? JSONRecordDecoder)?.keys.paths, !names.isEmpty else { return nil }
        guard let lifted = layout.lifted else { return names }
        let isLifted = { (name: String) in name.utf8.starts(with: "\(lifted).".utf8) }
        return names.filter(isLifted) + names.filter { !isLifted($0) }
    }
}
