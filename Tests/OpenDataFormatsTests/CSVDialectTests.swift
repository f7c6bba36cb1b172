import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// The options of a dialect that a finder or a connector sets for text as it is published.
@Suite struct CSVDialectTests {
    private static func dialect(_ change: (inout CSVDialect) -> Void) -> CSVDialect {
        var dialect = CSVDialect()
        change(&dialect)
        return dialect
    }

    static let all: [CSVCase] = [
        .init(
            "no header", "1,x\n2,y\n", dialect: dialect { $0.headerRows = 0 }, ["column_1", "column_2"],
            [["1", "x"], ["2", "y"]]),
        .init(
            "no header, a column less than cells", "1,x,\n2,y,\n",
            dialect: dialect {
                $0.headerRows = 0
                $0.columnCount = 2
            }, ["column_1", "column_2"], [["1", "x"], ["2", "y"]]),
        .init(
            "no header below a title", "t\n1,x\n",
            dialect: dialect {
                $0.headerRows = 0
                $0.titleRows = 1
            }, ["column_1", "column_2"], [["1", "x"]], members: ["title": "t"]),
        .init(
            "no header, odd widths", "1,x\n2\n3,y,\n4,z,q\n", dialect: dialect { $0.headerRows = 0 },
            ["column_1", "column_2"],
            [["1", "x"], ["3", "y"]], rejectedLines: [2, 4]),
        .init(
            "a second header", "year,n\n年,數\n101,5\n", dialect: dialect { $0.headerRows = 2 }, ["year", "n"],
            [["101", "5"]],
            members: ["otherHeader": "年\t數"]),
        .init(
            "the second header gives the names", "年,數\nyear,\"n\"\n101,5\n",
            dialect: dialect {
                $0.headerRows = 2
                $0.namesRow = 2
            }, ["year", "n"], [["101", "5"]], members: ["otherHeader": "年\t數"]),
        .init("no second header", "a,b\n", dialect: dialect { $0.headerRows = 2 }, [], [], failure: .emptyBody),
        .init("no record at all", "\n", dialect: dialect { $0.headerRows = 0 }, [], [], failure: .emptyBody),
        .init(
            "line breaks in names", "\"受理\n件數\",\" a \r\n b\",\"\n\"\n1,2,3\n", dialect: dialect { $0.columnCount = 3 },
            ["受理 件數", "a b", ""], [["1", "2", "3"]]),
        .init(
            "names made distinct", "a,,a,a_2,\n1,2,3,4,\n", dialect: dialect { $0.distinctNames = true },
            ["a", "column_2", "a_3", "a_2"], [["1", "2", "3", "4"]]),
        .init(
            "B072: names that only look alike are distinct", "金,\u{F90A},e\u{301},\u{e9}\n1,2,3,4\n",
            dialect: dialect { $0.distinctNames = true }, ["金", "\u{F90A}", "e\u{301}", "\u{e9}"],
            [["1", "2", "3", "4"]]),
        .init(
            "B145: text below no name", "a;\n1;2;\n",
            dialect: dialect {
                $0.delimiter = UInt8(ascii: ";")
                $0.columnCount = 2
                $0.distinctNames = true
            }, ["a", "column_2"], [["1", "2"]]),
        .init(
            "more names than columns", "a,b,c\n1,2,3\n", dialect: dialect { $0.columnCount = 2 }, [], [],
            failure: .malformed),
        .init(
            "more columns than names", "a\n1,2\n",
            dialect: dialect {
                $0.columnCount = 2
                $0.distinctNames = true
            }, ["a", "column_2"], [["1", "2"]]),
        .init(
            "records of empty cells", "t\n,,\na,b,c\n,,\n1,2,3\n\"\", ,\t\n,,4\n",
            dialect: dialect {
                $0.titleRows = 1
                $0.skipsEmptyRecords = true
            }, ["a", "b", "c"], [["1", "2", "3"], ["", "", "4"]], members: ["title": "t"]),
        .init(
            "an empty cell is a record of one", "a\n\"\"\n", dialect: dialect { $0.skipsEmptyRecords = true }, ["a"],
            [[""]]),
        .init(
            "text formulas as published", "a,b,c\n=\"0050\",\"=\"\"0051\"\"\",=\"1,2\"\n=1,=\"x\" ,\"=\"\n",
            dialect: dialect { $0.keepsTextFormulas = true }, ["a", "b", "c"],
            [["=\"0050\"", "=\"0051\"", "=\"1,2\""], ["=1", "=\"x\"", "="]]),
        .init(
            "a number of records", "a,b\n1,2\n\n3\n5,6\n\n說明,x\n\"y\n",
            dialect: dialect { $0.recordCount = 3 }, ["a", "b"], [["1", "2"], ["5", "6"]], rejectedLines: [4],
            members: ["notes": "\n說明,x\n\"y\n"]),
        .init(
            "no records, then notes", "a,b\nx\n", dialect: dialect { $0.recordCount = 0 }, ["a", "b"], [],
            members: ["notes": "x\n"]),
        .init(
            "more records announced than there are", "a,b\n1,2\n", dialect: dialect { $0.recordCount = 9 }, ["a", "b"],
            [["1", "2"]]),
        .init(
            "notes behind records of empty cells", "a,b,c\n1,2,3\n,,\n,註,\n",
            dialect: dialect {
                $0.skipsEmptyRecords = true
                $0.recordCount = 1
            }, ["a", "b", "c"], [["1", "2", "3"]], members: ["notes": ",,\n,註,\n"]),
        .init(
            "bars", "a|b\n1|2,3\n", dialect: dialect { $0.delimiter = UInt8(ascii: "|") }, ["a", "b"], [["1", "2,3"]]),
    ]

