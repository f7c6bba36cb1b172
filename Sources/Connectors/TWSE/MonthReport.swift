import OpenDataCore

/// One security's month, as it is asked for and as an answer's title names it.
struct MonthReport: Hashable {
    /// The security's code, in capitals.
    var code: String
    /// The month.
    var month: YearMonth
    /// The security's name, where the title tells it.
    var name: String?

    /// The words that end every title.
    private static let ending = "各日成交資訊"

    /// The report that a request asks for.
    init?(_ page: Request) {
        guard let code = page.queryItem("stockNo"), let day = page.queryItem("date"),
            let month = CalendarDate(parsing: day)?.yearMonth
        else { return nil }
        self.code = code.uppercased()
        self.month = month
    }

    /// Reads a title such as `114年03月 2330 台積電           各日成交資訊`, with or without the quotes and commas of CSV.
    init?(title: String) {
        let words = title.split { $0.isWhitespace || $0 == "\"" || $0 == "," }
        guard words.count >= 3, let month = YearMonth(parsing: words[0]) else { return nil }
        self.month = month
        code = words[1].uppercased()
        // A long name leaves no space before the words that end every title.
        var rest = title[words[2].startIndex..<words[words.count - 1].endIndex]
        guard rest.hasSuffix(MonthReport.ending) else { return nil }
        rest.removeLast(MonthReport.ending.count)
        let name = trimmed(rest)
        self.name = name.isEmpty ? nil : name
    }
}

extension MonthReport: CustomStringConvertible {
    /// For example `2330 of 2025-03`.
    var description: String { "\(code) of \(month)" }
}
