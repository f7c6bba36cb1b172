@_exported public import OpenDataCore
public import OpenDataFormats
@_exported public import OpenDataStore
public import OpenDataTransports

/// Fetches data sets: downloads politely, decodes, conforms to the schema, hands out rows.
///
/// ```swift
/// let client = Client()
/// for try await tick in client.rows(of: TWSEStockDayAll()) where tick.code == "2330" {
///     print(tick.close ?? "no trade")
/// }
/// let cafes = try await client.fetch(CafeNomad(city: "taipei"))
/// ```
///
/// Failures are ``OpenDataError``; its `stage` says whether the address, the connection, the response, its status or
/// the decoding is at fault.
public struct Client: Sendable {
    private let transport: any Transport
    private let formats: FormatRegistry

    /// Where the client keeps what it downloads, if it does.
    public let store: SnapshotStore?

    /// What a client needs to know about its surroundings.
    public struct Configuration: Sendable {
        /// Time limits and the name given to hosts.
        public var http = HTTPTransport.Configuration()
        /// Addresses to ask in place of the published ones.
        public var rewrites: [RewriteRule] = []
        /// Where all processes of the user keep the limits of hosts together, remember which are left alone, and keep
        /// downloads, to be used again and to be traced; `nil` leaves the limits to this process and keeps nothing.
        ///
        /// Which downloads a fetch may use is for ``FetchOptions/cache`` to say.
        public var cache: CacheDirectory? = .standard()
        /// Hears of waits, of retries and of what stands in for a download, from any task.
        public var onNotice: Notice.Handler = { _ in }

        /// Makes the default configuration.
        public init() {}
    }

    /// Makes a client that asks the data sets' hosts, at the pace that they allow.
    ///
    /// Clients of one process share each host's limit; those with the same cache directory share it with other
    /// processes.
    public init(_ configuration: Configuration = Configuration()) {
        let (rewrites, onNotice) = (configuration.rewrites, configuration.onNotice)
        let address = { @Sendable (url: String) in RewriteRule.address(for: url, rewrites) }
        let store = configuration.cache.map { SnapshotStore($0, onNotice: onNotice) }
        self.init(
            transport: StandardTransport(
                rewrites: rewrites, configuration: configuration.http, cache: configuration.cache,
                store: store.map { StoreMiddleware($0, address: address, onNotice: onNotice) },
                resume: store.map { ResumeMiddleware($0, address: address, onNotice: onNotice) }, onNotice: onNotice),
            store: store)
    }

    /// Makes a client with a transport of the caller's, for tests and for other networks.
    ///
    /// Nothing is kept, unless the transport hands out snapshots of `store`.
    public init(transport: any Transport, formats: FormatRegistry = .standard, store: SnapshotStore? = nil) {
        self.transport = transport
        self.formats = formats
        self.store = store
    }

    /// Sends a request through the client's transport.
    func send(_ request: Request) async throws(OpenDataError) -> Payload { try await transport.send(request) }

    /// The first payload of a data set, as it came or as it is kept.
    ///
    /// Throws what the transport throws.
    public func payload(
        of source: any DataSource, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) async throws(OpenDataError) -> Payload {
        let request = try BatchSequence.prepared(
            source.request(source.arguments.overridden(by: arguments)), for: source.dataset, options)
        do throws(OpenDataError) {
            return try await send(request)
        } catch {
            throw error.adding(dataset: source.dataset.id, url: request.redactedURL)
        }
    }

    /// The conforming batches of a data set, for encoders.
    public func batches(
        of source: any DataSource, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) -> BatchSequence {
        BatchSequence(
            source: source, arguments: source.arguments.overridden(by: arguments), options: options,
            transport: transport, formats: formats, store: store)
    }

    /// The rows of a data set, typed, as they are decoded.
    public func rows<Source: DataSource>(
        of source: Source, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) -> RowSequence<Source.Row> {
        RowSequence(batches: batches(of: source, arguments, options: options))
    }

    /// The records of any data set, read by field name.
    public func records(
        of source: any DataSource, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) -> RowSequence<Record> {
        RowSequence(batches: batches(of: source, arguments, options: options))
    }

    /// All rows of a data set at once.
    ///
    /// Throws ``OpenDataError``, and whatever the row's initialiser throws. Memory grows with the rows.
    public func fetch<Source: DataSource>(
        _ source: Source, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) async throws -> [Source.Row] {
        var rows: [Source.Row] = []
        var failure: (any Error)?
        let rooms = RowRooms<Source.Row>()
        var iterator = batches(of: source, arguments, options: options).makeAsyncIterator()
        while failure == nil, let batch = try await iterator.next() {
            // A tenth more than it looks like: growing an array means to copy it.
            if let expected = iterator.expectedCount, expected > rows.capacity {
                rows.reserveCapacity(expected + expected / 10)
                LargePages.advise(&rows)
            }
            try rows.append(batch.records, in: rooms)
            // Records are kept with all that their batch has: what is noted would be kept, too.
            if Source.Row.self != Record.self { iterator.noteNumbers() }
            // The rest at once, by as many threads as there are processors.
            let places = RowPlaces(behind: &rows)
            defer { withExtendedLifetime(rows) { places.clear() } }
            // A thread that is held up, as by the allocator, does not hold up the others: rows take their room anyway.
            try await iterator.takeRest(threads: Processors.count, ahead: 12) { batch, number in
                Result<RowPart<Source.Row>, any Error> {
                    try rooms.sharingTexts { try RowPart(batch.records, number, at: places, or: rooms) }
                }
            } emit: { (result: Result<RowPart<Source.Row>, any Error>) throws(OpenDataError) in
                guard failure == nil else { return }
                switch result {
                case .success(let more): more.move(to: &rows)
                case .failure(let error as OpenDataError): throw error
                case .failure(let error): failure = error
                }
            }
        }
        if let failure { throw failure }
        return rows
    }
}
