extension Provenance {
    /// The record as a JSON object, indented, with a line break at the end.
    public var json: String { document.document }

    /// The record as a JSON value.
    package var document: JSONText {
        let counts: JSONText =
            records.map {
                .object([
                    ("read", .integer($0.read)), ("written", .integer($0.written)), ("rejected", .integer($0.rejected)),
                ])
            } ?? .null
        return .object([
            ("dataset", .optional(dataset)), ("connectorVersion", .optional(connectorVersion)), ("url", .string(url)),
            ("mirror", .optional(mirror)), ("finalURL", .string(finalURL)), ("status", .integer(status)),
            ("headers", .object(headers.map { ($0.name, .string($0.value)) })),
            ("requested", .string(requested.description)), ("fetched", .string(fetched.description)),
            ("revalidated", .optional(revalidated?.description)), ("bytes", .integer(bytes)),
            ("sha256", .string(sha256)), ("snapshot", .optional(snapshot)), ("origin", .string(origin.rawValue)),
            ("dataDate", .optional(dataDate?.description)), ("format", .optional(format)),
            ("encoding", .optional(encoding?.rawValue)), ("records", counts),
        ])
    }

    /// Reads a record that was written as ``json``; `nil` for anything else.
    public init?(json: String) {
        guard let document = JSONText(parsing: json) else { return nil }
        self.init(document)
    }

    package init?(_ document: JSONText) {
        guard let url = document["url"]?.text, let finalURL = document["finalURL"]?.text,
            let status = document["status"]?.number, let bytes = document["bytes"]?.number, bytes >= 0,
            let sha256 = document["sha256"]?.text, sha256.utf8.count == 64,
            let requested = Provenance.time(document["requested"]), let fetched = Provenance.time(document["fetched"])
        else { return nil }
        let headers = (document["headers"]?.members ?? []).compactMap { name, value in
            value.text.map { Response.HeaderField(name, $0) }
        }
        self.init(
            dataset: document["dataset"]?.text, connectorVersion: document["connectorVersion"]?.text, url: url,
            mirror: document["mirror"]?.text, response: Response(status: status, headers: headers, url: finalURL),
            requested: requested, fetched: fetched, bytes: bytes, sha256: sha256,
            snapshot: document["snapshot"]?.text,
            origin: document["origin"]?.text.flatMap(Origin.init) ?? .downloaded)
        revalidated = Provenance.time(document["revalidated"])
        dataDate = document["dataDate"]?.text.flatMap { CalendarDate(parsing: $0) }
        format = document["format"]?.text
        encoding = document["encoding"]?.text.map(TextEncoding.init)
        if let counts = document["records"], let read = counts["read"]?.number,
            let written = counts["written"]?.number, let rejected = counts["rejected"]?.number
        {
            records = RecordCounts(read: read, written: written, rejected: rejected)
        }
    }

    private static func time(_ value: JSONText?) -> DateTime? {
        value?.text.flatMap { DateTime(parsing: $0, zone: .utc) }
    }
}
