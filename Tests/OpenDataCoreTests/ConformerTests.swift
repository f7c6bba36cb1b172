@testable import OpenDataCore
import TestSupport
import Testing

@Suite struct ConformerTests {
    /// What one cell of a field becomes, or `nil` if its record is rejected.
    private func value(_ text: String, _ field: Field, quoted: Bool = false, kind: Cell.Kind = .text) throws -> Value? {
        let batch = batch([field.name], [[(text, kind, quoted)]])
        var conformer = Conformer(Schema([field]))
        let result = try conformer.conform(batch)
        #expect(result.readCount == 1)
        return result.count == 1 ? Record(result, 0).value(at: 0) : nil
    }

    private func batch(_ names: [String], _ rows: [[(String, Cell.Kind, Bool)]]) -> RecordBatch {
        var batch = RecordBatch(columns: Columns(names))
        for (index, row) in rows.enumerated() {
            for (text, kind, quoted) in row {
                switch kind {
                case .absent: batch.cells.append(.absent)
                case .null: batch.cells.append(.null)
                case .boolean: batch.cells.append(.boolean(text == "true"))
                default:
                    let cell = batch.append(text: text)
                    batch.cells.append(Cell(kind, offset: cell.offset, length: cell.length, quoted: quoted))
                }
            }
            batch.origins.append(RecordOrigin(record: index + 1, line: index + 2, byte: index))
        }
        return batch
    }

    private func texts(_ names: [String], _ rows: [[String]]) -> RecordBatch {
        batch(names, rows.map { $0.map { ($0, .text, false) } })
    }

    @Test(
        "numbers keep their digits and lose their dress",
        arguments: [
            ("2510.00", "2510.00"), ("14,304,763", "14304763"), ("+3.60", "3.60"), ("-0.05", "-0.05"),
            (" 0.00 ", "0.00"),
            ("9007199254740993", "9007199254740993"), ("007", "7"), ("00", "0"), (".5", "0.5"), ("-.25", "-0.25"),
            ("+1,234.5", "1234.5"),
            ("１２３", "123"), ("－１，２３４．５", "-1234.5"), ("0.30000000000000004", "0.30000000000000004"),
            ("\u{3000}12\u{3000}", "12"),
            (
                "123456789012345678901234567890123456789012345678901234567890.10",
                "123456789012345678901234567890123456789012345678901234567890.10"
            ),
        ])
    func numbers(_ text: String, _ expected: String) throws {
        #expect(try value(text, .number("n")) == .number(expected))
    }

