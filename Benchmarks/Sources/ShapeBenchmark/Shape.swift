import OpenData

/// A table made by `lib/data.py`, as a data set whose schema is declared in code.
struct Shape: DataSource {
    let dataset: Dataset
    let format: Format

    /// The shapes by name.
    static func named(_ name: String) -> Shape? {
        switch name {
        case "wide": Shape(name, .csv, wide)
        case "long-text": Shape(name, .csv, [.integer("id"), .text("title"), .text("body")])
        case "escapes": Shape(name, .csv, escapes)
        case "json-escapes": Shape(name, .json, escapes)
        case "chinese": Shape(name, .csv, chinese)
        default: nil
        }
    }

    /// Whole numbers, decimals and texts in turn.
    private static let wide = (0..<300).map { index in
        let name = "c\(index)"
        return switch index % 3 {
        case 0: Field.integer(name)
        case 1: Field.number(name)
        default: Field.text(name)
        }
    }

    private static let escapes: [Field] = [.integer("id"), .text("quote"), .text("lines"), .text("path")]

    private static let chinese: [Field] = [
        .integer("id", "編號"), .text("city", "縣市"), .text("name", "名稱"), .text("address", "地址"),
        .text("about", "說明"), .integer("seats", "座位數"),
    ]

    private init(_ name: String, _ format: Format, _ fields: [Field]) {
        dataset = Dataset(
            id: "shape." + name, title: name, english: name, publisher: "Benchmarks/run", licence: .unstated,
            page: "https://shapes.example/", schema: Schema(fields))
        self.format = format
    }

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://shapes.example/") }
}
