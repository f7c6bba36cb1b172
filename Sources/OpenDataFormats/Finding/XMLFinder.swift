public import OpenDataCore

/// Finds out where the records of an XML document lie.
///
/// The record is the element that occurs more than once within another, the outermost of those that do. It is
/// ambiguous, and an error that lists the candidates, if several such elements stand side by side, or if there are
/// elements within the record that could be records too. Of KML, the placemarks are the records.
public enum XMLFinder {
    /// Finds the layout of a payload, with all columns, over all of it.
    ///
    /// The payload is read twice and has to be repeatable. Memory is a few windows, whatever its size.
    ///
    /// Throws ``OpenDataError/Code/unexpectedContent`` for a page or anything else that is not XML,
    /// ``OpenDataError/Code/badArgument`` if the records are not told by the document or not where the hint says,
    /// ``OpenDataError/Code/noData`` for a document without any values, and whatever decoding the payload throws.
    /// - Parameter invalid: What becomes of bytes that are no letter; the text has to be opened for the same when it is
    ///   decoded.
    public static func find(
        in payload: Payload, _ hints: FormatHints = FormatHints(), invalid: TextSource.InvalidText = .refused
    ) throws(OpenDataError) -> FoundFormat {
        try find(in: payload, hints, invalid: invalid, windowSize: RecordReader.defaultWindowSize)
    }

    /// The same in windows of a size, on which the outcome must not depend.
    static func find(
        in payload: Payload, _ hints: FormatHints, invalid: TextSource.InvalidText, windowSize: Int
    ) throws(OpenDataError) -> FoundFormat {
        try payload.checkRepeatable()
        let head = try payload.head(1 << 14)
        let kind = ContentKind(head: head)
        guard kind == .xml || kind == .blank else {
            throw OpenDataError(
                .unexpectedContent, ContentKind.mismatch("XML was due", head))
        }
        let encoding = hints.encoding ?? XMLEncoding.declared(in: head) ?? .utf8
        var findings: [String] = []
        if hints.encoding == nil, encoding != .utf8 {
            findings.append("the encoding is \(encoding.rawValue), as the document says")
        }

        let survey = try XMLSurvey(payload, encoding, invalid, isTolerant: true, windowSize: windowSize)
        let placemarks = survey.placemarks
        if survey.looseEnd != nil, placemarks.isEmpty {
            // Read once more for the error, which says where.
            _ = try XMLSurvey(payload, encoding, invalid, isTolerant: false, windowSize: windowSize)
        }
        let records: [Int]
        if let hint = hints.records {
            records = try resolve(hint, survey)
        } else if !placemarks.isEmpty {
            records = placemarks.filter { placemark in !placemarks.contains { survey.isWithin(placemark, $0) } }
            findings.append("the placemarks of KML are taken for the records")
        } else {
            records = [try choose(survey, &findings)]
        }
        if !placemarks.isEmpty, !survey.roots.contains(where: { survey.elements[$0].name == "kml" }) {
            findings.append("the <kml> element around the document is missing")
        }
        if let looseEnd = survey.looseEnd { findings.append("the document is a part of one: it has \(looseEnd)") }

        var layout = XMLLayout(records: records.map(survey.path), isFragment: survey.looseEnd != nil)
        layout.includesSurroundings = !placemarks.isEmpty || records.contains(where: survey.isWithinRepeated)
        findings.append("records are at \(records.map(survey.told).joined(separator: " and "))")
        layout.columnNames =
            survey.hasNamedData(placemarks) ? "name" : survey.columnNames(of: records)
        if let attribute = layout.columnNames { findings.append("the attribute '\(attribute)' names the columns") }
        if layout.includesSurroundings {
            findings.append("the values of the elements around a record are columns of it too")
        }
        layout.columns = try columns(payload, encoding, layout, invalid, windowSize)
        return FoundFormat(.xml(layout, encodings: [encoding]), findings: findings)
    }

    /// All columns of the records, from decoding them.
    private static func columns(
        _ payload: Payload, _ encoding: TextEncoding, _ layout: XMLLayout, _ invalid: TextSource.InvalidText,
        _ windowSize: Int
    ) throws(OpenDataError) -> [String] {
        let text = try TextSource.open(payload, encodings: [encoding], invalid: invalid).source
        var reader = RecordReader(text, decoder: XMLRecordDecoder(layout), windowSize: windowSize)
        while try reader.next() != nil {}
        return reader.columns.names
    }

