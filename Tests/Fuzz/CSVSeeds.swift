import OpenDataCore

/// Delimited text as it is published.
enum CSVSeeds {
    /// Words that mean something to a reader of delimited text.
    static let words: [[UInt8]] =
        [
            "\"", "\"\"", "\",\"", ",", ",,", "\n", "\r\n", "\r", "\n\n", "\t", ";", "|", "=\"0050\"", "=\"\"", "註:",
            "\u{FEFF}",
            "\"\n", "\" ,", " \"", "\u{0}", ",\n", "\"\"\"", "--", "合計",
        ].map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xA5], [0x80], [0xF4, 0x90, 0x80, 0x80]]

    /// The seeds.
    static let all: [FuzzSeed] = [
        FuzzSeed("code,name,count\n0050,台灣50,12\n0056,高股息,\n00632R,反一,7\n", .csv),
        FuzzSeed(
            """
            "日期","證券代號","證券名稱","成交股數"
            "1150708","0050","元大台灣50","12,345,678"
            "1150708","00632R","元大台灣50反1","1"
            "1150708","2330","台積電","30,100"

            """, .csv),
        FuzzSeed(
            "a,\"b\nline two\",c\r\n\"x \"\"y\"\" z\",\"1,2\",\r\n\"\",'it''s', 5\" pipe\r\n=\"0050\",\"=1+1\",\"tail\" \r\n",
            .csv, .csv(CSVDialect().with { $0.keepsTextFormulas = true })),
        FuzzSeed(
            "115年07月 測站日報表\n\n測站,日期,數值,\n臺北,115/07/01,12,\n板橋,115/07/02,-,\n註:資料未經校驗\n\"說明\",以上\n",
            .csv(CSVDialect(titleRows: 1, footnotes: ["註", "說明"])),
            .csv(CSVDialect(titleRows: 1).with { $0.recordCount = 2 })),
        FuzzSeed(
            "district,population\n區域別,人口數\n中正區,158000\n大同區,125000\n",
            .csv(CSVDialect().with { $0.headerRows = 2 }),
            .csv(
                CSVDialect().with {
                    ($0.headerRows, $0.namesRow) = (2, 2)
                    $0.distinctNames = true
                })),
        FuzzSeed(
            "1;2;3\n4;\"5;\";6\n;;\n7;8\n",
            .csv(
                CSVDialect(delimiter: ";").with {
                    $0.headerRows = 0
                    $0.columnCount = 3
                    $0.missingCells = 1
                    $0.skipsEmptyRecords = true
                })),
        FuzzSeed(
            "id\tid\t\tvalue\n1\t2\t3\t4\n\t\t\t\n5\t6\t\t\"7\n8\"\n",
            .csv(
                CSVDialect(delimiter: "\t").with {
                    $0.distinctNames = true
                    $0.skipsEmptyRecords = true
                }), .csv(CSVDialect(delimiter: "\t"))),
        FuzzSeed("value\n1\n\n\"\"\n2\n", .csv),
        FuzzSeed("a|b\n1|2\n3|4|\n5|6|7\n8\n", .csv(CSVDialect(delimiter: "|"))),
        FuzzSeed(
            TextSeeds.big5,
            [
                .csv(CSVDialect(), encodings: [.utf8, .cp950]), .csv(CSVDialect(), encodings: [.cp950]),
                .csv(CSVDialect(), encodings: [.utf8, .cp950, .big5hkscs]),
            ]),
        FuzzSeed(TextSeeds.utf16(isBigEndian: false), [.csv(CSVDialect(delimiter: "\t"), encodings: [.utf16])]),
        FuzzSeed(
            (1...24).map { "\"\($0)\",\"00\($0)\",\"名\($0)\",\"\($0 * 1000).5\"" }.joined(separator: "\n"), .csv,
            .csv(CSVDialect().with { $0.headerRows = 0 })),
        FuzzSeed((1...30).map { "r\($0),\"q\($0)\",\($0),," }.joined(separator: "\r\n") + "\r\n", .csv),
    ]
}

extension CSVDialect {
    /// The dialect with changes.
    func with(_ change: (inout CSVDialect) -> Void) -> CSVDialect {
        var copy = self
        change(&copy)
        return copy
    }
}
