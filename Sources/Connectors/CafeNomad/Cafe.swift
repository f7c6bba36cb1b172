public import OpenDataCore

/// A cafe where one can work, with the ratings of those who did.
///
/// Ratings run from 0 to 5 in steps as small as a tenth. A text may be empty, which is not the same as `nil`.
public struct Cafe: Row, Hashable, Identifiable {
    /// The cafe's identifier, a UUID.
    public var id: String
    /// The name.
    public var name: String
    /// The city, as one of ``CafeNomad/cities``.
    public var city: String?
    /// How stable the Wi-Fi is.
    public var wifi: ExactDecimal?
    /// How often there are seats.
    public var seat: ExactDecimal?
    /// How quiet it is.
    public var quiet: ExactDecimal?
    /// How good the coffee is.
    public var tasty: ExactDecimal?
    /// How cheap it is.
    public var cheap: ExactDecimal?
    /// How good the music and the decoration are.
    public var music: ExactDecimal?
    /// The cafe's own page.
    public var url: String?
    /// The street address.
    public var address: String?
    /// Degrees north, WGS 84, as published; see ``coordinate``.
    public var latitude: ExactDecimal?
    /// Degrees east, WGS 84, as published; see ``coordinate``.
    public var longitude: ExactDecimal?
    /// Whether the stay is limited.
    public var limitedTime: LimitedTime?
    /// Whether there are power sockets.
    public var socket: Socket?
    /// Whether one can work standing.
    public var standingDesk: StandingDesk?
    /// The nearest station, in words.
    public var mrt: String?
    /// The opening hours, in words.
    public var openTime: String?

    /// The place on a map, or `nil` where there is none.
    ///
    /// Cafes without a known place are published at 0, 0 or at a latitude of 99.99999999; both give `nil`.
    public var coordinate: (latitude: Double, longitude: Double)? {
        guard let north = latitude?.double, let east = longitude?.double, abs(north) <= 90, abs(east) <= 180,
            north != 0 || east != 0
        else { return nil }
        return (north, east)
    }
}

extension Cafe {
    // In an extension, so that the struct has the memberwise initialiser of the compiler, through which all of it is
    // set at once: set member by member, it is copied when it is done, with all its texts.

    /// Maps a record of ``CafeNomad``.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    @inline(__always)
    public init(_ record: borrowing Record) throws(OpenDataError) {
        self.init(
            id: try record["id"],
            name: try record["name"],
            city: try record["city"],
            wifi: try record["wifi"],
            seat: try record["seat"],
            quiet: try record["quiet"],
            tasty: try record["tasty"],
            cheap: try record["cheap"],
            music: try record["music"],
            url: try record["url"],
            address: try record["address"],
            latitude: try record["latitude"],
            longitude: try record["longitude"],
            limitedTime: try record["limited_time"],
            socket: try record["socket"],
            standingDesk: try record["standing_desk"],
            mrt: try record["mrt"],
            openTime: try record["open_time"])
    }
}
