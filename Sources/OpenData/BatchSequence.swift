public import OpenDataCore
import OpenDataFormats
import OpenDataStore

/// The conforming batches of a fetch, downloaded and decoded as they are asked for.
public struct BatchSequence: AsyncSequence, Sendable {
    /// Records with their columns in the schema's order.
    public typealias Element = RecordBatch

    let source: any DataSource
    let arguments: Arguments
    let options: FetchOptions
    let transport: any Transport
    let formats: FormatRegistry
    // Where it is noted what has become of a payload.
    let store: SnapshotStore?

    /// The fields of every batch, in order; `nil` where only the payload can tell.
    public var fields: [Field]? {
        let schema = source.dataset.schema
        return schema.isAsPublished ? nil : Conformer.fields(of: schema, marks: options.marks)
    }

    /// Starts a fetch; nothing is requested before the first batch is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// A fetch under way.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let sequence: BatchSequence
        private var requests: [Request]?
        private var page: PageReader?
        private var request: Request?
        private var isFinished = false
        private var trace: PayloadTrace?
        // Why the last payload had no records, in the publisher's words.
        private var noData: OpenDataError?

        /// What has been read so far.
        public private(set) var summary = FetchSummary()

        /// The most payloads of one fetch: a publisher whose pages never end is stopped here.
        private static let maximumPages = 10_000

        init(_ sequence: BatchSequence) { self.sequence = sequence }

        /// The next batch, which has at least one record or reject, or `nil` at the end.
        ///
        /// Throws ``OpenDataError``: ``OpenDataError/Code/noData`` if no payload had a record, and whatever the
        /// arguments, the transport, the decoder or the schema found. Runs off the caller's actor.
        @concurrent
        public mutating func next() async throws(OpenDataError) -> RecordBatch? {
            do throws(OpenDataError) {
                while !isFinished {
                    if Task.isCancelled { throw OpenDataError(.cancelled, "the fetch was called off") }
                    if let batch = try nextOfPage() { return batch }
                    try await openNextPage()
                }
                return nil
            } catch {
                isFinished = true
                trace?.failed(error)
                throw error.adding(dataset: sequence.source.dataset.id, url: request?.redactedURL)
            }
        }

        /// Reads the rest of the open payload with several threads, if it can be, and hands on what `make` makes of its
        /// batches, in order.
        ///
        /// Throws what ``next()`` and `emit` throw.
        mutating func takeRest<Product: Sendable>(
            threads: Int, onReject: (@Sendable (Reject) -> Void)? = nil,
            make: @escaping @Sendable (RecordBatch) -> Product, emit: (Product) throws(OpenDataError) -> Void
        ) async throws(OpenDataError) {
            guard threads > 1, var parallel = page?.parallel(make) else { return }
            let rejects = sequence.options.rejects
            var summary = summary
            do throws(OpenDataError) {
                try await parallel.run(threads: threads) {
                    (part: ParallelPage<Product>.Part) throws(OpenDataError) in
                    summary.read += part.written + part.rejects.count
                    summary.written += part.written
                    summary.rejected += part.rejects.count
                    summary.droppedMarks += part.droppedMarks
                    summary.add(unknownColumns: part.unknownColumns)
                    if rejects == .fail, let reject = part.rejects.first { throw reject.error }
                    for reject in part.rejects { onReject?(reject) }
                    if let product = part.product { try emit(product) }
                    if let failure = part.failure { throw failure }
                }
                page?.resume(after: parallel, summary.read - self.summary.read)
                self.summary = summary
            } catch {
                self.summary = summary
                isFinished = true
                trace?.failed(error)
                throw error.adding(dataset: sequence.source.dataset.id, url: request?.redactedURL)
            }
        }

        /// Has plain records of the open payload written as they are read, where that is the same.
        mutating func transcribe(_ layout: RecordLayout) {
            // The first record of a payload is looked at.
            if trace?.hasSeenRecord != false { page?.transcribe(layout) }
        }

