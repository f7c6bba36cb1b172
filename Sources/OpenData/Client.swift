@_exported public import OpenDataCore
public import OpenDataFormats

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
        for try await row in self.rows(of: source, arguments, options: options) { rows.append(row) }
        return rows
    }
}
