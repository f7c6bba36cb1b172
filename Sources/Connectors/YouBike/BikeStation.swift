public import OpenDataCore

/// A station of public bicycles and what stands there.
public struct BikeStation: Row, Hashable, Identifiable {
    /// The station's number, such as `500101001` or `0001`.
    public var id: String
    /// The name.
    public var name: String?
    /// The district.
    public var district: String?
    /// The address.
    public var address: String?
    /// The docks in all.
    public var capacity: Int?
    /// The bicycles that can be rented.
    public var bikes: Int?
    /// The docks to which one can be returned.
    public var docks: Int?
    /// Whether the station is in service; `nil` where the city does not say.
    public var isInService: Bool?
    /// When the station reported this.
    public var reportedAt: DateTime?
    /// Degrees north, WGS 84.
    public var latitude: ExactDecimal?
    /// Degrees east, WGS 84.
    public var longitude: ExactDecimal?
}

extension BikeStation {
    /// Maps a record of ``YouBikeTaipei``.
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` for a value beyond its type.
    public init(_ record: borrowing Record) throws(OpenDataError) {
        let answer: String? = try record["in_service"]
        self.init(
            id: try record["id"], name: try record["name"], district: try record["district"],
            address: try record["address"], capacity: try record["capacity"], bikes: try record["bikes"],
            docks: try record["docks"], isInService: answer.flatMap { ["0": false, "1": true][$0] },
            reportedAt: try record["reported_at"], latitude: try record["latitude"], longitude: try record["longitude"])
    }
}
