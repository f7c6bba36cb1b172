import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct CSVFinderTests {
    /// A text, and what is to be found in it.
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        var hints = FormatHints()
        var dialect = CSVDialect()
        var findings: [String] = []
        var header: [String] = []
        var records: [[String]] = []
        var testDescription: String { name }

        init(
            _ name: String, _ text: String, findings: [String] = [], _ header: [String], _ records: [[String]],
            hints: (inout FormatHints) -> Void = { _ in }
        ) {
            self.init(name, text, { _ in }, findings: findings, header, records, hints: hints)
        }

        init(
            _ name: String, _ text: String, _ dialect: (inout CSVDialect) -> Void, findings: [String] = [],
            _ header: [String], _ records: [[String]], hints: (inout FormatHints) -> Void = { _ in }
        ) {
            self.name = name
            self.text = text
            self.findings = findings
            self.header = header
            self.records = records
            dialect(&self.dialect)
            hints(&self.hints)
        }
    }

    private static let comma = "records end with an extra comma"

    static let all: [Case] = [
        .init("plain", "a,b\n1,2\n3,4\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
        .init("one record of text", "縣市,首長\n台北,某人", ["縣市", "首長"], [["台北", "某人"]]),
        .init(
            "B120: one column of codes", "code\n0050\n006208\n00632R\n", ["code"], [["0050"], ["006208"], ["00632R"]]),
        .init("B121: noughts and ones", "x\n0\n1\n", ["x"], [["0"], ["1"]]),
        .init("B074: nothing but empty cells", "a,b\n,\n", ["a", "b"], [["", ""]]),
        .init("B060: lone returns", "a,b\r1,2\r", ["a", "b"], [["1", "2"]]),
        .init(
            "B141: byte order mark before a quoted header", "\u{FEFF}\"a\",b\n1,2\n", ["a", "b"], [["1", "2"]]),
        .init(
            "B128: a title, semicolons", "115年06月24日 每日收盤行情\n代號;價\n0050;1\n",
            {
                $0.titleRows = 1
                $0.delimiter = UInt8(ascii: ";")
            },
            findings: [
                "cells are separated by semicolons", "line 1 is taken for a title", "the header is on line 2",
            ], ["代號", "價"], [["0050", "1"]]),
        .init(
            "decimal commas between semicolons", "a;b;c\n1,5;2,5;3,5\n4,5;5,5;6,5\n",
            { $0.delimiter = UInt8(ascii: ";") },
            findings: ["cells are separated by semicolons"], ["a", "b", "c"],
            [["1,5", "2,5", "3,5"], ["4,5", "5,5", "6,5"]]),
        .init(
            "commas in prose between tabs", "標題\t說明\n一\t好,壞\n二\t是,否,也許\n三\t無\n", { $0.delimiter = 9 },
            findings: ["cells are separated by tabs"], ["標題", "說明"], [["一", "好,壞"], ["二", "是,否,也許"], ["三", "無"]]),
        .init(
            "bars in every record", "a,b,c|d\n1,2,3|4\n", ["a", "b", "c|d"], [["1", "2", "3|4"]]),
        .init(
            "titles padded with commas, units", "公告,,,,,,,,\n(元),,,,,,,(股),\na,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n",
            { $0.titleRows = 2 }, findings: ["lines 1 to 2 are taken for titles", "the header is on line 3"],
            ["a", "b", "c", "d", "e", "f", "g", "h", "i"], [["1", "2", "3", "4", "5", "6", "7", "8", "9"]]),
        .init(
            "everything at once",
            "\"109年04月\"\n\"日期\",\"價\",\"量\",\n\"109/04/01\",\"1\",\"2\",\n"
                + "\"109/04/06\",\"3\",\"4\",\n\"說明:\"\n\"甲,乙\"\n\n",
            {
                $0.titleRows = 1
                $0.recordCount = 2
            },
            findings: [
                "line 1 is taken for a title", "the header is on line 2", comma,
                "2 records after the table, from line 5 on, are taken for notes",
            ], ["日期", "價", "量"], [["109/04/01", "1", "2"], ["109/04/06", "3", "4"]]),
        .init(
            "records longer than the header by nothing", "a,b\n1,2,\n3,4,\n", findings: [comma], ["a", "b"],
            [["1", "2"], ["3", "4"]]),
        .init(
            "a column that is always empty has a name", "日期,價,空白\n1/2,3,\n1/3,4,\n", ["日期", "價", "空白"],
            [["1/2", "3", ""], ["1/3", "4", ""]]),
        .init(
            "no header: days and numbers", "2014/1/1,0\n2014/1/28,0\n",
            {
                $0.headerRows = 0
                $0.columnCount = 2
            },
            findings: ["there is no header: line 1 is a record like the others"], ["column_1", "column_2"],
            [["2014/1/1", "0"], ["2014/1/28", "0"]]),
        .init(
            "no header: text that occurs again", "台北市,信義區\n台北市,大安區\n",
            {
                $0.headerRows = 0
                $0.columnCount = 2
            },
            findings: ["there is no header: line 1 is a record like the others"], ["column_1", "column_2"],
            [["台北市", "信義區"], ["台北市", "大安區"]]),
        .init(
            "years in the header", "縣市,2019,2020\n台北,1,2\n高雄,3,4\n", ["縣市", "2019", "2020"],
            [["台北", "1", "2"], ["高雄", "3", "4"]]),
        .init(
            "codes in the header", "日期,0050,2330\n2020/1/2,1,2\n", ["日期", "0050", "2330"], [["2020/1/2", "1", "2"]]),
        .init("hours in the header", "站,00,01,02\n甲,5,6,7\n", ["站", "00", "01", "02"], [["甲", "5", "6", "7"]]),
        .init(
            "no header: text that occurs again beside numbers", "甲,1\n乙,2\n甲,3\n",
            {
                $0.headerRows = 0
                $0.columnCount = 2
            },
            findings: ["there is no header: line 1 is a record like the others"], ["column_1", "column_2"],
            [["甲", "1"], ["乙", "2"], ["甲", "3"]]),
        .init(
            "records of blank cells above the header", "公告\n,,\n \n月報\na,b,c\n1,2,3\n",
            {
                $0.titleRows = 2
                $0.skipsEmptyRecords = true
            },
            findings: ["lines 1 to 4 are taken for titles", "the header is on line 5"], ["a", "b", "c"],
            [["1", "2", "3"]]),
        .init(
            "a line of blanks", "a,b\n1,2\n  \n3,4\n", { $0.skipsEmptyRecords = true },
            findings: ["a record of empty cells is passed over"], ["a", "b"], [["1", "2"], ["3", "4"]]),
        .init(
            "names above several others", ",男,,女,\n區,人,戶,人,戶\n甲,1,2,3,4\n乙,5,6,7,8\n",
            {
                $0.titleRows = 1
                $0.distinctNames = true
            },
            findings: [
                "line 1 is taken for a title", "the header is on line 2",
                "another column of the name '人' is called '人_2'", "another column of the name '戶' is called '戶_2'",
            ], ["區", "人", "戶", "人_2", "戶_2"], [["甲", "1", "2", "3", "4"], ["乙", "5", "6", "7", "8"]]),
        .init(
            "a title above two columns; the line of a spreadsheet that names the delimiter", "sep=;\n年;數\n101;5\n",
            {
                $0.titleRows = 1
                $0.delimiter = UInt8(ascii: ";")
            },
            findings: [
                "cells are separated by semicolons", "line 1 is taken for a title", "the header is on line 2",
            ], ["年", "數"], [["101", "5"]]),
        .init(
            "the header once more", "年,數\n101,5\n年,數\n102,6\n",
            findings: ["line 3 is the header once more, and is a record"],
            ["年", "數"], [["101", "5"], ["年", "數"], ["102", "6"]]),
        .init(
            "the header twice more", "年,數\n101,5\n年,數\n102,6\n年,數\n103,7\n",
            findings: [
                "line 3 is the header once more, and is a record; so are others, 2 of those at the beginning and the end"
            ],
            ["年", "數"], [["101", "5"], ["年", "數"], ["102", "6"], ["年", "數"], ["103", "7"]]),
        .init(
            "a name for each year, none for the first column", ",2019,2020\n台北,1,2\n高雄,3,4\n",
            { $0.distinctNames = true },
            findings: ["a column without a name is called 'column_1'"], ["column_1", "2019", "2020"],
            [["台北", "1", "2"], ["高雄", "3", "4"]]),
        .init(
            "a second header", "year,dead\n年,死亡\n101,5\n102,6\n", { $0.headerRows = 2 },
            findings: ["line 2 is taken for a second header in Chinese"], ["year", "dead"],
            [["101", "5"], ["102", "6"]]),
        .init(
            "a second header, English below Chinese", "區,交易 日,價\ndistrict,date of transaction,price\n甲,1130101,5\n",
            { $0.headerRows = 2 },
            findings: ["line 2 is taken for a second header in English"], ["區", "交易 日", "價"], [["甲", "1130101", "5"]]),
        .init(
            "no second header: a record without numbers", "名稱,數量\n甲,無資料\n乙,5\n丙,6\n", ["名稱", "數量"],
            [["甲", "無資料"], ["乙", "5"], ["丙", "6"]]),
        .init(
            "names twice, and none", "name,name,\n1,2,3\n4,5,6\n",
            {
                $0.columnCount = 3
                $0.distinctNames = true
            },
            findings: [
                "another column of the name 'name' is called 'name_2'", "a column without a name is called 'column_3'",
            ], ["name", "name_2", "column_3"], [["1", "2", "3"], ["4", "5", "6"]]),
        .init(
            "records without an empty last cell", "a,b,c\n1,2\n3,4\n5,6,\n7,8\n", { $0.missingCells = 1 },
            findings: ["3 records lack the last cell, which is empty in all others"], ["a", "b", "c"],
            [["1", "2", ""], ["3", "4", ""], ["5", "6", ""], ["7", "8", ""]]),
        .init(
            "a record of empty cells", "a,b\n1,2\n,\n3,4\n", { $0.skipsEmptyRecords = true },
            findings: ["a record of empty cells is passed over"], ["a", "b"], [["1", "2"], ["3", "4"]]),
        .init(
            "notes in a later cell, behind empty cells", "a,b,c\n1,2,3\n4,5,6\n,,\n,說明：短,\n,續,\n",
            { $0.recordCount = 2 },
            findings: ["2 records after the table, from line 5 on, are taken for notes"], ["a", "b", "c"],
            [["1", "2", "3"], ["4", "5", "6"]]),
        .init(
            "a last record with a key alone is none", "代碼,b,c\n甲,2,3\n乙,5,6\n丙,,\n", ["代碼", "b", "c"],
            [["甲", "2", "3"], ["乙", "5", "6"], ["丙", "", ""]]),
        .init(
            "a note of a word", "Date,Close\n2020-01-01,3\nSource: TWSE", { $0.recordCount = 1 },
            findings: ["line 3 after the table is taken for a note"], ["Date", "Close"], [["2020-01-01", "3"]]),
        .init(
            "formulas of text", "代號,名稱\n=\"0050\",台灣50\n", { $0.keepsTextFormulas = true },
            findings: ["a cell is written as a formula of text, =\"…\", and kept as published"], ["代號", "名稱"],
            [["=\"0050\"", "台灣50"]]),
        .init(
            "what hints say is not asked again", "1;2\n3;4\n",
            {
                $0.headerRows = 0
                $0.columnCount = 2
                $0.delimiter = UInt8(ascii: ";")
            }, ["column_1", "column_2"], [["1", "2"], ["3", "4"]],
            hints: {
                $0.headerRows = 0
                $0.delimiter = UInt8(ascii: ";")
            }),
        .init(
            "one column of text, where it is said to be CSV", "名稱\n台北, 市\n", { $0.delimiter = 9 }, ["名稱"], [["台北, 市"]],
            hints: { $0.format = "tsv" }),
        .init(
            "title rows said to be there", "t\nu,v,w\na,b\n1,2\n", { $0.titleRows = 2 },
            findings: ["the header is on line 3"],
            ["a", "b"], [["1", "2"]], hints: { $0.titleRows = 2 }),
        .init(
            "a first record that is a header all the same", "1,2\n3,4\n", ["1", "2"], [["3", "4"]],
            hints: { $0.headerRows = 1 }),
    ]

    private func payload(_ text: String) -> Payload {
        Payload(response: Response(url: "test:"), body: .bytes(Array(text.utf8)))
    }

    @Test("what is found, and what it decodes to", arguments: all)
    func cases(_ item: Case) throws {
        let found = try CSVFinder.find(in: payload(item.text), item.hints)
        #expect(found.format == .csv(item.dialect))
        #expect(found.findings == item.findings)
        for window in [1, 7, 1 << 18] {
            let decoded = Decoded.decode(item.text.utf8, as: found.format, window: window)
            #expect(decoded.header == item.header && decoded.texts == item.records)
            #expect(decoded.rejects.isEmpty && decoded.failure == nil)
        }
    }

    @Test(
        "what is refused, and what settles it",
        arguments: [
            ("Unreachable Server", .unexpectedContent, "Unreachable Server"), ("API金鑰錯誤", .unexpectedContent, "金鑰"),
            ("系統忙碌中\n請稍後再試\n", .unexpectedContent, "--source-format csv"),
            ("標題\n今天, 天氣好\n明天, 下雨, 颳風\n後天", .unexpectedContent, "no table"),
            ("a,b\n", .noData, "2 cells"), ("t\n\na,b\n", .noData, "2 cells"), ("", .emptyBody, ""),
            ("\n\r\n", .emptyBody, ""),
            (",,\n,,\n", .emptyBody, ""),
            ("a,b\n1,\"2\n3,4\n", .malformed, "quote"),
            // B064, B145: line, expected, found.
            ("a,b\n1\n1,2,3\n4,5\n", .unexpectedContent, "2 do not have 2 cells: the first of them, on line 2, has 1"),
            ("a;b\n1;2\n3\n", .unexpectedContent, "1 do not have 2 cells: the first of them, on line 3, has 1"),
            ("a;\n1;2;\n", .unexpectedContent, "line 1, with 2 cells, may be the header of records of 3 cells"),
            ("a,b,c\n1,2,3\n4,5,6\n7", .unexpectedContent, "on line 4, has 1"),
            ("2019,2020\n1,2\n3,4\n", .unexpectedContent, "--header-rows"),
            ("a,b\nr1,1,2\nr2,3,4\n", .unexpectedContent, "cells"),
            ("\"109年04月\"\n\"日期\",\"價\",\n\"查無資料\"\n", .noData, "2 cells"),
            ("名稱,類別,2020\n甲,乙,5\n", .unexpectedContent, "--header-rows"),
            ("a|b,c\n1|2,3\n", .unexpectedContent, "commas or bars: 2 columns each; --delimiter"),
            ("x,y\n1,2\n3,4\n5,6\nt\na,b,c,d\n1,2,3,4\n5,6,7,8\n", .unexpectedContent, "--title-rows 5"),
            ("<!DOCTYPE html><html>a,b\n1,2</html>", .unexpectedContent, "HTML"),
        ] as [(String, OpenDataError.Code, String)])
    func refusals(_ text: String, _ code: OpenDataError.Code, _ words: String) {
        do {
            let found = try CSVFinder.find(in: payload(text), FormatHints())
            Issue.record("read as \(found)")
        } catch {
            #expect(error.code == code)
            #expect(error.message.contains(words) || words.isEmpty, "\(error.message)")
        }
    }

    @Test("encodings and dialect together; a bad byte on request") func encodings() throws {
        func find(_ bytes: [UInt8], _ hints: FormatHints = FormatHints(), _ invalid: TextSource.InvalidText = .refused)
            throws -> FoundFormat
        {
            try CSVFinder.find(
                in: Payload(response: Response(url: "test:"), body: .bytes(bytes)), hints, invalid: invalid)
        }
        let wide = "甲\t乙\n1\t2\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let tabs = try find(wide)
        #expect(tabs.format.encodings == [.utf16le])
        #expect(tabs.findings == ["the text is in utf-16le", "cells are separated by tabs"])
        let big5: [UInt8] = [0xA5, 0x78, 0x2C, 0xA5, 0x5F, 0x0A, 0x31, 0x2C, 0x95, 0xCD, 0x0A]
        let found = try find(big5)
        #expect(found.format == .csv(CSVDialect(), encodings: [.cp950]))
        #expect(found.findings == ["the text is in cp950 (Big5)"])
        var hints = FormatHints()
        hints.encoding = .cp950
        #expect(try find(big5, hints).findings == Array(found.findings.dropFirst()))
        hints.encoding = .utf8
        #expect(throws: OpenDataError.self) { try find(big5, hints) }
        let broken = Array("空氣,品質\n1,2".utf8) + [0xFF, 0x0A]
        #expect(throws: OpenDataError.self) { try find(broken) }
        let mended = try find(broken, FormatHints(), .replaced)
        #expect(mended.format.encodings == [.utf8])
        #expect(mended.findings.isEmpty)
    }

    @Test("B137: what stands behind the first mebibyte counts as well") func long() throws {
        let rows = (0..<70000).map { "2330,\"台,積\($0)\",\($0)\n" }.joined()
        let plain = try CSVFinder.find(in: payload("代號,名稱,量\n" + rows), FormatHints())
        #expect(plain.format == .csv && plain.findings.isEmpty)
        let notes = "每日行情\n代號,名稱,量\n" + rows + ",,\n1,2,3,\n說明:\n甲\n"
        let found = try CSVFinder.find(in: payload(notes), FormatHints())
        let dialect = try #require(found.format.dialect as? CSVDialect)
        #expect(dialect.titleRows == 1 && dialect.recordCount == 70001 && dialect.skipsEmptyRecords)
        let decoded = Decoded.decode(notes.utf8, as: found.format)
        #expect(decoded.records.count == 70001 && decoded.rejects.isEmpty && decoded.members["notes"] == "說明:\n甲\n")
        // A few odd records are left to be rejected, and told; text below no name makes a column wherever it begins.
        let odd = try CSVFinder.find(in: payload("代號,名稱,量\n" + rows + "1\n1,2,3,4\n" + rows), FormatHints())
        #expect(
            odd.findings.first?.contains(
                "of 140002 records, 2 do not have 3 cells: the first of them, on line 70002, has 1") == true)
        #expect(odd.format == .csv)
        // A bad byte at the very end makes it another encoding, or none.
        #expect(throws: OpenDataError.self) {
            try CSVFinder.find(
                in: Payload(response: Response(url: "test:"), body: .bytes(Array(("代號,名稱,量\n" + rows).utf8) + [0xFF])),
                FormatHints())
        }
    }

    @Test(
        "B054, B121, B123, B125, B126: nothing is made of text but text, however late it changes",
        arguments: [
            ("x", 20500, "1", ["0050", "1.5"]), ("code,n", 3000, "\"100\",1", ["\"D100\",07", "0050,1E10"]),
            ("k,v", 100, "01,0", ["A1,F", "99,1"]),
        ] as [(String, Int, String, [String])])
    func untouched(_ header: String, _ count: Int, _ row: String, _ last: [String]) throws {
        let rows = Array(repeating: row, count: count) + last
        let text = header + "\n" + rows.joined(separator: "\n") + "\n"
        let found = try CSVFinder.find(in: payload(text), FormatHints())
        #expect(found.format == .csv && found.findings.isEmpty)
        let decoded = Decoded.decode(text.utf8, as: found.format)
        #expect(decoded.texts.map { $0.joined(separator: ",") } == rows.map { $0.replacing("\"", with: "") })
        #expect(decoded.records.allSatisfy { $0.allSatisfy { if case .text = $0 { true } else { false } } })
    }

    @Test("random tables, whatever they are delimited by", arguments: 0..<60)
    func random(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let delimiter = [",", ";", "\t", "|"][Int(seed) % 4]
        let width = Int.random(in: 2...8, using: &random)
        let ends = Bool.random(using: &random) ? "\r\n" : "\n"
        let pieces = ["甲", "b c", "1,234", "x;y", "p|q", "\"", "\n", "3.5", "", "－", "2020/1/2", "t\tu"]
        func cell() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        var records = [(0..<width).map { "欄位\($0)x" }]
        for number in 1...Int.random(in: 3...120, using: &random) {
            records.append(["\(number)"] + (1..<width).map { _ in cell() })
        }
        let text = records.map { record in
            record.map {
                "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
            }
            .joined(separator: delimiter) + ends
        }.joined()
        let found = try CSVFinder.find(in: payload(text), FormatHints())
        #expect(
            found.findings
                == (delimiter == ","
                    ? [] : ["cells are separated by \(CSVLayout.name(ofDelimiter: Array(delimiter.utf8)[0]))s"]))
        #expect(Decoded.decode(text.utf8, as: found.format).texts == Array(records.dropFirst()))
    }

    @Test("seeded mutation: no trap, and what is found decodes with all records accounted for", arguments: 0..<40)
    func mutation(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = CSVFinderTests.all.map(\.text)
        for _ in 0..<60 {
            let text = (0..<Int.random(in: 1...3, using: &random)).map { _ in texts.randomElement(using: &random) ?? ""
            }.joined()
            let bytes = Mutation.mutated(Array(text.utf8), using: &random)
            let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
            guard let found = try? CSVFinder.find(in: payload, FormatHints()),
                let dialect = found.format.dialect as? CSVDialect
            else { continue }
            let decoded = Decoded.decode(bytes, as: found.format)
            #expect(decoded.failure == nil)
            #expect(
                decoded.records.count > 0
                    && decoded.rejects.count * CSVLayout.tolerance <= decoded.records.count + decoded.rejects.count)
            #expect(dialect.recordCount == nil || dialect.recordCount == decoded.records.count + decoded.rejects.count)
            #expect(
                decoded.rejects.isEmpty
                    || found.findings.contains { $0.contains("\(decoded.rejects.count) do not have") })
        }
    }
}
