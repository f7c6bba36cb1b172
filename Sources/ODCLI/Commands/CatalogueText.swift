import OpenDataCore

/// What a portal says of a data set, as a person or a program reads it.
struct CatalogueText: Sendable {
    let entry: CatalogueEntry

    /// As text.
    var text: String {
        let licence = [entry.licence.id, entry.licence.title, entry.licence.url].compactMap { $0 }
        let facts = [
            ("title", entry.title), ("publisher", entry.publisher), ("licence", licence.joined(separator: ", ")),
            ("page", entry.page), ("cadence", entry.cadence.rawValue), ("modified", entry.modified ?? "-"),
        ]
        var sections = [([entry.id] + Help.rows(facts, width: 12).map { "  " + $0 }).joined(separator: "\n")]
        let summary = entry.summary.split(whereSeparator: \.isNewline).map { String($0) }
        if !summary.isEmpty { sections.append(Help.section("Description", summary)) }
        let rows = entry.resources.map { resource in
            [
                String(resource.number), resource.format, resource.encoding, resource.title,
                resource.fields.joined(separator: ", "), PercentEncodedURL.redacted(resource.url),
            ]
        }
        sections.append(
            Help.section(
                "Resources",
                rows.isEmpty
                    ? ["none"]
                    : TextTable.lines([["NUMBER", "FORMAT", "ENCODING", "TITLE", "COLUMNS", "ADDRESS"]] + rows)))
        let choice = entry.resources.count > 1 ? " --resource 1" : ""
        sections.append(Help.section("Example", ["odctl fetch \(entry.id)\(choice)"]))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// As JSON.
    var json: JSONText {
        .object([
            ("id", .string(entry.id)), ("title", .string(entry.title)), ("publisher", .string(entry.publisher)),
            ("licence", .string(entry.licence.id)), ("page", .string(entry.page)),
            ("cadence", .string(entry.cadence.rawValue)), ("modified", .optional(entry.modified)),
            ("summary", .string(entry.summary)),
            (
                "resources",
                .array(
                    entry.resources.map { resource in
                        .object([
                            ("number", .integer(resource.number)), ("title", .string(resource.title)),
                            ("format", .string(resource.format)), ("encoding", .string(resource.encoding)),
                            ("url", .string(PercentEncodedURL.redacted(resource.url))),
                            ("fields", .strings(resource.fields)),
                        ])
                    })
            ),
        ])
    }

    /// An address as it may be shown.
    private enum PercentEncodedURL {
        static func redacted(_ url: String) -> String { (try? Request(url))?.redactedURL ?? url }
    }
}
