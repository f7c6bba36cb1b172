extension Schema {
    /// The fields by which data sets of a portal are found and shown.
    ///
    /// Formats are one text, parted by semicolons, as are addresses.
    /// - Parameters:
    ///   - names: The portal's own names of fields.
    ///   - more: What only this portal says.
    public static func catalogue(_ names: KeyValuePairs<String, String> = [:], more: [Field] = []) -> Schema {
        func sourceNames(_ field: String) -> [String] { names.filter { $0.key == field }.map(\.value) }
        func text(_ name: String, _ title: String, required: Bool = false) -> Field {
            Field(
                name, sourceNames: sourceNames(name), type: .string, title: title, required: required,
                optionalColumn: !required)
        }
        return Schema(
            [
                text("id", "資料集識別碼", required: true), text("title", "資料集名稱", required: true),
                text("publisher", "提供機關"), text("formats", "檔案格式"), text("summary", "資料集描述"),
                text("columns", "主要欄位說明"), text("category", "服務分類"), text("cadence", "更新頻率"),
                text("licence", "授權方式"), text("modified", "詮釋資料更新時間"), text("addresses", "資料下載網址"),
            ] + more,
            primaryKey: ["id"])
    }
}
