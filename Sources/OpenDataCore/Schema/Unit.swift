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
    /// Thousands of shares.
    public static let thousandShares = Unit(rawValue: "1,000 shares")
    /// A number of occurrences.
    public static let count = Unit(rawValue: "count")
    /// An index without a dimension.
    public static let index = Unit(rawValue: "index")
    /// Micrograms per cubic metre.
    public static let microgramsPerCubicMetre = Unit(rawValue: "µg/m³")
    /// Parts of a gas in a million of air, by volume.
    public static let partsPerMillion = Unit(rawValue: "ppm")
    /// Parts of a gas in a billion of air, by volume.
    public static let partsPerBillion = Unit(rawValue: "ppb")
    /// Metres per second.
    public static let metresPerSecond = Unit(rawValue: "m/s")
    /// Parts in a hundred.
    public static let percent = Unit(rawValue: "%")
    /// Degrees: of latitude or longitude in WGS 84, or of a direction from north to the east.
    public static let degree = Unit(rawValue: "°")
    /// Points on a scale from 0 to 5.
    public static let rating = Unit(rawValue: "0–5")
}
