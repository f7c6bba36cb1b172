public import OpenDataCore

/// The quotes of every listed security on the last trading day.
///
/// The site takes no date: it always sends the last trading day, renewed the same evening. Before June 2026 the records
/// did not tell their day. Then it is that of the file name, such as `STOCK_DAY_ALL_20240715.csv`, or of the member
/// `date` of the JSON form; without either it is null, never today.
public struct TWSEStockDayAll: DataSource {
    /// A tick a record.
    public typealias Row = StockDayTick

    /// What the data set is.
    public let dataset = Dataset(
        id: "twse.stock_day_all", title: "上市個股日成交資訊", english: "Daily quotes of all listed securities",
        publisher: "臺灣證券交易所", licence: .ogdl1, page: "https://data.gov.tw/dataset/11549", cadence: .tradingDay,
        schema: .stockDay, hosts: [.twse], maximumBytes: 32 << 20, minimumRecords: 500, freshness: .twse)
    /// CSV, as the site sends it since 2026.
    public let format = Format.csv

    /// Makes the data source.
    public init() {}

    /// The one request.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request("https://www.twse.com.tw/exchangeReport/STOCK_DAY_ALL", query: ["response": "open_data"])
    }

    /// CSV, and the table of JSON: the site has answered with either, whichever was asked for.
    public func formats(_ arguments: Arguments) -> [Format] { [.csv, .json(.table)] }

    /// Throws what the member `stat` of the JSON form says, and ``OpenDataError/Code/noData`` without records.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        try StatSentence.check(preamble["stat"])
        if preamble.recordCount == 0 { throw StatSentence.noRecords }
    }

    /// The day, where the records do not tell it.
    public func constants(
        _ preamble: Preamble, _ page: Request, _ arguments: Arguments
    ) throws(OpenDataError) -> [String: String] {
        let day = preamble["date"].flatMap { CalendarDate(parsing: $0) } ?? Self.day(in: preamble.response.fileName)
        return day.map { ["date": $0.description] } ?? [:]
    }

    /// The day of a file name of the form `STOCK_DAY_ALL_20240715.csv`.
    private static func day(in fileName: String?) -> CalendarDate? {
        let start = "STOCK_DAY_ALL_"
        guard let fileName, fileName.uppercased().hasPrefix(start) else { return nil }
        return CalendarDate(parsing: fileName.dropFirst(start.count).prefix { $0.isASCII && $0.isWholeNumber })
    }

    /// Twenty securities in the form of 2026, two of them without a price.
    public var sample: Sample? {
        Sample(PackageResources.stock_day_all_csv, fileName: "STOCK_DAY_ALL_20260708.csv")
    }
}
