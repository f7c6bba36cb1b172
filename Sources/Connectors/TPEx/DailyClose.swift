public import OpenDataCore

/// One security of the Taipei Exchange on one day.
///
/// Prices keep the digits they were published with. Those of a day without a trade are `nil`: never 0.
public struct DailyClose: Row, Hashable {
    /// The trading day, or `nil` where the payload does not tell it.
    public var date: CalendarDate?
    /// The security's code, such as `6488` or `00679B`.
    public var code: String
    /// The security's short name.
    public var name: String?
    /// The last price of the day.
    public var close: ExactDecimal?
    /// The last price less that of the day before, or `nil` where the two cannot be compared.
    public var change: ExactDecimal?
    /// The first price of the day.
    public var open: ExactDecimal?
    /// The highest price of the day.
    public var high: ExactDecimal?
    /// The lowest price of the day.
    public var low: ExactDecimal?
    /// The number of shares traded, not of lots.
    public var volume: Int?
    /// The value traded, in New Taiwan dollars.
    public var value: ExactDecimal?
    /// The number of transactions.
    public var transactions: Int?
}

extension DailyClose {
    /// Maps a record of ``TPExDailyClose``.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    public init(_ record: borrowing Record) throws(OpenDataError) {
        self.init(
            date: try record["date"],
            code: try record["code"],
            name: try record["name"],
            close: try record["close"],
            change: try record["change"],
            open: try record["open"],
            high: try record["high"],
            low: try record["low"],
            volume: try record["volume"],
            value: try record["value"],
            transactions: try record["transactions"])
    }
}
