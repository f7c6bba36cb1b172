/// A cafe as an app would declare it for `JSONDecoder`: ratings as `Double`, coordinates as the texts they are sent as.
struct CodableCafe: Codable {
    var id: String
    var name: String
    var city: String?
    var wifi: Double?
    var seat: Double?
    var quiet: Double?
    var tasty: Double?
    var cheap: Double?
    var music: Double?
    var url: String?
    var address: String?
    var latitude: String?
    var longitude: String?
    var limitedTime: String?
    var socket: String?
    var standingDesk: String?
    var mrt: String?
    var openTime: String?

    enum CodingKeys: String, CodingKey {
        case id, name, city, wifi, seat, quiet, tasty, cheap, music, url, address, latitude, longitude, socket, mrt
        case limitedTime = "limited_time"
        case standingDesk = "standing_desk"
        case openTime = "open_time"
    }
}
