import OpenData

extension Registry {
    /// The data sets of the tests.
    static let tests = Registry([Stations(), Prices()])
}

/// Stations with parameters of every kind.
struct Stations: DataSource {
    let dataset = Dataset(
        id: "test.stations", title: "測站", english: "Stations", publisher: "示例市政府", licence: .ogdl1,
        page: "https://example.tw/stations", cadence: .hourly,
        parameters: [
            Parameter("city", .choice(["taipei", "tainan", "taoyuan"]), "the city", required: true, example: "taipei"),
            Parameter("stock_no", .code, "a code", example: "2330"),
            Parameter("month", .month(range: true), "months", example: "2025-03"),
            Parameter("note", .text, "any text"),
            Parameter("api_key", .secret(environment: "TEST_STATIONS_KEY"), "the key"),
        ],
        schema: Schema(
            [
                .text("site", "測站", required: true),
                .number("height", "高度", english: "height above sea level", unit: Unit(rawValue: "m")),
            ], primaryKey: ["site"]),
        hosts: [HostPolicy(host: "example.tw", requests: 3, per: .seconds(5))])
    let format = Format.csv

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request(
            "https://example.tw/\(arguments.required("city"))",
            query: ["key": arguments["api_key"] ?? "none", "note": arguments["note"] ?? "none"])
    }
}

/// Prices with a mark, a sample and no parameters.
struct Prices: DataSource {
    let dataset = Dataset(
        id: "test.prices", title: "價格", english: "Prices", publisher: "示例", licence: .unstated,
        page: "https://example.tw/prices",
        schema: [
            .text("code", "代號", required: true),
            .number("change", "漲跌", unit: .newTaiwanDollar, marks: [Mark("X", keepsValue: false)]),
        ])
    let format = Format.csv(CSVDialect(), encodings: [.utf8, .cp950])

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://other.tw/prices") }

    var sample: Sample? { Sample(Array("代號,漲跌\n0050,1.50\n00632R,X0.00\n".utf8), fileName: "prices.csv") }
}
