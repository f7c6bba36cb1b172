import OpenDataCore

extension Schema {
    /// A public subscription, as the exchange's calendar has it.
    static let publicSubscription: Schema = {
        let open = Field.commonMissingValues + ["未訂出", "未定"]
        return Schema(
            [
                .integer("number", "序號", english: "number within the year", unit: .count),
                .date("draw_date", "抽籤日期", english: "day of the draw", missing: open),
                .text("name", "證券名稱", english: "security name"),
                .text("code", "證券代號", english: "security code", required: true),
                .text("market", "發行市場", english: "market and kind of offer"),
                .date("opens", "申購開始日", english: "first day to subscribe", missing: open),
                .date("closes", "申購結束日", english: "last day to subscribe", missing: open),
                .integer("shares", "承銷股數", english: "shares underwritten", unit: .share, missing: open),
                .integer(
                    "shares_actual", "實際承銷股數", english: "shares underwritten in fact", unit: .share, missing: open),
                .number(
                    "price", "承銷價(元)", english: "underwriting price", unit: .newTaiwanDollar, missing: open),
                .number(
                    "price_actual", "實際承銷價(元)", english: "underwriting price in fact", unit: .newTaiwanDollar,
                    missing: open),
                .date("delivered", "撥券日期(上市、上櫃日期)", english: "day of delivery or listing", missing: open),
                .text("underwriter", "主辦券商", english: "lead underwriter"),
                .integer("lot", "申購股數", english: "shares of one subscription", unit: .share, missing: open),
                .number(
                    "amount", "總承銷金額(元)", english: "value of the offer", unit: .newTaiwanDollar, missing: open),
                .integer("qualified", "總合格件", english: "valid subscriptions", unit: .count, missing: open),
                .number("winning_rate", "中籤率(%)", english: "share of winners", unit: .percent, missing: open),
                .text("cancelled", "取消公開抽籤", english: "whether the draw is called off"),
            ],
            primaryKey: ["draw_date", "code"])
    }()
}