    @Test(
        "B078, B075, B127, B084: what is not wholly a number is rejected",
        arguments: [
            "12abc", "7x", "1,23", "1234,567", ",123", "1,234,", "1..2", "1.", "nan", "inf", "0x10", "1E10", "1e5",
            "--5", "+-5", "1 2",
            "五", "abc", "12%", "1.2.3", "+", ".",
        ])
    func noNumbers(_ text: String) throws { #expect(try value(text, .number("n")) == nil) }

    @Test("B084, B091: whole numbers have no fraction, and truth is no number") func integers() throws {
        #expect(try value("1,234", .integer("n")) == .number("1234"))
        #expect(try value("7.5", .integer("n")) == nil)
        #expect(try value("7.5", .integer("n"), kind: .number) == nil)
        #expect(try value("1e3", .integer("n"), kind: .number) == nil)
        #expect(try value("18446744073709551616", .integer("n"), kind: .number) == .number("18446744073709551616"))
        #expect(try value("true", .integer("n"), kind: .boolean) == nil)
        #expect(try value("1e300", .number("n"), kind: .number) == .number("1e300"))
    }

    @Test(
        "B012, B013, B014, B045: what means nothing is null, never 0",
        arguments: ["", "-", "--", "---", "N/A", " -- ", "ND", "  "])
    func missing(_ text: String) throws {
        #expect(try value(text, .number("n")) == .null)
        #expect(try value(text, .date("d"), quoted: true) == .null)
    }

    @Test("B030, B057: a number may come as a text, a text as a number") func mixedKinds() throws {
        #expect(try value("1,234", .number("n"), quoted: true) == .number("1234"))
        #expect(try value("24.40391700", .number("n"), kind: .number) == .number("24.40391700"))
        #expect(try value("2330", .text("c"), kind: .number) == .text("2330"))
        #expect(try value("true", .text("c"), kind: .boolean) == nil)
        #expect(try value("[1]", .text("c"), kind: .json) == nil)
    }

    @Test(
        "B035, B054, B120, B121, B123, B125: codes are text",
        arguments: [
            "0050", "00632R", "1E10", "0", "1", "true", "00400A", "007", "1,234", "D100",
        ])
    func codes(_ text: String) throws {
        #expect(try value(text, .text("code")) == .text(text))
        #expect(try value(text, .text("code"), quoted: true) == .text(text))
    }

    @Test("B059: empty, null and absent are three things") func emptiness() throws {
        let field = Field.text("mrt", missing: [])
        #expect(try value("", field, quoted: true) == .text(""))
        #expect(try value("", field) == .null)
        #expect(try value("", field, kind: .null) == .null)
        #expect(try value("", field, kind: .absent) == .absent)
        #expect(try value("", .text("mrt"), quoted: true) == .null)
    }

    @Test(
        "a field of any type that needs a value has its record rejected without one",
        arguments: [
            Field.text("f", required: true), .number("f", required: true), .integer("f", required: true),
            .date("f", required: true),
        ])
    func required(_ field: Field) throws {
        for isQuoted in [false, true] { #expect(try value("", field, quoted: isQuoted) == nil) }
        for kind in [Cell.Kind.null, .absent] { #expect(try value("", field, kind: kind) == nil) }
    }

    @Test func datesAndTimes() throws {
        #expect(try value("1150708", .date("d"))?.description == "2026-07-08")
        #expect(try value("1150708", .date("d"), kind: .number)?.description == "2026-07-08")
        #expect(try value("115/02/29", .date("d")) == nil)
        #expect(try value("2026/07/08 13:00", .dateTime("t"))?.description == "2026-07-08T13:00:00+08:00")
        #expect(try value("13:00", .dateTime("t")) == nil)
        #expect(try value("TRUE", .boolean("b")) == .boolean(true))
        #expect(try value("1", .boolean("b")) == nil)
    }

    @Test("repeated days are read once and right") func repeatedDays() throws {
        var conformer = Conformer([.date("d")])
        let result = try conformer.conform(texts(["d"], [["1150708"], ["1150708"], ["1150709"], [""], ["1150708"]]))
        #expect(
            (0..<5).map { Record(result, $0).value(at: 0).description }
                == ["2026-07-08", "2026-07-08", "2026-07-09", "", "2026-07-08"])
    }

    @Test("marks go to their companion or are counted") func marks() throws {
        let schema: Schema = [
            .number("change", marks: [Mark("X", keepsValue: false)]), .date("day", marks: [Mark("＊")]),
        ]
        let rows = [["X0.00", "115/06/24＊"], ["-1.50", "115/06/25"]]
        var kept = Conformer(schema, marks: true)
        let result = try kept.conform(texts(["change", "day"], rows))
        #expect(result.columns.names == ["change", "change_mark", "day", "day_mark"])
        #expect((0..<4).map { Record(result, 0).value(at: $0).description } == ["", "X", "2026-06-24", "＊"])
        #expect((0..<4).map { Record(result, 1).value(at: $0).description } == ["-1.50", "", "2026-06-25", ""])
        var dropped = Conformer(schema)
        #expect(try dropped.conform(texts(["change", "day"], rows)).columns.names == ["change", "day"])
        #expect(dropped.droppedMarks == 2)
        // An earlier export has the marks in columns of their own.
        var again = Conformer(schema, marks: true)
        let names = ["change", "change_mark", "day", "day_mark"]
        let back = try again.conform(texts(names, [["", "X", "2026-06-24", "＊"], ["-1.50", "", "2026-06-25", ""]]))
        #expect((0..<4).map { Record(back, 0).value(at: $0).description } == ["", "X", "2026-06-24", "＊"])
        #expect(again.unknownColumns.isEmpty)
        // What stands behind a misfit is not looked at: its marks are not counted.
        var ended = Conformer(schema)
        let misfits = texts(["change", "day"], [["abc", "115/06/24＊"], ["1", "115/06/25＊"]])
        #expect(try ended.conform(misfits).rejects.count == 1 && ended.droppedMarks == 1)
        // Beside a mark, the value has to be one all the same.
        var strict = Conformer(schema)
        #expect(try strict.conform(texts(["change", "day"], [["Xabc", "115/06/24"]])).rejects.count == 1)
    }

    @Test("B008: columns go by name, constants stand in for them") func mapping() throws {
        let schema: Schema = [
            .date("date", "日期", optionalColumn: true), .text("code", "證券代號", "Code"), .number("close", "收盤價", "Close"),
        ]
        var first = Conformer(schema, constants: ["date": "20240715"])
        let result = try first.conform(texts(["Close", "註記", "Code"], [["1.50", "x", "0050"]]))
        #expect(Record(result, 0).value("date").description == "2024-07-15")
        #expect(Record(result, 0).value("code") == .text("0050") && Record(result, 0).value("close") == .number("1.50"))
        #expect(first.unknownColumns == ["註記"])
        var second = Conformer(schema, constants: ["date": "20240715"])
        let dated = try second.conform(texts(["日期", "證券代號", "收盤價"], [["1150708", "0050", "1.50"]]))
        #expect(Record(dated, 0).value("date").description == "2026-07-08")
        var third = Conformer(schema)
        #expect(Record(try third.conform(texts(["Code", "Close"], [["a", "1"]])), 0).value("date") == .null)
    }

    @Test("B006, B019: missing columns are named, with what is there") func missingColumns() {
        var conformer = Conformer([.text("code", "證券代號"), .number("close", "收盤價", "ClosingPrice")])
        #expect {
            try conformer.conform(texts(["證券代號", "收盤價格"], [["a", "1"]]))
        } throws: { error in
            guard let error = error as? OpenDataError, error.code == .schemaChanged else { return false }
            return error.message.contains("'收盤價' (or 'ClosingPrice'), perhaps now '收盤價格'")
                && error.message.contains("it has '證券代號', '收盤價格'")
        }
        #expect(throws: OpenDataError.self) {
            try conformer.conform(texts(["證券代號", "證券代號", "收盤價"], [["a", "b", "1"]]))
        }
        // B072: a look-alike is another column.
        var exact = Conformer([.text("a", "金")])
        #expect(throws: OpenDataError.self) { try exact.conform(texts(["\u{F90A}"], [["1"]])) }
    }

