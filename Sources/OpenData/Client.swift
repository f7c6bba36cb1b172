@_exported public import OpenDataCore
public import OpenDataFormats
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
/// Failures are ``OpenDataError``; its `stage` says whether the address, the connection, the response, its status or the
/// decoding is at fault.
public struct Client: Sendable {
    private let transport: any Transport
    private let formats: FormatRegistry

    /// What a client needs to know about its surroundings.
    public struct Configuration: Sendable {
        /// Time limits and the name given to hosts.
        public var http = HTTPTransport.Configuration()
        /// Addresses to ask in place of the published ones.
        public var rewrites: [RewriteRule] = []
        /// Where all processes of the user keep the limits of hosts together and remember which are left alone.
        ///
        /// Without it the limits are those of this process alone. ``CacheDirectory/standard(_:)`` is that of `odctl`.
        public var cache: CacheDirectory?
        /// Hears of waits and retries, from any task.
        public var onNotice: Notice.Handler = { _ in }

        /// Makes the default configuration.
        public init() {}
    }

    /// Makes a client that asks the data sets' hosts, at the pace that they allow.
    ///
    /// Clients of one process share each host's limit; those with the same cache directory share it with other processes.
    public init(_ configuration: Configuration = Configuration()) {
        self.init(
            transport: StandardTransport(
                rewrites: configuration.rewrites, configuration: configuration.http, cache: configuration.cache,
                onNotice: configuration.onNotice))
    }

    /// Makes a client with a transport of the caller's, for tests and for other networks.
    public init(transport: any Transport, formats: FormatRegistry = .standard) {
        self.transport = transport
        self.formats = formats
    }

    /// The conforming batches of a data set, for encoders.
    public func batches(
        of source: any DataSource, _ arguments: Arguments = [:], options: FetchOptions = FetchOptions()
    ) -> BatchSequence {
        BatchSequence(
            source: source, arguments: source.arguments.overridden(by: arguments), options: options,
            transport: transport, formats: formats)
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
        var iterator = batches(of: source, arguments, options: options).makeAsyncIterator()
        while failure == nil, let batch = try await iterator.next() {
            try RowBlock<Source.Row>(batch).move(to: &rows)
            // A tenth more than it looks like: growing an array means to copy it.
            if let expected = iterator.expectedCount, expected > rows.capacity {
                rows.reserveCapacity(expected + expected / 10)
                LargePages.advise(&rows)
            }
            // The rest at once, by as many threads as there are processors.
            try await iterator.takeRest(threads: Processors.count) { batch in
                Result<RowBlock<Source.Row>, any Error> { try RowBlock(batch) }
            } emit: { (result: Result<RowBlock<Source.Row>, any Error>) throws(OpenDataError) in
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
