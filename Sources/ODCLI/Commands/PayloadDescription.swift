import OpenData
import OpenDataCore

/// What is found out about a payload that nobody has described.
struct PayloadDescription: Sendable {
    private let name: String
    private let summary: FetchSummary
    private let columns: [String]

    /// Reads the payload to its end.
    ///
    /// Throws what fetching it throws.
    init(_ order: FetchOrder, _ context: Context) async throws(OpenDataError) {
        name = order.source.dataset.id
        var columns: [String] = []
        do throws(OpenDataError) {
            var iterator = try order.batches(context).makeAsyncIterator()
            while let batch = try await iterator.next() { columns = batch.columns.names }
            summary = iterator.summary
        } catch {
            throw order.placed(error)
        }
        self.columns = columns
    }

    /// As text.
    var text: String {
        let facts = [
            ("format", summary.format ?? "-"), ("encoding", summary.encoding?.rawValue ?? "-"),
            ("records", String(summary.read)), ("rejected", String(summary.rejected)),
        ]
        var sections = [([name] + Help.rows(facts, width: 12).map { "  " + $0 }).joined(separator: "\n")]
        if !summary.findings.isEmpty { sections.append(Help.section("Found", summary.findings)) }
        sections.append(Help.section("Columns", columns))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// As JSON.
    var json: JSONText {
        .object([
            ("source", .string(name)), ("format", .optional(summary.format)),
            ("encoding", .optional(summary.encoding?.rawValue)), ("records", .integer(summary.read)),
            ("rejected", .integer(summary.rejected)), ("columns", .strings(columns)),
            ("findings", .strings(summary.findings)),
        ])
    }
}
