public import OpenDataCore

/// The list of all data sets on data.gov.tw, which `odctl search` looks through.
///
/// The portal makes it anew each day and says that it is a page of HTML, which it is not.
public struct DataGovTWCatalogue: DataSource {
    /// What the data set is.
    public let dataset = Dataset(
        id: "datagovtw.catalogue", title: "政府資料開放平臺資料集清單", english: "All data sets of data.gov.tw",
        publisher: "數位發展部", licence: .ogdl1, page: "https://data.gov.tw/dataset/6564",
        cadence: Cadence(rawValue: "daily"),
        schema: .catalogue(
            [
                "id": "資料集識別碼", "title": "資料集名稱", "publisher": "提供機關", "formats": "檔案格式", "summary": "資料集描述",
                "columns": "主要欄位說明", "category": "服務分類", "cadence": "更新頻率", "licence": "授權方式",
                "modified": "詮釋資料更新時間", "addresses": "資料下載網址",
            ],
            more: [
                .text("provision", "資料提供屬性", optionalColumn: true), .text("quality", "品質檢測", optionalColumn: true),
                .text("encodings", "編碼格式", optionalColumn: true), .text("upload", "資料集上架方式", optionalColumn: true),
                .text("related", "相關網址", optionalColumn: true), .text("cost", "計費方式", optionalColumn: true),
                .text("contact", "提供機關聯絡人姓名", optionalColumn: true),
                .text("contact_phone", "提供機關聯絡人電話", optionalColumn: true),
                .text("published", "上架日期", optionalColumn: true), .text("notes", "備註", optionalColumn: true),
                .text("records", "資料量", optionalColumn: true),
            ]),
        hosts: [.dataGovTW], maximumBytes: 512 << 20, freshness: .age(.seconds(86_400)))
    /// CSV.
    public let format = Format.csv

    /// Makes the data source.
    public init() {}

    /// The one request.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request(
            "https://data.gov.tw/api/front/dataset/export", query: ["format": "csv"],
            maximumBytes: dataset.maximumBytes)
    }

    /// The portal's CSV, and its JSON.
    public func formats(_ arguments: Arguments) -> [Format] { [.csv, .json] }

    /// Twenty invented data sets.
    public var sample: Sample? { Sample(PackageResources.catalogue_csv) }
}
