/// A data set that can be fetched: the one protocol that a connector conforms to.
///
/// A connector says what the data set is, which format it comes in and what to request. It never downloads or decodes.
/// A plain address needs three members:
///
/// ```swift
/// public struct Stations: DataSource {
///     public let dataset = Dataset(
///         id: "example.stations", title: "測站", english: "Stations", publisher: "示例", licence: .ogdl1,
///         page: "https://example.tw/stations",
///         schema: [.text("id", "測站代號", required: true), .number("height", "高度")])
///     public let format = Format.csv
///     public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
///         try Request("https://example.tw/stations.csv")
///     }
/// }
/// ```
///
/// Everything else has a default; override only what the publisher makes necessary. A conformer passes
/// `ConnectorConformanceTests`: unique ids and names, a sample that decodes without rejects, a request made from
/// each parameter's example.
public protocol DataSource<Row>: Sendable {
    /// The typed row; ``Record`` unless declared.
    associatedtype Row: OpenDataCore.Row = Record

    /// What the data set is.
    var dataset: Dataset { get }

    /// The format that the publisher sends.
    var format: Format { get }

    /// The request for the arguments. Throws ``OpenDataError/Code/badArgument`` where they do not fit together.
    func request(_ arguments: Arguments) throws(OpenDataError) -> Request

    /// The arguments that this value stands for; `[:]` unless declared. A caller's own come in front.
    var arguments: Arguments { get }

    /// The formats that an answer may come in, the expected one first; `[format]` unless declared.
    ///
    /// The first byte of a payload decides between them, never what was asked for.
    func formats(_ arguments: Arguments) -> [Format]

    /// All requests that are known up front, in order; `[request(arguments)]` unless declared.
    func requests(_ arguments: Arguments) throws(OpenDataError) -> [Request]

    /// The request after a page, for publishers that page by offset, link or token; `nil` unless declared.
    func nextRequest(after page: Page, _ arguments: Arguments) throws(OpenDataError) -> Request?

    /// Throws if what surrounds the records says that they are not the ones asked for; does nothing unless declared.
    ///
    /// Called before the first record is handed on, as far as the payload has been read by then, again at its end, and
    /// where it cannot be decoded.
    func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError)

    /// Values of fields that stand outside the records, by field name; `[:]` unless declared.
    ///
    /// A constant is read as a cell of the field's column, and stands in for a column that the payload does not have.
    func constants(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) -> [String:
        String]

    /// A check of every conforming record, or `nil`, which costs nothing; `nil` unless declared.
    func recordCheck(_ page: Request, _ arguments: Arguments) -> (@Sendable (Record) throws(OpenDataError) -> Void)?

    /// What a payload of nothing but white space means; ``OpenDataError/Code/emptyBody`` unless declared.
    var blankPayloadMeans: OpenDataError.Code { get }

    /// A small payload that the package carries; `nil` unless declared.
    var sample: Sample? { get }
}

extension DataSource {
    /// No arguments.
    public var arguments: Arguments { [:] }

    /// The one format.
    public func formats(_ arguments: Arguments) -> [Format] { [format] }

    /// The one request.
    public func requests(_ arguments: Arguments) throws(OpenDataError) -> [Request] { [try request(arguments)] }

    /// No further page.
    public func nextRequest(after page: Page, _ arguments: Arguments) throws(OpenDataError) -> Request? { nil }

    /// No check.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {}

    /// No constants.
    public func constants(
        _ preamble: Preamble, _ page: Request, _ arguments: Arguments
    ) throws(OpenDataError) -> [String: String] { [:] }

    /// No check.
    public func recordCheck(
        _ page: Request, _ arguments: Arguments
    ) -> (@Sendable (Record) throws(OpenDataError) -> Void)? { nil }

    /// An empty body is an error.
    public var blankPayloadMeans: OpenDataError.Code { .emptyBody }

    /// No sample.
    public var sample: Sample? { nil }
}
