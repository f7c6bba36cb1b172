import OpenDataCore

extension Schema {
    /// One security on one day, under the names of the OpenAPI, of the CSV and of the site's pages.
    ///
    /// A day without a trade has null prices. On the first day without a right the change is null, and its mark says
    /// which: 除息 without the dividend, 除權 without the shares, 除權息 without both.
    static let dailyClose: Schema = {
        let marks = ["除權息", "除息", "除權"].map { Mark($0, keepsValue: false) }
        func price(_ name: String, _ sourceNames: [String], _ english: String, optional: Bool = false) -> Field {
            Field(
                name, sourceNames: sourceNames, type: .number, title: sourceNames.last, english: english,
                unit: .newTaiwanDollar, optionalColumn: optional)
        }
        return Schema(
            [
                .date("date", "Date", "資料日期", title: "資料日期", english: "trading day", optionalColumn: true),
                .text("code", "SecuritiesCompanyCode", "代號", title: "代號", english: "security code", required: true),
                .text("name", "CompanyName", "名稱", title: "名稱", english: "security name"),
                price("close", ["Close", "收盤"], "closing price"),
                .number(
                    "change", "Change", "漲跌", title: "漲跌", english: "change from the day before",
                    unit: .newTaiwanDollar, marks: marks),
                price("open", ["Open", "開盤"], "opening price"),
                price("high", ["High", "最高"], "highest price"),
                price("low", ["Low", "最低"], "lowest price"),
                price("average", ["Average", "均價"], "average price", optional: true),
                .integer(
                    "volume", "TradingShares", "成交股數", title: "成交股數", english: "shares traded",
                    unit: .share),
                .number(
                    "value", "TransactionAmount", "成交金額", "成交金額(元)", title: "成交金額",
                    english: "value traded", unit: .newTaiwanDollar),
                .integer(
                    "transactions", "TransactionNumber", "成交筆數", title: "成交筆數",
                    english: "number of transactions", unit: .count),
                price("last_bid", ["LatestBidPrice", "最後買價"], "last bid"),
                .integer(
                    "last_bid_volume", "最後買量(千股)", "最後買量<br>(千股)", english: "shares of the last bid",
                    unit: .thousandShares, optionalColumn: true),
                price("last_ask", ["LatesAskPrice", "LatestAskPrice", "最後賣價"], "last ask"),
                .integer(
                    "last_ask_volume", "最後賣量(千股)", "最後賣量<br>(千股)", english: "shares of the last ask",
                    unit: .thousandShares, optionalColumn: true),
                .integer(
                    "issued", "Capitals", "發行股數", title: "發行股數", english: "shares issued",
                    unit: .share),
                price(
                    "next_reference", ["NextReferencePrice", "次日 參考價", "次日參考價"], "reference price of the next day",
                    optional: true),
                price("next_limit_up", ["NextLimitUp", "次日 漲停價", "次日漲停價"], "highest price allowed on the next day"),
                price("next_limit_down", ["NextLimitDown", "次日 跌停價", "次日跌停價"], "lowest price allowed on the next day"),
            ],
            primaryKey: ["date", "code"])
    }()
}