    @Test("read = written + rejected; the reason says where and what") func rejects() throws {
        var conformer = Conformer([.text("code", required: true), .integer("n")])
        let result = try conformer.conform(texts(["code", "n"], [["a", "1"], ["b", "x"], ["", "3"], ["d", "4"]]))
        #expect(result.count == 2 && result.readCount == 4)
        #expect(result.rejects.map(\.code) == [.type, .required] && result.rejects.map(\.origin.line) == [3, 4])
        #expect(result.rejects.map(\.field) == ["n", "code"] && result.rejects[0].message == "'x' is no whole number")
        #expect((0..<2).map { Record(result, $0).value(at: 0).description } == ["a", "d"])
        // Two faults in a record are one reject; records are read in blocks, and rejects may stand in any of them.
        let many = (1...200).map { $0 % 7 == 0 ? ["", "x\($0)"] : ["c\($0)", "\($0)"] }
        let blocks = try conformer.conform(texts(["code", "n"], many))
        #expect(blocks.rejects.map(\.origin.record) == (1...200).filter { $0 % 7 == 0 })
        #expect(blocks.rejects.allSatisfy { $0.code == .required && $0.field == "code" })
        let kept = (0..<blocks.count).map { Record(blocks, $0).value(at: 0).description }
        #expect(kept == (1...200).filter { $0 % 7 != 0 }.map { "c\($0)" })
        #expect(blocks.origins.map(\.record) == (1...200).filter { $0 % 7 != 0 })
    }

    @Test("as published: nothing is touched but bare empty cells") func asPublished() throws {
        var conformer = Conformer(.asPublished)
        let result = try conformer.conform(
            batch(["甲", "乙", "丙"], [[(" 007 ", .text, false), ("", .text, false), ("", .text, true)]]))
        #expect((0..<3).map { Record(result, 0).value(at: $0) } == [.text(" 007 "), .null, .text("")])
    }

    @Test("typed reading refuses what does not fit") func typed() throws {
        var conformer = Conformer([.text("code"), .number("close"), .integer("n")])
        let record = Record(try conformer.conform(texts(["code", "close", "n"], [["0050", "198.10", "--"]])), 0)
        #expect(try record["code"] as String == "0050")
        #expect(try (record["close"] as ExactDecimal).description == "198.10")
        #expect(try record["close"] as Double? == 198.1)
        #expect(try record["n"] as Int? == nil)
        #expect(throws: OpenDataError.self) { try record["n"] as Int }
        #expect(throws: OpenDataError.self) { try record["close"] as Int }
        #expect(throws: OpenDataError.self) { try record["close"] as CalendarDate? }
        #expect(throws: OpenDataError.self) { try record["nothing"] as String? }
    }

