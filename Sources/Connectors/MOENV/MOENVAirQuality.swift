public import OpenDataCore

/// The air quality index (空氣品質指標) of every station of the ministry, hour by hour.
///
/// ```swift
/// MOENVAirQuality(apiKey: key)
/// MOENVAirQuality(apiKey: key, sourceFormat: "csv")
/// ```
///
/// The ministry sends JSON, CSV or XML, in pages of a thousand records; the records are the same. Columns were written
/// `SiteName` until 2021 and `sitename` since; both are read. A station that is out of order has no values, which is
/// null, never 0.
public struct MOENVAirQuality: DataSource {
    /// A station a record.
    public typealias Row = AirQuality

    /// What the data set is.
    public let dataset = Dataset(
        id: "moenv.aqi", title: "空氣品質指標(AQI)", english: "Air quality index", publisher: "環境部", licence: .ogdl1,
        page: "https://data.gov.tw/dataset/40448", cadence: .hourly,
        parameters: [
            Parameter(
                "api_key", .secret(environment: "MOENV_API_KEY"), "the ministry's key, free at data.moenv.gov.tw",
                required: true, example: "KEY"),
            Parameter(
                "source_format", .choice(["json", "csv", "xml"]), "what to ask for: json unless given", example: "json"),
            Parameter("county", .filter(field: "county"), "one county or city; all unless given", example: "臺北市"),
        ],
        schema: .airQuality,
        hosts: [
            HostPolicy(
                host: "data.moenv.gov.tw", requests: 2, per: .seconds(1), keySentences: ["API金鑰", "API Key", "api_key"])
        ],
        maximumBytes: 64 << 20, minimumRecords: 50, freshness: .age(.seconds(600)))
    /// JSON, in an envelope or, at times, bare.
    public let format = Format.json(records: "records", "$")
    /// What was said when the value was made.
    public let arguments: Arguments

    /// The most records that the ministry sends at once.
    private static let pageSize = 1000

    /// Makes the data source; what is not given here is given with the fetch.
    ///
    /// - Parameters:
    ///   - apiKey: The key; `odctl` takes it from the environment's `MOENV_API_KEY`.
    ///   - sourceFormat: `json`, `csv` or `xml`: what to ask the ministry for.
    public init(apiKey: String? = nil, sourceFormat: String? = nil) {
        var arguments = Arguments()
        arguments["api_key"] = apiKey
        arguments["source_format"] = sourceFormat
        self.arguments = arguments
    }

    /// The request for the first page.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try request(arguments, offset: 0)
    }

    private func request(_ arguments: Arguments, offset: Int) throws(OpenDataError) -> Request {
        try Request(
            "https://data.moenv.gov.tw/api/v2/aqx_p_432",
            query: [
                "format": (arguments["source_format"] ?? "json").uppercased(), "limit": String(Self.pageSize),
                "offset": String(offset), "sort": "ImportDate desc", "api_key": try arguments.required("api_key"),
            ],
            secrets: ["api_key"], maximumBytes: dataset.maximumBytes)
    }

    /// The three formats, the one asked for first.
    public func formats(_ arguments: Arguments) -> [Format] {
        let all = [format, .csv, .xml(records: "aqx_p_432/data")]
        let first = ["json", "csv", "xml"].firstIndex(of: arguments["source_format"] ?? "json") ?? 0
        return [all[first]] + all.indices.filter { $0 != first }.map { all[$0] }
    }

    /// The page behind this one, until the ministry's own total is reached or, where it tells none, a page is short.
    public func nextRequest(after page: Page, _ arguments: Arguments) throws(OpenDataError) -> Request? {
        let end = offset(of: page.request) + page.recordCount
        let isMore = total(page.preamble).map { end < $0 } ?? (page.recordCount == Self.pageSize)
        return isMore ? try request(arguments, offset: end) : nil
    }

    /// Throws ``OpenDataError/Code/noData`` where there are no stations, and ``OpenDataError/Code/truncated`` for an
    /// empty page before the ministry's own total is reached.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        guard preamble.recordCount == 0 else { return }
        let offset = offset(of: page)
        if let total = total(preamble), offset < total {
            throw OpenDataError(.truncated, "the ministry has \(total) records and sends none from \(offset) on")
        }
        if offset == 0 { throw OpenDataError(.noData, "the ministry has no records") }
    }

    /// The ministry's own number of records; it stands in the envelope of JSON alone.
    private func total(_ preamble: Preamble) -> Int? { preamble["total"].flatMap { Int($0) } }

    private func offset(of request: Request) -> Int { request.queryItem("offset").flatMap { Int($0) } ?? 0 }

    /// Twenty stations of an invented hour, one of them out of order.
    public var sample: Sample? { Sample(PackageResources.aqx_p_432_json) }
}
