import OpenDataCore

extension Freshness {
    /// The site's quotes: they appear after the session has closed at 13:30 and are put right until the evening, at no
    /// time that the exchange names.
    static let twse = Freshness.daily(from: "13:30", to: "24:00")

    /// The OpenAPI's quotes: renewed early the next morning, seen at about 05:20.
    static let twseOpenAPI = Freshness.daily(from: "04:00", to: "09:00")
}