    @Test("a constant with commas is the same in every record; a column that two fields read stays whole")
    func sharedText() throws {
        var conformer = Conformer(
            [.text("raw", "n"), .integer("n"), .text("again", "n"), .integer("k")], constants: ["k": "1,234"])
        let result = try conformer.conform(texts(["n"], [["5,678"], ["12"], ["9,999,999"]]))
        let values = (0..<3).map { record in (0..<4).map { Record(result, record).value(at: $0).description } }
        #expect(
            values == [
                ["5,678", "5678", "5,678", "1234"], ["12", "12", "12", "1234"],
                ["9,999,999", "9999999", "9,999,999", "1234"],
            ])
    }

    /// Cells of every kind for one field, wide enough that words can be loaded from them.
    @Test("the kernel takes nothing that the plan would read otherwise", arguments: 0..<30)
    func kernel(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "0", "1", "9", "12", "007", "-", "--", ".", "1.5", "+", ",", " ", "X", "e", "１", "\u{3000}", "1150708",
            "113/7/5",
            "中", "1234567890", "", "", "技", "\u{A0}", "é", "À", "\t", "、", "\u{3001}",
        ]
        // Half of the seeds have fields too that are never the kernel's.
        let plain: [Field] = [
            .text("t"), .text("u", missing: []), .integer("i"), .number("n"),
            .number("m", marks: [Mark("X", keepsValue: false)]), .date("d"), .date("e", marks: [Mark("X")]),
            .text("r", required: true), .number("q", required: true),
        ]
        let others: [Field] = [
            .text("v", missing: ["-"]), .number("s", marks: [Mark("-")]), .number("w", missing: ["", "9"]),
            .boolean("b"),
        ]
        let schema = Schema(seed % 2 == 0 ? plain : plain + others)
        let names = schema.fields.map(\.name)
        let usual = ["a", "b", "12", "-1.50", "3", "1150708", "1150709", "x", "0.5", "c", "4", "5", "true"]
        let rows = (0..<60).map { _ in
            names.indices.map { column in
                if Int.random(in: 0..<12, using: &random) > 0 { return usual[column] }
                return (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
                }.joined()
            }
        }
        // All records at once, mostly by the kernel; and each alone, too short for the kernel to load a word from.
        var conformer = Conformer(schema)
        let together = try conformer.conform(texts(names, rows))
        var alone: [[Value]] = []
        for row in rows {
            var single = Conformer(schema)
            var padded = texts(names, [row])
            padded.bytes = []
            // One byte of room after the last cell: no sixteen bytes remain for the last fields.
            for index in padded.cells.indices { padded.cells[index] = padded.append(text: row[index]) }
            let result = try single.conform(padded)
            if result.count == 1 { alone.append(names.indices.map { Record(result, 0).value(at: $0) }) }
        }
        #expect(
            (0..<together.count).map { record in names.indices.map { Record(together, record).value(at: $0) } } == alone
        )
        #expect(together.readCount == rows.count)
    }

    @Test("every short text of signs, points, zeros and ones is a number to the kernel if it is one to the plan")
    func shortNumbers() throws {
        var rows = [[""]]
        for length in 1...5 {
            rows += rows.filter { $0[0].utf8.count == length - 1 }.flatMap { row in
                ["0", "1", "-", "."].map { [row[0] + $0] }
            }
        }
        try checkNumbers(rows)
    }

    @Test("of a number of fifteen bytes or more every byte counts", arguments: 15...18)
    func longNumbers(_ length: Int) throws {
        let digits = Array("123456789012345678".utf8.prefix(length))
        try checkNumbers(
            digits.indices.flatMap { place in
                "5-.x".utf8.map { byte in
                    var text = digits
                    text[place] = byte
                    return [String(decoding: text, as: UTF8.self)]
                }
            })
    }

    /// Checks that what the kernel and the plan take together is what the plan would take alone.
    private func checkNumbers(_ rows: [[String]]) throws {
        for field in [Field.number("n", missing: [""]), .integer("n", missing: [""])] {
            var conformer = Conformer([field])
            // What stands behind the cells lets sixteen bytes be read from each.
            var batch = texts(["n"], rows)
            batch.bytes += Array(repeating: UInt8(ascii: "7"), count: 16)
            let result = try conformer.conform(batch)
            let taken = (0..<result.count).map { Record(result, $0).value(at: 0).description }
            let expected = rows.filter { row in
                var bytes = Array(row[0].utf8)
                let range = bytes.indices
                return row[0].isEmpty
                    || NumberText.canonical(range, in: &bytes, integer: field.type == .integer, overwrites: true) != nil
            }.map { row in
                var bytes = Array(row[0].utf8)
                let range = bytes.indices
                let number = NumberText.canonical(
                    range, in: &bytes, integer: field.type == .integer, overwrites: true)
                return number.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
            }
            #expect(taken == expected)
        }
    }
}
