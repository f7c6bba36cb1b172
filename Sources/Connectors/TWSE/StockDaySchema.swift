import OpenDataCore

extension Schema {
    /// One security on one day, whichever of the exchange's outlets tells it.
    ///
    /// The published names are those of the site in Chinese, of the OpenAPI, and of the site in English. A day without
    /// a trade has null prices. `change` is null, and its mark `X`, where the day cannot be compared with the one
    /// before.
    static let stockDay = Schema(
        [
            .date("date", "日期", "Date", english: "trading day", optionalColumn: true),
            .text("code", "證券代號", "Code", english: "security code", required: true),
            .text("name", "證券名稱", "Name", english: "security name"),
            .integer(
                "volume", "成交股數", "TradeVolume", "Trade Volume", english: "shares traded", unit: .share),
            .number(
                "value", "成交金額", "TradeValue", "Trade Value", english: "value traded", unit: .newTaiwanDollar),
            .number(
                "open", "開盤價", "OpeningPrice", "Opening Price", english: "opening price", unit: .newTaiwanDollar),
            .number(
                "high", "最高價", "HighestPrice", "Highest Price", english: "highest price", unit: .newTaiwanDollar),
            .number(
                "low", "最低價", "LowestPrice", "Lowest Price", english: "lowest price", unit: .newTaiwanDollar),
            .number(
                "close", "收盤價", "ClosingPrice", "Closing Price", english: "closing price", unit: .newTaiwanDollar),
            .number(
                "change", "漲跌價差", "Change", english: "change from the day before", unit: .newTaiwanDollar,
                marks: [Mark("X", keepsValue: false)]),
            .integer("transactions", "成交筆數", "Transaction", english: "number of transactions", unit: .count),
        ],
        primaryKey: ["date", "code"])
}
