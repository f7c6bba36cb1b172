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

    /// A request with what the data set says about its hosts and its answers.
    static func prepared(_ request: Request, for dataset: Dataset, _ options: FetchOptions) -> Request {
        var request = request
        request.dataset = dataset.id
        request.hosts = dataset.hosts
        request.connectorVersion = dataset.version
        request.freshness = dataset.freshness
        request.cache = options.cache
        request.maximumBytes = Swift.min(request.maximumBytes, dataset.maximumBytes)
        return request
    }

    /// A fetch under way.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let sequence: BatchSequence
        private var requests: [Request]?
        private var page: PageReader?
        // The payloads within a compressed one that are still to be read, the next one first.
        private var archive: ArchivedPayloads?
        private var members: Range<Int> = 0..<0
        // The columns of records without a schema, which all payloads share.
        private var columns: Columns?
        private var request: Request?
        // What the payload is an answer to: a saved one stands in for another.
        private var pageRequest: Request?
        private var isFinished = false
        private var trace: PayloadTrace?
        // Why the last payload had no records, in the publisher's words.
        private var noData: OpenDataError?

        /// What has been read so far.
        public private(set) var summary = FetchSummary()

        /// The most payloads of one fetch: a publisher whose pages never end is stopped here.
        private static let maximumPages = 10_000

        init(_ sequence: BatchSequence) {
            self.sequence = sequence
            FreedMemory.keep()
        }

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
                    if members.isEmpty { try await openNextPayload() } else { try openNextMember() }
                }
                return nil
            } catch {
                isFinished = true
                trace?.failed(error)
                throw error.adding(dataset: sequence.source.dataset.id, url: request?.redactedURL)
            }
        }

        /// Reads the rest of the open payload with several threads, if it can be, and hands on what `make` makes of its
        /// batches, which it is told the numbers of, in order.
        ///
        /// Throws what ``next()`` and `emit` throw.
        mutating func takeRest<Product: Sendable>(
            threads: Int, ahead: Int = 0, onReject: (@Sendable (Reject) -> Void)? = nil,
            make: @escaping @Sendable (RecordBatch, Int) -> Product, emit: (Product) throws(OpenDataError) -> Void
        ) async throws(OpenDataError) {
            guard threads > 1, var parallel = page?.parallel(make) else { return }
            let rejects = sequence.options.rejects
            var summary = summary
            do throws(OpenDataError) {
                try await parallel.run(threads: threads, ahead: ahead) {
                    (part: ParallelPage<Product>.Part) throws(OpenDataError) in
                    let rejected = part.faults.count - part.nulled
                    summary.read += part.written + rejected + part.leftOut
                    summary.leftOut += part.leftOut
                    summary.nulled += part.nulled
                    summary.written += part.written
                    summary.rejected += rejected
                    summary.droppedMarks += part.droppedMarks
                    summary.add(unknownColumns: part.unknownColumns)
                    if rejects == .fail, let reject = part.faults.first { throw reject.error }
                    for reject in part.faults { onReject?(reject) }
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

        /// Has batches of the open payload say what their numbers are, for rows.
        mutating func noteNumbers() { page?.noteNumbers() }

        /// How many records there will be, going by those so far, where the size of the open payload is known.
        var expectedCount: Int? {
            guard let share = page?.shareRead, share > 0 else { return nil }
            return Int(Double(summary.read) / share)
        }

        /// The next batch of the open payload; at its end, notes what follows it.
        private mutating func nextOfPage() throws(OpenDataError) -> RecordBatch? {
            guard page != nil else { return nil }
            do {
                while let batch = try page?.next() {
                    trace?.see(batch, summary)
                    try count(batch)
                    if batch.acceptedCount > 0 || !batch.rejects.isEmpty { return batch }
                }
            } catch {
                guard error.code == .noData, page?.readCount == 0 else { throw error }
                noData = error
            }
            if let page, let request {
                summary.add(findings: page.textFindings)
                summary.droppedMarks += page.droppedMarks
                if !members.isEmpty {
                    self.page = nil
                    return nil
                }
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
            if sequence.source.dataset.schema.isAsPublished, summary.pages > 1 || archive != nil {
                if let columns, batch.columns.names != columns.names {
                    let place = archive.map { "'\($0.names[members.lowerBound - 1])': " } ?? ""
                    throw OpenDataError(
                        .schemaChanged,
                        "\(place)the payloads have different columns: \(columns.names.joined(separator: ", ")); and"
                            + " \(batch.columns.names.joined(separator: ", "))")
                }
                columns = batch.columns
            }
            summary.read += batch.readCount
            summary.written += batch.acceptedCount
            summary.rejected += batch.rejects.count
            summary.leftOut += batch.leftOut
            summary.nulled += batch.nulled.count
            summary.add(unknownColumns: page?.unknownColumns ?? [])
            summary.missingFields = page?.missingFields ?? []
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
        private mutating func openNextPayload() async throws(OpenDataError) {
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
                guard let first = requests?.first else { return try finish() }
                requests?.removeFirst()
                let next = BatchSequence.prepared(first, for: source.dataset, sequence.options)
                request = next
                payload = try await sequence.transport.send(next)
            }
            summary.pages += 1
            trace = PayloadTrace(payload, source.dataset.schema, sequence.store, summary)
            pageRequest = standIn ?? request
            if let claimed = (source as? UndescribedSource)?.claimedFormat {
                let kind = ContentKind(head: try payload.head(1 << 12))
                if let contradiction = kind.contradiction(of: claimed) { summary.add(findings: [contradiction]) }
            }
            archive = try archive(payload)
            guard let archive else { return try openPage(payload) }
            summary.add(findings: archive.findings)
            members = 0..<archive.count
        }

        /// What is in the payload, if it is compressed and may be.
        private func archive(_ payload: Payload) throws(OpenDataError) -> ArchivedPayloads? {
            let (source, arguments) = (sequence.source, sequence.arguments)
            let isUndescribed = source is UndescribedSource
            var member = isUndescribed ? arguments["member"] : nil
            if !isUndescribed {
                guard let pattern = source.formats(arguments).compactMap(\.member).first else { return nil }
                let isZip = ContentKind(head: try payload.head(64)) == .zip
                member = isZip && pattern != "*" ? pattern : nil
            }
            let isHandedOver = sequence.options.payload != nil
            return try ArchivedPayloads(
                try payload.repeatable(maximumBytes: source.mostHandedOver), member: member,
                maximumBytes: isHandedOver ? source.mostHandedOver : source.dataset.maximumBytes)
        }

        /// Opens the next payload within a compressed one.
        private mutating func openNextMember() throws(OpenDataError) {
            guard let archive, let member = members.first else { return }
            members = members.dropFirst()
            do throws(OpenDataError) {
                try openPage(try archive.payload(member))
            } catch {
                var error = error
                if archive.count > 1 { error.message = "'\(archive.names[member])': \(error.message)" }
                throw error
            }
        }

        /// Opens a payload that is not compressed.
        private mutating func openPage(_ payload: Payload) throws(OpenDataError) {
            let (source, arguments) = (sequence.source, sequence.arguments)
            do {
                guard let pageRequest else { return }
                let opened = try PageReader.open(
                    payload, of: source, arguments, pageRequest, sequence.options, formats: sequence.formats)
                summary.encoding = opened.encoding
                summary.format = opened.format
                summary.add(findings: (source as? UndescribedSource)?.findings ?? [])
                summary.add(findings: opened.findings)
                page = opened
            } catch {
                guard error.code == .noData else { throw error }
                noData = error
            }
        }

        private mutating func finish() throws(OpenDataError) {
            isFinished = true
            if summary.leftOut > 0, summary.leftOut == summary.read {
                let filters = RecordFilter.filters(sequence.source.dataset.parameters, sequence.arguments)
                let wanted = filters.map { "\($0.field) '\($0.value)'" }.joined(separator: " and ")
                throw OpenDataError(.noData, "none of the \(summary.read) records has the \(wanted)")
            }
            let dataset = sequence.source.dataset
            if sequence.options.payload == nil, summary.read > 0, summary.read < dataset.minimumRecords {
                summary.minimumRecords = dataset.minimumRecords
                guard sequence.options.rejects == .fail else { return }
                throw OpenDataError(
                    .truncated, "\(summary.read) records came and \(dataset.minimumRecords) at least were due")
            }
            guard summary.read == 0 else { return }
            throw noData ?? OpenDataError(.noData, "the publisher sent no records")
        }
    }
}
