public import OpenDataCore

/// The quotes of every listed security on the last trading day, from the exchange's OpenAPI.
///
/// The OpenAPI is renewed early the next morning: in the evening it is one trading day behind ``TWSEStockDayAll``.
/// Before 2026 its records did not tell their day, which then is null.
public struct TWSEOpenAPIStockDayAll: DataSource {
    /// A tick a record.
    public typealias Row = StockDayTick

    /// What the data set is.
    public let dataset = Dataset(
        id: "twse.openapi.stock_day_all", title: "上市個股日成交資訊(OpenAPI)",
        english: "Daily quotes of all listed securities, OpenAPI", publisher: "臺灣證券交易所", licence: .twse,
        page: "https://openapi.twse.com.tw/", cadence: .tradingDay, schema: .stockDay, hosts: [.twseOpenAPI],
        maximumBytes: 32 << 20, minimumRecords: 500, freshness: .twseOpenAPI)
    /// An array of objects.
    public let format = Format.json

    /// Makes the data source.
    public init() {}

    /// The one request.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request("https://openapi.twse.com.tw/v1/exchangeReport/STOCK_DAY_ALL")
    }

    /// Throws ``OpenDataError/Code/noData`` without records.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        if preamble.recordCount == 0 { throw StatSentence.noRecords }
    }

    /// Twenty securities on a day.
    public var sample: Sample? {
        Sample(PackageResources.openapi_stock_day_all_json, fileName: "STOCK_DAY_ALL.json")
    }
}
