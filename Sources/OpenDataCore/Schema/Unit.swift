/// The unit that a field's numbers are in.
public struct Unit: RawRepresentable, Sendable, Hashable {
    /// The unit as people write it, `µg/m³`.
    public let rawValue: String

    /// Makes a unit from the way people write it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// New Taiwan dollars.
    public static let newTaiwanDollar = Unit(rawValue: "TWD")
    /// Shares, not board lots of a thousand.
    public static let share = Unit(rawValue: "shares")
    /// A number of occurrences.
    public static let count = Unit(rawValue: "count")
    /// An index without a dimension.
    public static let index = Unit(rawValue: "index")
    /// Micrograms per cubic metre.
    public static let microgramsPerCubicMetre = Unit(rawValue: "µg/m³")
    /// Degrees of latitude or longitude, WGS 84.
    public static let degree = Unit(rawValue: "°")
    /// Points on a scale from 0 to 5.
    public static let rating = Unit(rawValue: "0–5")
}
