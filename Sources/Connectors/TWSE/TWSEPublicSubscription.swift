public import OpenDataCore

/// The exchange's calendar of public subscriptions (公開申購): shares and bonds that are drawn by lot, year by year.
///
/// ```swift
/// TWSEPublicSubscription(year: 2026)
/// ```
///
/// What has not been fixed yet, such as a price, is null. The last price of a security less its underwriting price is
/// what a winner gains; `Examples/SubscriptionSpread` computes it.
public struct TWSEPublicSubscription: DataSource {
    /// An offer a record.
    public typealias Row = PublicSubscription

    /// What the data set is.
    public let dataset = Dataset(
        id: "twse.public_subscription", title: "公開申購公告-抽籤日程表", english: "Public subscriptions drawn by lot",
        publisher: "臺灣證券交易所", licence: .twse,
        page: "https://www.twse.com.tw/zh/announcement/public.html", cadence: .tradingDay,
        parameters: [
            Parameter("year", .year, "the year of the draw; this year unless given", example: "2026"),
            Parameter(
                "source_format", .choice(["json", "csv"]), "what to ask for: json unless given", example: "json"),
        ],
        schema: .publicSubscription, hosts: [.twse], maximumBytes: 16 << 20, freshness: .age(.seconds(3600)))
    /// A table of JSON.
    public let format = Format.json(.table)
    /// What was said when the value was made.
    public let arguments: Arguments

    /// Makes the data source; what is not given here is given with the fetch.
    ///
    /// - Parameters:
    ///   - year: The year of the common era; this year unless given.
    ///   - sourceFormat: `json` or `csv`: what to ask the exchange for. The records are the same.
    public init(year: Int? = nil, sourceFormat: String? = nil) {
        var arguments = Arguments()
        arguments["year"] = year.map { String($0) }
        arguments["source_format"] = sourceFormat
        self.arguments = arguments
    }

    /// The request for a year, or for the one that the exchange takes for this one.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try arguments.validate(against: dataset.parameters)
        let year = arguments["year"].map { "&yy=" + $0 } ?? ""
        return try Request(
            "https://www.twse.com.tw/announcement/publicForm?response=\(arguments["source_format"] ?? "json")" + year,
            maximumBytes: dataset.maximumBytes)
    }

    /// The table of JSON, and the CSV in Big5 with a title and notes, the one asked for first.
    public func formats(_ arguments: Arguments) -> [Format] {
        let csv = Format.csv(CSVDialect(titleRows: 1, footnotes: ["說明"]), encodings: [.utf8, .cp950])
        return arguments["source_format"] == "csv" ? [csv, format] : [format, csv]
    }

    /// Throws what the exchange says in `stat`, and ``OpenDataError/Code/noData`` without records.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        try StatSentence.check(preamble["stat"])
        if preamble.recordCount == 0 { throw StatSentence.noRecords }
    }

    /// Throws ``OpenDataError/Code/unexpectedContent`` for a record of another year than the one asked for.
    public func recordCheck(
        _ page: Request, _ arguments: Arguments
    ) -> (@Sendable (Record) throws(OpenDataError) -> Void)? {
        guard let year = arguments["year"].flatMap({ Int($0) }) else { return nil }
        return { (record: Record) throws(OpenDataError) in
            let day: CalendarDate? = try record["draw_date"]
            guard let day, day.year != year else { return }
            throw OpenDataError(
                .unexpectedContent,
                "asked for \(year), got a draw on \(day); nothing of the answer is used, ask again later",
                position: record.position)
        }
    }

    /// A year without records is a blank line as CSV.
    public var blankPayloadMeans: OpenDataError.Code { .noData }

    /// Twenty invented offers: one without a price yet, one called off.
    public var sample: Sample? {
        Sample(
            PackageResources.public_form_json, arguments: ["year": "2026"], fileName: "publicForm_2026.json")
    }
}
