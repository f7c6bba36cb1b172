import OpenData
import OpenDataCore

/// What a person is told of a fetch: rejected records, notices, counts.
struct FetchReport: Sendable {
    /// Takes the rejected records as they come.
    let onReject: @Sendable (Reject) -> Void

    private let order: FetchOrder
    private let console: Console
    private let rejects: AsyncStream<Reject>
    private let end: @Sendable () -> Void

    /// How many rejected records are told in full.
    private static let shownRejects = 5

    init(_ order: FetchOrder, _ console: Console) {
        self.order = order
        self.console = console
        let (stream, continuation) = AsyncStream.makeStream(
            of: Reject.self, bufferingPolicy: .bufferingOldest(FetchReport.shownRejects))
        rejects = stream
        onReject = { continuation.yield($0) }
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
            var error = error
            if error.url == "file:///" { error.url = order.origin.map { "file:\($0)" } }
            throw error
        }
        let isRefused = summary.rejected > order.allowedRejects
        if isRefused || !order.isQuiet { await tellRejects(summary.rejected) }
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
            console.tell("rejected: line \(reject.origin.line)\(field), '\(reject.raw)': \(reject.message)")
        }
        if let count, count > shown { console.tell("rejected: and \(count - shown) more") }
    }

    private func tellNotices(_ summary: FetchSummary) {
        if !summary.unknownColumns.isEmpty {
            console.tell("odctl: columns not in the schema: \(summary.unknownColumns.joined(separator: ", "))")
        }
        if summary.droppedMarks > 0 {
            let fields = order.source.dataset.schema.fields.filter { !$0.marks.isEmpty }.map(\.name)
            let marks = summary.droppedMarks == 1 ? "1 mark" : "\(summary.droppedMarks) marks"
            console.tell("odctl: \(marks) in \(fields.joined(separator: " and ")); --marks shows them")
        }
        if let encoding = summary.encoding, encoding != .utf8 {
            console.tell("odctl: the payload's text was \(encoding.rawValue)")
        }
        console.tell(
            "\(order.source.dataset.id): read \(summary.read), written \(summary.written), rejected \(summary.rejected)"
                + (summary.leftOut > 0 ? ", left out \(summary.leftOut)" : ""))
    }
}