    @Test("every case, whole and cut at every place", arguments: all)
    func cases(_ item: CSVCase) {
        let format = Format.csv(item.dialect)
        let whole = Decoded.decode(item.input, as: format)
        #expect(whole.failure == item.failure)
        #expect(whole.texts == item.records)
        #expect(whole.rejects.map(\.origin.line) == item.rejectedLines)
        if item.failure == nil {
            if !item.records.isEmpty {
                #expect(whole.header.map { Array($0.utf8) } == item.header.map { Array($0.utf8) })
            }
            #expect(whole.members == item.members)
        }
        for window in Decoded.windows(for: item.input.count) {
            #expect(Decoded.decode(item.input, as: format, window: window) == whole, "window of \(window)")
        }
    }

    @Test("cells that a record lacks are null, and no more than are allowed to", arguments: 1...40)
    func missing(_ window: Int) {
        let dialect = CSVDialectTests.dialect { $0.missingCells = 1 }
        let decoded = Decoded.decode("a,b,c\n1,2\n3,4,\n5\n6,7,8\n".utf8, as: .csv(dialect), window: window)
        #expect(decoded.records.map { $0[2] == .null } == [true, false, false])
        #expect(decoded.records.map { $0.map(\.description).prefix(2) } == [["1", "2"], ["3", "4"], ["6", "7"]])
        #expect(decoded.rejects.map(\.origin.line) == [4])
    }

    @Test("many records of each option, with kernels and without, are the same", arguments: [100, 700, 1 << 18])
    func kernels(_ window: Int) {
        let rows = (0..<3000).map { number in
            number % 7 == 0 ? "\(number),\"x\ny\"" : number % 11 == 0 ? ",," : "\(number),\"a,b\",z"
        }
        let text = "a,b,c\n" + rows.joined(separator: "\n") + "\n"
        let plain = Decoded.decode(text.utf8, as: .csv, window: window)
        let padded = Decoded.decode(
            text.utf8, as: .csv(CSVDialectTests.dialect { $0.missingCells = 1 }), window: window)
        #expect(padded.records.count == 3000 && padded.rejects.isEmpty)
        #expect(plain.records.count + plain.rejects.count == 3000)
        #expect(padded.records.filter { $0[2] != .null } == plain.records)
        let short = CSVDialectTests.dialect {
            $0.skipsEmptyRecords = true
            $0.missingCells = 1
            $0.keepsTextFormulas = true
        }
        let kept = Decoded.decode(text.utf8, as: .csv(short), window: window)
        #expect(kept.records == padded.records.filter { !$0.allSatisfy { $0.description.isEmpty } })
        let first = Decoded.decode(
            text.utf8,
            as: .csv(
                CSVDialectTests.dialect {
                    $0.missingCells = 1
                    $0.recordCount = 1000
                }), window: window)
        #expect(first.records == Array(padded.records.prefix(1000)) && first.members["notes"]?.isEmpty == false)
    }
}
