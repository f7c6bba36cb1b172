public import OpenDataCore

/// The last trading day of every security on the Taipei Exchange, the market beside the stock exchange.
///
/// Its columns are in English in the OpenAPI and in Chinese in the CSV that the site offers; either is read, as is the
/// table of the site's own pages. Volumes are shares; those of bids and asks, which only the pages have, are in
/// thousands.
public struct TPExDailyClose: DataSource {
    /// A quote a record.
    public typealias Row = DailyClose

    /// What the data set is.
    public let dataset = Dataset(
        id: "tpex.daily_close", title: "上櫃股票每日收盤行情", english: "Daily quotes of the Taipei Exchange",
        publisher: "證券櫃檯買賣中心", licence: .ogdl1, page: "https://data.gov.tw/dataset/11370", cadence: .tradingDay,
        schema: .dailyClose,
        hosts: [HostPolicy(host: "www.tpex.org.tw", requests: 3, per: .seconds(5), pageMeansBlocked: true)],
        maximumBytes: 64 << 20, minimumRecords: 500, freshness: .age(.seconds(1800)))
    /// An array of objects.
    public let format = Format.json

    /// Makes the data source.
    public init() {}

    /// The one request.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request(
            "https://www.tpex.org.tw/openapi/v1/tpex_mainboard_daily_close_quotes", maximumBytes: dataset.maximumBytes)
    }

    /// The array of the OpenAPI, the table of the pages, and the CSV.
    public func formats(_ arguments: Arguments) -> [Format] {
        [format, .json(JSONLayout(records: ["tables[0].data"], fields: "fields")), .csv]
    }

    /// Throws ``OpenDataError/Code/noData`` without records.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        if preamble.recordCount == 0 { throw OpenDataError(.noData, "there was no trading") }
    }

    /// The day, where the records do not tell it.
    public func constants(
        _ preamble: Preamble, _ page: Request, _ arguments: Arguments
    ) throws(OpenDataError) -> [String: String] {
        preamble["date"].flatMap { CalendarDate(parsing: $0) }.map { ["date": $0.description] } ?? [:]
    }

    /// Twenty securities of an invented day, one ex dividend and one without a trade.
    public var sample: Sample? { Sample(PackageResources.daily_close_json) }
}
