/// A fixed offset from UTC, for zones that have had no summer time in the data's period.
public struct TimeZoneOffset: Sendable, Hashable {
    /// Minutes east of UTC.
    public let minutes: Int
    /// The zone's name in the time zone database, or `UTC`.
    public let name: String

    /// Makes an offset with the name it goes by.
    public init(minutes: Int, name: String) {
        self.minutes = minutes
        self.name = name
    }

    /// `Asia/Taipei`, eight hours east, without summer time since 1980.
    public static let taipei = TimeZoneOffset(minutes: 480, name: "Asia/Taipei")
    /// Coordinated Universal Time.
    public static let utc = TimeZoneOffset(minutes: 0, name: "UTC")
}