        /// How many records there will be, going by those so far, where the size of the open payload is known.
        var expectedCount: Int? {
            guard let share = page?.shareRead, share > 0 else { return nil }
            return Int(Double(summary.read) / share)
        }

        /// The next batch of the open payload; at its end, notes what follows it.
        private mutating func nextOfPage() throws(OpenDataError) -> RecordBatch? {
            guard page != nil else { return nil }
            do {
                if let batch = try page?.next() {
                    trace?.see(batch, summary)
                    try count(batch)
                    return batch
                }
            } catch {
                guard error.code == .noData, page?.readCount == 0 else { throw error }
                noData = error
            }
            if let page, let request {
                summary.droppedMarks += page.droppedMarks
                try noteNextPage(
                    Page(request: request, preamble: page.preamble(page.readCount), recordCount: page.readCount))
            }
            if let trace, noData == nil || page?.readCount != 0 {
                if let provenance = trace.finish(summary, page?.format, page?.encoding) {
                    summary.provenance.append(provenance)
                }
            }
            (page, trace) = (nil, nil)
            return nil
        }

        private mutating func count(_ batch: RecordBatch) throws(OpenDataError) {
            summary.read += batch.readCount
            summary.written += batch.acceptedCount
            summary.rejected += batch.rejects.count
            summary.add(unknownColumns: page?.unknownColumns ?? [])
            if sequence.options.rejects == .fail, let reject = batch.rejects.first { throw reject.error }
        }

        private mutating func noteNextPage(_ last: Page) throws(OpenDataError) {
            guard sequence.options.payload == nil,
                let next = try sequence.source.nextRequest(after: last, sequence.arguments)
            else { return }
            guard next != last.request, summary.pages < Iterator.maximumPages else {
                throw OpenDataError(
                    .badResponse,
                    next == last.request
                        ? "the page after this one is this one again" : "there are more than \(summary.pages) pages")
            }
            requests?.insert(next, at: 0)
        }

        /// Opens the payload of the next request; without one, the fetch is finished.
        private mutating func openNextPage() async throws(OpenDataError) {
            let (source, arguments) = (sequence.source, sequence.arguments)
            let payload: Payload
            trace = nil
            var standIn: Request?
            if let saved = sequence.options.payload {
                guard summary.pages == 0 else { return try finish() }
                try arguments.validate(against: source.dataset.parameters, allowMissing: true)
                request = try Request("file:///")
                // What the arguments would ask for, if that is one payload: the saved one must be an answer to it.
                let asked = try? source.requests(arguments)
                if asked?.count == 1 { standIn = asked?.first }
                payload = saved
            } else {
                if requests == nil {
                    try arguments.validate(against: source.dataset.parameters)
                    requests = try source.requests(arguments)
                }
                guard var next = requests?.first else { return try finish() }
                requests?.removeFirst()
                next.dataset = source.dataset.id
                next.hosts = source.dataset.hosts
                next.connectorVersion = source.dataset.version
                next.freshness = source.dataset.freshness
                next.cache = sequence.options.cache
                next.maximumBytes = Swift.min(next.maximumBytes, source.dataset.maximumBytes)
                request = next
                payload = try await sequence.transport.send(next)
            }
            summary.pages += 1
            trace = PayloadTrace(payload, source.dataset.schema, sequence.store, summary)
            do {
                guard let request else { return }
                let opened = try PageReader.open(
                    payload, of: source, arguments, standIn ?? request, sequence.options, formats: sequence.formats)
                summary.encoding = opened.encoding
                page = opened
            } catch {
                guard error.code == .noData else { throw error }
                noData = error
            }
        }

        private mutating func finish() throws(OpenDataError) {
            isFinished = true
            guard summary.read == 0 else { return }
            throw noData ?? OpenDataError(.noData, "the publisher sent no records")
        }
    }
}
