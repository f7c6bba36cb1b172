public import OpenDataCore

/// One security's trading on one day.
///
/// Prices keep the digits they were published with. All four are `nil` on a day without a trade: never 0.
public struct StockDayTick: Row, Hashable {
    /// The trading day, or `nil` where neither the payload nor its file name tells it.
    public var date: CalendarDate?
    /// The security's code, such as `2330` or `00632R`.
    public var code: String
    /// The security's short name.
    public var name: String?
    /// The number of shares traded, not of lots.
    public var volume: Int?
    /// The value traded, in New Taiwan dollars.
    public var value: ExactDecimal?
    /// The first price of the day.
    public var open: ExactDecimal?
    /// The highest price of the day.
    public var high: ExactDecimal?
    /// The lowest price of the day.
    public var low: ExactDecimal?
    /// The last price of the day.
    public var close: ExactDecimal?
    /// The last price less that of the day before, or `nil` where the two cannot be compared.
    public var change: ExactDecimal?
    /// The number of transactions.
    public var transactions: Int?
}

extension StockDayTick {
    // In an extension, so that the struct has the memberwise initialiser of the compiler, through which all of it is
    // set at once: set member by member, it is copied when it is done. That one is chosen in this module; others see
    // only this one, which has a lent parameter to be told apart.

    /// Makes a tick; what is not given is not known.
    @_disfavoredOverload
    public init(
        date: CalendarDate? = nil, code: borrowing String, name: String? = nil, volume: Int? = nil,
        value: ExactDecimal? = nil, open: ExactDecimal? = nil, high: ExactDecimal? = nil, low: ExactDecimal? = nil,
        close: ExactDecimal? = nil, change: ExactDecimal? = nil, transactions: Int? = nil
    ) {
        self.init(
            date: date, code: copy code, name: name, volume: volume, value: value, open: open, high: high, low: low,
            close: close, change: change, transactions: transactions)
    }

    /// Maps a record of the exchange's quotes.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    @inline(__always)
    public init(_ record: borrowing Record) throws(OpenDataError) {
        self.init(
            date: try record["date"], code: try record["code"], name: try record["name"], volume: try record["volume"],
            value: try record["value"], open: try record["open"], high: try record["high"], low: try record["low"],
            close: try record["close"], change: try record["change"], transactions: try record["transactions"])
    }
}
