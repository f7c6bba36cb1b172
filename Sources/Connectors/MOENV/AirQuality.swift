public import OpenDataCore

/// The air at one station in one hour.
///
/// Whatever the station did not measure is `nil`. Values keep the digits they were published with.
public struct AirQuality: Row, Hashable {
    /// The station's number, which was not published before 2019.
    public var siteID: String?
    /// The station's name.
    public var siteName: String
    /// The county or city.
    public var county: String?
    /// The air quality index, from 0 to 500.
    public var aqi: Int?
    /// The pollutant that the index is due to, where it is above 50.
    public var pollutant: String?
    /// What the index means, in words.
    public var status: String?
    /// Sulphur dioxide, parts per billion.
    public var so2: ExactDecimal?
    /// Carbon monoxide, parts per million.
    public var co: ExactDecimal?
    /// Ozone, parts per billion.
    public var o3: ExactDecimal?
    /// Particles up to ten micrometres, µg/m³.
    public var pm10: ExactDecimal?
    /// Particles up to two and a half micrometres, µg/m³.
    public var pm25: ExactDecimal?
    /// Nitrogen dioxide, parts per billion.
    public var no2: ExactDecimal?
    /// Metres per second.
    public var windSpeed: ExactDecimal?
    /// Where the wind comes from, in degrees from north to the east.
    public var windDirection: ExactDecimal?
    /// The hour of the values.
    public var publishedAt: DateTime?
    /// Degrees east, WGS 84.
    public var longitude: ExactDecimal?
    /// Degrees north, WGS 84.
    public var latitude: ExactDecimal?
}

extension AirQuality {
    /// Maps a record of ``MOENVAirQuality``.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    public init(_ record: borrowing Record) throws(OpenDataError) {
        self.init(
            siteID: try record["site_id"],
            siteName: try record["site_name"],
            county: try record["county"],
            aqi: try record["aqi"],
            pollutant: try record["pollutant"],
            status: try record["status"],
            so2: try record["so2"],
            co: try record["co"],
            o3: try record["o3"],
            pm10: try record["pm10"],
            pm25: try record["pm25"],
            no2: try record["no2"],
            windSpeed: try record["wind_speed"],
            windDirection: try record["wind_direction"],
            publishedAt: try record["published_at"],
            longitude: try record["longitude"],
            latitude: try record["latitude"])
    }
}
