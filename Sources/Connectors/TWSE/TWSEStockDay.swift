public import OpenDataCore

/// The quotes of one security on every trading day of a month, or of several months.
///
/// ```swift
/// TWSEStockDay(stockNo: "2330", month: "2025-03")
/// TWSEStockDay(stockNo: "2330", month: "2025-01..2025-06")
/// ```
///
/// Each month is one request; the exchange has months from 2010 on. An answer is taken only if its title, its member
/// `date` and every record are of the security and month asked for: the exchange has been seen to mix answers up.
public struct TWSEStockDay: DataSource {
    /// A tick a record.
    public typealias Row = StockDayTick

    /// What the data set is.
    public let dataset = Dataset(
        id: "twse.stock_day", title: "個股各日成交資訊", english: "Daily quotes of one security by month",
        publisher: "臺灣證券交易所", licence: .twse, page: "https://www.twse.com.tw/zh/trading/historical/stock-day.html",
        cadence: .tradingDay,
        parameters: [
            Parameter("stock_no", .code, "the security's code", required: true, example: "2330"),
            Parameter("month", .month(range: true), "the month, or first..last", required: true, example: "2025-03"),
            Parameter(
                "source_format", .choice(["json", "csv"]), "what to ask for: json unless given", example: "json"),
        ],
        schema: .stockDay, hosts: [.twse], maximumBytes: 16 << 20, freshness: .twse)
    /// A table of JSON.
    public let format = Format.json(.table)
    /// What was said when the value was made.
    public let arguments: Arguments

    /// The CSV that the exchange sends, and the same without its title line, as people keep it.
    private static let csv = [1, 0].map { titleRows in
        Format.csv(CSVDialect(titleRows: titleRows, footnotes: ["說明", "Remarks"]), encodings: [.utf8, .cp950])
    }

    /// Makes the data source; what is not given here is given with the fetch.
    ///
    /// - Parameters:
    ///   - stockNo: The security's code, such as `2330`.
    ///   - month: A month as `2025-03`, or a range as `2025-01..2025-06`.
    ///   - sourceFormat: `json` or `csv`: what to ask the exchange for. The records are the same.
    public init(stockNo: String? = nil, month: String? = nil, sourceFormat: String? = nil) {
        var arguments = Arguments()
        arguments["stock_no"] = stockNo
        arguments["month"] = month
        arguments["source_format"] = sourceFormat
        self.arguments = arguments
    }

    /// Makes the data source for the months of a range.
    public init(stockNo: String, months: ClosedRange<YearMonth>, sourceFormat: String? = nil) {
        self.init(stockNo: stockNo, month: "\(months.lowerBound)..\(months.upperBound)", sourceFormat: sourceFormat)
    }

    /// The request for the first month.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try request(arguments, firstMonth(arguments))
    }

    /// One request a month, in order.
    public func requests(_ arguments: Arguments) throws(OpenDataError) -> [Request] {
        _ = try firstMonth(arguments)
        var requests: [Request] = []
        for month in arguments.months("month") { requests.append(try request(arguments, month)) }
        return requests
    }

    private func firstMonth(_ arguments: Arguments) throws(OpenDataError) -> YearMonth {
        try arguments.validate(against: dataset.parameters)
        guard let month = arguments.months("month").first else {
            throw OpenDataError(.badArgument, "--month takes a month as 2025-03", field: "month")
        }
        return month
    }

    private func request(_ arguments: Arguments, _ month: YearMonth) throws(OpenDataError) -> Request {
        try Request(
            "https://www.twse.com.tw/exchangeReport/STOCK_DAY",
            query: [
                "response": arguments["source_format"] ?? "json",
                "date": month.firstDay.description.filter { $0 != "-" },
                "stockNo": try arguments.required("stock_no").uppercased(),
            ],
            maximumBytes: dataset.maximumBytes)
    }

    /// The table of JSON and the CSV in Big5, the one asked for first.
    public func formats(_ arguments: Arguments) -> [Format] {
        arguments["source_format"] == "csv" ? Self.csv + [format] : [format] + Self.csv
    }

    /// Throws what the exchange says in `stat`, and refuses another month or security than the one asked for.
    ///
    /// The codes: ``OpenDataError/Code/noData`` without records, ``OpenDataError/Code/badArgument`` for a date that
    /// nobody can ask for, else ``OpenDataError/Code/unexpectedContent``.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        try StatSentence.check(preamble["stat"])
        if let asked = MonthReport(page) { try compare(preamble, with: asked) }
        // The exchange also says "no data" by `OK` without records.
        let isEmpty = preamble.recordCount.map { $0 == 0 } ?? (preamble["total"] == "0")
        if isEmpty { throw StatSentence.noRecords }
    }

    private func compare(_ preamble: Preamble, with asked: MonthReport) throws(OpenDataError) {
        // (The header of an earlier export is no title; its records are checked all the same.)
        let header = dataset.schema.fields.prefix(2).map(\.name).joined(separator: " ")
        if let title = preamble["title"], !trimmed(title).isEmpty, !title.hasPrefix(header) {
            let got = MonthReport(title: title)
            guard got?.code == asked.code, got?.month == asked.month else {
                throw Self.mismatch(asked, got?.description ?? "the title '\(trimmed(title).prefix(100))'")
            }
        }
        if let date = preamble["date"], CalendarDate(parsing: date)?.yearMonth != asked.month {
            throw Self.mismatch(asked, "the date '\(date.prefix(100))'")
        }
    }

    /// The code asked for and, from the title, the name.
    public func constants(
        _ preamble: Preamble, _ page: Request, _ arguments: Arguments
    ) throws(OpenDataError) -> [String: String] {
        let title = preamble["title"].flatMap { MonthReport(title: $0) }
        // Without a name in the title the empty text stands in for the column: null.
        var constants = ["name": title?.name ?? ""]
        constants["code"] = title?.code ?? arguments["stock_no"]?.uppercased()
        return constants
    }

    /// Throws ``OpenDataError/Code/unexpectedContent`` for a record of another month or security.
    public func recordCheck(
        _ page: Request, _ arguments: Arguments
    ) -> (@Sendable (Record) throws(OpenDataError) -> Void)? {
        guard let asked = MonthReport(page) else { return nil }
        return { (record: Record) throws(OpenDataError) in
            let day: CalendarDate? = try record["date"]
            let code = record.value("code").description
            guard let day, asked.month.contains(day), code.isEmpty || code == asked.code else {
                var error = Self.mismatch(
                    asked, "a record of \(code.isEmpty ? "" : code + " on ")\(day?.description ?? "no day")")
                error.position = record.position
                throw error
            }
        }
    }

    private static func mismatch(_ asked: MonthReport, _ got: String) -> OpenDataError {
        OpenDataError(
            .unexpectedContent, "asked for \(asked), got \(got); nothing of the answer is used, ask again later")
    }

    /// A month without records is a blank line as CSV, and has been an object without members as JSON.
    public var blankPayloadMeans: OpenDataError.Code { .noData }

    /// One security in one month, with a day without a trade and one that cannot be compared.
    public var sample: Sample? {
        Sample(
            PackageResources.stock_day_json, arguments: ["stock_no": "2330", "month": "2025-03"],
            fileName: "STOCK_DAY_2330_202503.json")
    }
}
