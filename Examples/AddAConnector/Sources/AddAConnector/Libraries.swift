import OpenData

/// The branches of a city's library: a connector in one file.
///
/// The publisher's file has a title line, Chinese headers, thousands separators, ROC dates and `--` where it has no
/// value. All of that is said here; nothing of it is programmed.
struct Libraries: DataSource {
    let dataset = Dataset(
        id: "example.libraries", title: "圖書館分館", english: "Library branches", publisher: "示例市政府", licence: .ogdl1,
        page: "https://data.example.tw/libraries",
        parameters: [Parameter("district", .choice(["north", "south"]), "the district", example: "north")],
        schema: Schema(
            [
                .text("code", "分館代號", required: true),
                .text("name", "分館名稱"),
                .integer("books", "館藏冊數", unit: .count),
                .number("floor_area", "樓地板面積", unit: Unit(rawValue: "m²")),
                .date("opened", "啟用日期"),
            ], primaryKey: ["code"]))

    let format = Format.csv(CSVDialect(titleRows: 1))

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request("https://data.example.tw/libraries.csv", query: ["district": arguments["district"] ?? "all"])
    }

    /// What the publisher sends, so that the connector can be tried without a network.
    let sample: Sample? = Sample(
        Array(
            """
            示例市圖書館分館一覽
            分館代號,分館名稱,館藏冊數,樓地板面積,啟用日期
            "001","總館","1,204,500","31,250.75","79/4/20"
            "002","河濱分館","86,300","1,980.50","105/11/6"
            "003","行動書車","--","--","1130715"

            """.utf8))

    /// A row with Swift types, in place of field names.
    struct Row: OpenData.Row {
        var code: String
        var name: String?
        var books: Int?
        var opened: CalendarDate?

        init(_ record: Record) throws {
            code = try record["code"]
            name = try record["name"]
            books = try record["books"]
            opened = try record["opened"]
        }
    }
}