    // MARK: Choosing

    /// The elements that a hint names: paths or the ends of paths, several of them with commas between.
    private static func resolve(_ hint: String, _ survey: XMLSurvey) throws(OpenDataError) -> [Int] {
        var found: [Int] = []
        for part in hint.split(separator: ",") {
            let wanted = XMLRecordDecoder.names(of: String(part)).map { String(decoding: $0, as: UTF8.self) }
                .joined(separator: "/")
            let all = survey.elements.indices.dropFirst()
            var matches = all.filter { survey.path($0).utf8.elementsEqual(wanted.utf8) }
            if matches.isEmpty {
                matches = all.filter {
                    ("/" + survey.path($0)).utf8.reversed().starts(with: ("/" + wanted).utf8.reversed())
                }
            }
            guard !wanted.isEmpty, !matches.isEmpty else {
                throw OpenDataError(
                    .badArgument,
                    "there are no elements '\(part)'; --records takes a path such as "
                        + list(candidates(survey), survey))
            }
            found += matches.filter { !found.contains($0) }
        }
        guard !found.isEmpty else { throw OpenDataError(.badArgument, "--records names no elements") }
        return found
    }

    private static func candidates(_ survey: XMLSurvey) -> [Int] {
        let repeated = survey.outermostRepeated
        return repeated.isEmpty ? survey.holders : repeated.flatMap { [$0] + survey.grains(within: $0) }
    }

    /// The one element that is the record.
    private static func choose(_ survey: XMLSurvey, _ findings: inout [String]) throws(OpenDataError) -> Int {
        let repeated = survey.outermostRepeated
        var candidates = repeated.filter(survey.isGrain)
        if candidates.isEmpty { candidates = repeated }
        guard let most = candidates.map({ survey.elements[$0].count }).max() else {
            return try chooseSingle(survey, &findings)
        }
        // A few elements of another kind beside a great many are what describes these.
        let few = candidates.filter { survey.elements[$0].count * 20 <= most }
        candidates.removeAll(where: few.contains)
        let record = candidates[0]
        guard candidates.count == 1, survey.grains(within: record).isEmpty else {
            throw OpenDataError(
                .badArgument,
                "more than one kind of element could be the record: "
                    + list(repeated.filter(survey.isGrain).flatMap { [$0] + survey.grains(within: $0) }, survey)
                    + "; name one with --records")
        }
        if !few.isEmpty {
            findings.append("\(few.map(survey.told).joined(separator: " and ")) beside the records are left out")
        }
        return record
    }

    /// The record of a document in which nothing repeats: the innermost of elements that each hold but the next.
    private static func chooseSingle(_ survey: XMLSurvey, _ findings: inout [String]) throws(OpenDataError) -> Int {
        guard let root = survey.roots.first else { throw OpenDataError(.noData, "the document has no elements") }
        let values = survey.elements.indices.filter { survey.elements[$0].hasText || survey.elements[$0].hasAttributes }
        guard !values.isEmpty else {
            throw OpenDataError(
                .noData, "the document has no values: nothing is within <\(survey.elements[root].name)>")
        }
        var element = root
        while survey.elements[element].children.count == 1, !survey.elements[element].hasText,
            let child = survey.elements[element].children.first, !survey.isLeaf(child)
        {
            element = child
        }
        let children = survey.elements[element].children
        guard element != root, children.count > 1, children.allSatisfy(survey.isLeaf) else {
            let holders = survey.holders.isEmpty ? "" : ": \(list(survey.holders, survey))"
            throw OpenDataError(
                .badArgument,
                "no element occurs more than once, so that nothing tells which is the record\(holders); "
                    + "name one with --records")
        }
        findings.append("no element occurs more than once: the document is taken for one with a single record")
        return element
    }

    private static func list(_ elements: [Int], _ survey: XMLSurvey) -> String {
        let shown = elements.prefix(20).map(survey.told).joined(separator: ", ")
        return elements.count > 20 ? "\(shown) and \(elements.count - 20) more" : shown
    }
}
