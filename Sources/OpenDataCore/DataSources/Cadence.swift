/// How often a publisher renews a data set.
public struct Cadence: RawRepresentable, Sendable, Hashable {
    /// The cadence in words.
    public let rawValue: String

    /// Makes a cadence from words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not stated.
    public static let unknown = Cadence(rawValue: "unknown")
    /// Once after each trading day.
    public static let tradingDay = Cadence(rawValue: "every trading day")
    /// Once an hour.
    public static let hourly = Cadence(rawValue: "hourly")
    /// Whenever somebody edits it.
    public static let continuous = Cadence(rawValue: "continuous")
}
