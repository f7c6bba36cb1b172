import OpenData
import OpenDataCore

/// What a person is told of a fetch: rejected records, notices, counts.
struct FetchReport: Sendable {
    /// Takes the rejected records as they come.
    let onReject: @Sendable (Reject) -> Void

    private let file: RejectsFile?
    private let order: FetchOrder
    private let console: Console
    private let rejects: AsyncStream<Reject>
    private let end: @Sendable () -> Void

    /// How many rejected records are told in full.
    private static let shownRejects = 5

    /// Makes a report.
    ///
    /// Throws ``OpenDataError/Code/unwritable`` if the file of `--rejects` cannot be written.
    init(_ order: FetchOrder, _ console: Console) throws(OpenDataError) {
        let file: RejectsFile? = if let path = order.parsed[.rejects] { try RejectsFile(path) } else { nil }
        self.file = file
        self.order = order
        self.console = console
        let (stream, continuation) = AsyncStream.makeStream(
            of: Reject.self, bufferingPolicy: .bufferingOldest(FetchReport.shownRejects))
        rejects = stream
        onReject = { reject in
            continuation.yield(reject)
            file?.append(reject)
        }
        end = { continuation.finish() }
    }

    /// Runs the work and tells what came of it.
    ///
    /// Throws what the work throws, the address being that of a saved payload if there is one, and
    /// ``OpenDataError/Code/rejected`` if more records were rejected than allowed.
    func telling(
        of work: () async throws(OpenDataError) -> FetchSummary
    ) async throws(OpenDataError) {
        let summary: FetchSummary
        do throws(OpenDataError) {
            summary = try await work()
        } catch {
            await tellRejects(nil)
            // All records have been read, and too many of them do not fit: what those are is what is wanted now.
            if error.code == .rejected, order.rejectPolicy != .fail { try file?.commit() }
            throw order.placed(error)
        }
        try file?.commit()
        let isRefused = summary.rejected > order.allowedRejects
        if isRefused || !order.isQuiet { await tellRejects(summary.rejected + summary.nulled) }
        if !order.isQuiet { tellNotices(summary) }
        guard isRefused else { return }
        throw OpenDataError(
            .rejected, "\(summary.rejected) of \(summary.read) records do not fit the schema and were left out",
            dataset: order.source.dataset.id)
    }

    private func tellRejects(_ count: Int?) async {
        end()
        var shown = 0
        for await reject in rejects {
            shown += 1
            let field = reject.field.map { ", field \($0)" } ?? ""
            let what = reject.isKept ? "set to null" : "rejected"
            console.tell("\(what): line \(reject.origin.line)\(field), '\(reject.raw.prefix(200))': \(reject.message)")
        }
        if let count, count > shown { console.tell("and \(count - shown) more; --rejects FILE has all of them") }
    }

    /// Which field an unknown column is likely to belong to, under a new name, if one has no column.
    private func likelyField(of column: String, _ summary: FetchSummary) -> String {
        let fields = order.source.dataset.schema.fields.filter { summary.missingFields.contains($0.name) }
        let names = fields.flatMap { field in field.sourceNames.map { (field.name, $0) } }
        guard let near = Spelling.nearest(to: column, in: names.map(\.1)),
            let field = names.first(where: { $0.1 == near })?.0
        else { return "" }
        return " (perhaps now '\(near)', which the field \(field) is read from and which is missing)"
    }

    private func tellNotices(_ summary: FetchSummary) {
        for finding in summary.findings { console.tell("odctl: \(finding)") }
        if !summary.unknownColumns.isEmpty {
            let columns = summary.unknownColumns.map { $0 + likelyField(of: $0, summary) }
            console.tell("odctl: columns not in the schema: \(columns.joined(separator: ", "))")
        }
        if let minimum = summary.minimumRecords {
            console.tell(
                "odctl: only \(summary.read) records came and \(minimum) at least were due:"
                    + " the publisher may have sent a part")
        }
        if summary.droppedMarks > 0 {
            let fields = order.source.dataset.schema.fields.filter { !$0.marks.isEmpty }.map(\.name)
            let marks = summary.droppedMarks == 1 ? "1 mark" : "\(summary.droppedMarks) marks"
            console.tell("odctl: \(marks) in \(fields.joined(separator: " and ")); --marks shows them")
        }
        // Of a payload that nobody has described, it is among the findings.
        let isFound = order.source is UndescribedSource
        if let encoding = summary.encoding, encoding != .utf8, !isFound {
            console.tell("odctl: the payload's text was \(encoding.rawValue)")
        }
        console.tell(
            "\(order.source.dataset.id): read \(summary.read), written \(summary.written), rejected \(summary.rejected)"
                + (summary.nulled > 0 ? ", cells set to null \(summary.nulled)" : "")
                + (summary.leftOut > 0 ? ", left out \(summary.leftOut)" : ""))
    }
}
