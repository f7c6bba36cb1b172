import OpenDataCore
import Testing

/// A payload of delimited text and what it must decode to.
struct CSVCase: CustomTestStringConvertible, Sendable {
    var name: String
    var input: [UInt8]
    var dialect = CSVDialect()
    var header: [String]
    var records: [[String]]
    /// The lines at which rejected records begin.
    var rejectedLines: [Int] = []
    var members: [String: String] = [:]
    var failure: OpenDataError.Code?

    var testDescription: String { name }

    init(
        _ name: String, _ input: String, dialect: CSVDialect = CSVDialect(), _ header: [String], _ records: [[String]],
        rejectedLines: [Int] = [], members: [String: String] = [:], failure: OpenDataError.Code? = nil
    ) {
        self.name = name
        self.input = Array(input.utf8)
        self.dialect = dialect
        self.header = header
        self.records = records
        self.rejectedLines = rejectedLines
        self.members = members
        self.failure = failure
    }

    static let all: [CSVCase] = [
        .init("plain", "a,b\n1,2\n3,4\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
        .init("B060: CRLF", "a,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]),
        .init("B060: lone CR", "a,b\r1,2", ["a", "b"], [["1", "2"]]),
        .init("mixed line ends", "a,b\r\n1,2\n3,4\r5,6", ["a", "b"], [["1", "2"], ["3", "4"], ["5", "6"]]),
        .init("B061: CRLF after a quoted last cell", "a,\"b\"\r\nc,\"d\"\r\n", ["a", "b"], [["c", "d"]]),
        .init("B062: byte order mark", "\u{FEFF}日期,代號\n1,2\n", ["日期", "代號"], [["1", "2"]]),
        .init("B141: byte order mark before a quoted header", "\u{FEFF}\"a\"\n1", ["a"], [["1"]]),
        .init("B063: empty last cell", "a,b\n1,", ["a", "b"], [["1", ""]]),
        .init("B063: one quoted empty cell", "a\n\"\"", ["a"], [[""]]),
        .init(
            "B064: short and long records", "a,b\n1\n1,2,3\n4,5\n", ["a", "b"], [["4", "5"]], rejectedLines: [2, 3]),
        .init(
            "B145: no short record is padded", "a;b\n1;2\n3\n", dialect: .init(delimiter: ";"), ["a", "b"],
            [["1", "2"]],
            rejectedLines: [3]),
        .init("B067: comma in quotes", "x,y,z\n\"日\",\"5,000\",\"1\"\n", ["x", "y", "z"], [["日", "5,000", "1"]]),
        .init("B068: line breaks in quotes", "n,t\n1,\"甲\n乙\"\n2,\"丙\"\n", ["n", "t"], [["1", "甲\n乙"], ["2", "丙"]]),
        .init("B069: quote at the end", "x\n\"a\"", ["x"], [["a"]]),
        .init(
            "B038: quoted numbers", "日期,代號,名稱,量,價\n\"1150624\",\"2330\",\"台積電\",\"30,000,000\",\"995.00\"\n",
            ["日期", "代號", "名稱", "量", "價"], [["1150624", "2330", "台積電", "30,000,000", "995.00"]]),
        .init(
            "B039: bare header, quoted cells", "日期,證券代號\n\"1150624\",\"00400A\"\n", ["日期", "證券代號"],
            [["1150624", "00400A"]]),
        .init(
            "B072, B090: names by scalars", "e\u{301},\u{e9},金,\u{F90A}\n1,2,3,4\n",
            ["e\u{301}", "\u{e9}", "金", "\u{F90A}"],
            [["1", "2", "3", "4"]]),
        .init("doubled quotes", "a,b\n\"x\"\"y\",\"\"\"\"\n", ["a", "b"], [["x\"y", "\""]]),
        .init("quote in a bare cell", "a,b\n5\" disk,it\"s\n", ["a", "b"], [["5\" disk", "it\"s"]]),
        .init("quote that was not doubled", "a,b\n\"say \"hi\" now\",2\n", ["a", "b"], [["say \"hi\" now", "2"]]),
        .init("space after a closing quote", "a,b\n\"1\" ,\"2\" \n", ["a", "b"], [["1", "2"]]),
        .init(
            "spreadsheet text", "a,b,c\n=\"0050\",\"=\"\"0050\"\"\",=1\n", ["a", "b", "c"], [["0050", "0050", "=1"]]),
        .init(
            "B120, B122: leading zeros", "code\n0050\n006208\n00632R\n010\n", ["code"],
            [["0050"], ["006208"], ["00632R"], ["010"]]),
        .init("blank lines are no records", "\n\na,b\n\n1,2\n\n\n", ["a", "b"], [["1", "2"]]),
        .init("trailing commas", "a,b,\n1,2,\n3,4\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
        .init("text below no name", "a,b,\n1,2,x\n3,4,\n", ["a", "b"], [["3", "4"]], rejectedLines: [2]),
        .init("empty cells beyond the header", "a,b\n1,2,,,\n", ["a", "b"], [["1", "2"]]),
        .init("B074: empty cells", "a,b\n,\n", ["a", "b"], [["", ""]]),
        .init("header only", "a,b\n", ["a", "b"], []),
        .init("header names are trimmed", " a ,\u{3000}b\u{3000}\n 1 ,2\n", ["a", "b"], [[" 1 ", "2"]]),
        .init(
            "B128: title line", "115年06月24日 每日收盤行情\n代號;價\n0050;1\n", dialect: .init(delimiter: ";", titleRows: 1),
            ["代號", "價"], [["0050", "1"]], members: ["title": "115年06月24日 每日收盤行情"]),
        .init(
            "quoted title, notes", "\"109年04月 2330\"\n\"日期\",\"收盤價\",\n\"109/04/01\",\"271.50\",\n\"說明:\"\n\"甲,乙\n",
            dialect: .init(titleRows: 1, footnotes: ["說明"]), ["日期", "收盤價"], [["109/04/01", "271.50"]],
            members: ["title": "109年04月 2330", "notes": "\"說明:\"\n\"甲,乙\n"]),
        .init("tab and pipe", "a|b\n1,5|\"x|y\"\n", dialect: .init(delimiter: "|"), ["a", "b"], [["1,5", "x|y"]]),
        .init(
            "tabs around quotes", "a\tb\n\"1\"\t\"2\"\n", dialect: .init(delimiter: "\t"), ["a", "b"], [["1", "2"]]),
        .init("unclosed quote", "a,b\n1,\"2\n3,4\n", ["a", "b"], [], failure: .malformed),
        .init(
            "an unclosed quote behind records and a rejected one", "a,b\n1,2\n3\n4,\"5\n6,7\n", ["a", "b"],
            [["1", "2"]],
            rejectedLines: [3], failure: .malformed),
        .init("nothing", "", [], [], failure: .emptyBody),
        .init("blank lines only", "\n\r\n\n", [], [], failure: .emptyBody),
        .init("title without header", "t\n", dialect: .init(titleRows: 1), [], [], failure: .emptyBody),
        .init(
            "long cells", "a,b\n\(String(repeating: "長", count: 300)),\"\(String(repeating: "引\"\"", count: 100))\"\n",
            ["a", "b"],
            [[String(repeating: "長", count: 300), String(repeating: "引\"", count: 100)]]),
    ]
}
