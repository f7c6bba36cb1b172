public import OpenDataCore

/// One offer of shares or bonds that is drawn by lot.
///
/// What the exchange has not fixed yet is `nil`.
public struct PublicSubscription: Row, Hashable {
    /// The number of the offer within the year, the newest first.
    public var number: Int?
    /// The day of the draw.
    public var drawDate: CalendarDate?
    /// The security's name.
    public var name: String?
    /// The security's code.
    public var code: String
    /// The market and the kind of offer, in words.
    public var market: String?
    /// The first day to subscribe.
    public var opens: CalendarDate?
    /// The last day to subscribe.
    public var closes: CalendarDate?
    /// The underwriting price in New Taiwan dollars, as announced.
    public var price: ExactDecimal?
    /// The underwriting price in fact.
    public var actualPrice: ExactDecimal?
    /// The day on which winners are given what they bought.
    public var delivered: CalendarDate?
    /// The lead underwriter.
    public var underwriter: String?
    /// The shares of one subscription.
    public var lot: Int?
    /// Winners in a hundred subscriptions.
    public var winningRate: ExactDecimal?
    /// What the exchange says of a draw that is called off; `nil` where it takes place.
    public var cancelled: String?
}

extension PublicSubscription {
    /// Maps a record of ``TWSEPublicSubscription``.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    public init(_ record: borrowing Record) throws(OpenDataError) {
        self.init(
            number: try record["number"],
            drawDate: try record["draw_date"],
            name: try record["name"],
            code: try record["code"],
            market: try record["market"],
            opens: try record["opens"],
            closes: try record["closes"],
            price: try record["price"],
            actualPrice: try record["price_actual"],
            delivered: try record["delivered"],
            underwriter: try record["underwriter"],
            lot: try record["lot"],
            winningRate: try record["winning_rate"],
            cancelled: try record["cancelled"])
    }
}
