public import OpenDataCore

/// Cafes to work from, all of Taiwan or one city.
///
/// Coordinates are published as texts or as numbers, ratings as whole numbers or with a fraction; all are numbers here
/// and keep their digits. In the texts "" stays apart from null: `limited_time` of "" means that nobody has said.
public struct CafeNomad: DataSource {
    /// A cafe a record.
    public typealias Row = Cafe

    /// The cities, as the publisher names them; `taipei` includes New Taipei.
    public static let cities = [
        "changhua", "chiayi", "hsinchu", "hualien", "kaohsiung", "keelung", "kinmen", "lienchiang", "miaoli", "nantou",
        "penghu", "pingtung", "taichung", "tainan", "taipei", "taitung", "taoyuan", "yilan", "yunlin",
    ]

    /// What the data set is.
    public let dataset = Dataset(
        id: "cafenomad.cafes", title: "咖啡廳清單", english: "Cafes to work from", publisher: "Cafe Nomad",
        licence: .unstated, page: "https://cafenomad.tw/developers/docs/v1.2", cadence: .continuous,
        parameters: [Parameter("city", .choice(cities), "one city; all unless given", example: "taipei")],
        schema: Schema(
            [
                .text("id", title: "編號", required: true),
                .text("name", title: "店名", missing: [], required: true),
                .text("city", title: "縣市", missing: []),
                .number("wifi", title: "網路穩定", english: "stable Wi-Fi", unit: .rating),
                .number("seat", title: "通常有位", english: "free seats", unit: .rating),
                .number("quiet", title: "安靜程度", english: "quietness", unit: .rating),
                .number("tasty", title: "咖啡好喝", english: "good coffee", unit: .rating),
                .number("cheap", title: "價格便宜", english: "low prices", unit: .rating),
                .number("music", title: "裝潢音樂", english: "decoration and music", unit: .rating),
                .text("url", title: "網址", english: "web page", missing: []),
                .text("address", title: "地址", missing: []),
                .number("latitude", title: "緯度", unit: .degree),
                .number("longitude", title: "經度", unit: .degree),
                .text("limited_time", title: "有無限時", english: "limited stay", missing: []),
                .text("socket", title: "插座多寡", english: "power sockets", missing: []),
                .text("standing_desk", title: "可站立工作", missing: []),
                .text("mrt", title: "鄰近捷運站", english: "nearest station", missing: []),
                .text("open_time", title: "營業時間", english: "opening hours", missing: []),
            ],
            primaryKey: ["id"]),
        hosts: [HostPolicy(host: "cafenomad.tw", requests: 2, per: .seconds(1))], maximumBytes: 64 << 20,
        // The host cannot say whether anything has changed: it sends all of it, each time.
        freshness: .age(.seconds(3600)))
    /// An array of objects, bare or in the member `data`.
    public let format = Format.json(records: "$", "data")
    /// What was said when the value was made.
    public let arguments: Arguments

    /// Makes the data source, for one of ``cities`` or for all; a city may also be given with the fetch.
    public init(city: String? = nil) {
        var arguments = Arguments()
        arguments["city"] = city
        self.arguments = arguments
    }

    /// The request for one city or for all.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try arguments.validate(against: dataset.parameters)
        return try Request("https://cafenomad.tw/api/v1.2/cafes" + (arguments["city"].map { "/" + $0 } ?? ""))
    }

    /// Twenty invented cafes.
    public var sample: Sample? { Sample(PackageResources.cafes_json) }
}
