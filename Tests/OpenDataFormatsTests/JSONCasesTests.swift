import OpenDataCore
import OpenDataFormats
import Testing

/// Cases from the field that concern JSON input.
@Suite("JSON: cases from the field")
struct JSONCasesTests {
    @Test("B017: of several tables the one asked for is read, wherever it stands")
    func tablesByPath() {
        let first = #""index":{"fields":["指數"],"rows":[["1"]]}"#
        let second = #""stocks":{"fields":["證券代號"],"rows":[["0050"]]}"#
        let layout = JSONLayout(records: ["stocks.rows"], fields: "fields")
        for text in ["{\(first),\(second)}", "{\(second),\(first)}"] {
            let outcome = DocumentOutcome.everywhere(text, layout)
            #expect(outcome.header == ["證券代號"])
            #expect(outcome.records == [[.text("0050")]])
        }
    }

    @Test("B030, B057: strings and numbers in one column both keep their text")
    func mixedColumn() {
        let rows = DocumentOutcome.everywhere(#"{"fields":["a","b","c"],"data":[["115/01/02",1234,"1,234"]]}"#, .table)
        #expect(rows.records == [[.text("115/01/02"), .number("1234"), .text("1,234")]])
        let objects = DocumentOutcome.everywhere(
            #"[{"latitude":"25.0339","longitude":"121.5412"},{"latitude":25.0339}]"#)
        #expect(objects.records == [[.text("25.0339"), .text("121.5412")], [.number("25.0339"), .absent]])
    }

    @Test("B059: empty, null and absent are three things")
    func emptyNullAbsent() {
        let outcome = DocumentOutcome.everywhere(#"[{"mrt":"","open_time":null,"limited_time":"maybe"},{"mrt":null}]"#)
        #expect(outcome.records == [[.text(""), .null, .text("maybe")], [.null, .absent, .absent]])
    }

    @Test(
        "B081, B083, B095, B097, B130: a number keeps the digits it was written with",
        arguments: [
            "0.30000000000000004", "73.15", "0.1234567890123456789012345678", "18446744073709551615",
            "18446744073709551616", "1e300", "9007199254740993", "2510.00", "-0", "1E400", "0.10",
        ])
    func digits(literal: String) {
        #expect(DocumentOutcome.everywhere("[{\"x\":\(literal)}]").records == [[.number(literal)]])
        #expect(DocumentOutcome.everywhere("[\(literal)]").records == [[.number(literal)]])
    }

    @Test("B085: lone surrogate escapes are refused, a pair is one letter")
    func surrogates() {
        for text in [#"["\uDC05"]"#, #"["\uD83C"]"#, #"[{"\uD83C":1}]"#] {
            let outcome = DocumentOutcome.everywhere(text)
            #expect(outcome.failure == .malformed)
            #expect(outcome.position?.byte != nil)
        }
        #expect(DocumentOutcome.everywhere(#"["\ud83d\ude00"]"#).records == [[.text("😀")]])
    }

    @Test("B086: bytes that are not UTF-8 are refused with their offset")
    func invalidText() {
        for window in 1...8 {
            let outcome = DocumentOutcome.decode([0x5B, 0x22, 0xA5, 0x78, 0x22, 0x5D], window: window)
            #expect(outcome.failure == .invalidText)
            #expect(outcome.position?.byte == 2)
        }
    }

    @Test("B088: 512 levels are read, one more is an error, and 100,000 are too, on the stack of a task")
    func nesting() async {
        func brackets(_ count: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: count) + "1" + String(repeating: close, count: count)
        }
        let outcomes = await Task.detached {
            [512, 513, 100_000].map { DocumentOutcome.decode(brackets($0, "[", "]").utf8) }
        }.value
        #expect(outcomes[0].failure == nil && outcomes[0].rejects.count == 1)
        #expect(outcomes[1].failure == .tooLarge && outcomes[2].failure == .tooLarge)
        #expect(outcomes[1].position == Position(record: 1, line: 1, column: 513, byte: 512))
        #expect(outcomes[1].message.contains("512"))
        // In a record: the array and the record are two levels, and each object within is one.
        func record(_ count: Int) -> String { "[{\"a\":\(brackets(count, "{\"a\":", "}"))}]" }
        #expect(DocumentOutcome.decode(record(510).utf8).failure == nil)
        for window in [1, 7, 512, 1 << 20] {
            #expect(DocumentOutcome.decode(record(511).utf8, window: window).failure == .tooLarge)
        }
        // Beside the records.
        func beside(_ count: Int) -> String { "{\"a\":\(brackets(count, "[", "]")),\"data\":[]}" }
        #expect(DocumentOutcome.decode(beside(511).utf8, JSONLayout(records: ["data"])).failure == nil)
        #expect(DocumentOutcome.decode(beside(512).utf8, JSONLayout(records: ["data"])).failure == .tooLarge)
    }

    @Test("B090: keys that only look alike are two columns")
    func canonicalEquivalence() {
        let outcome = DocumentOutcome.everywhere("[{\"e\u{301}\":1,\"\u{e9}\":2},{\"\u{91D1}\":3,\"\u{F90A}\":4}]")
        #expect(outcome.header.count == 4)
        #expect(outcome.records == [[.number("1"), .number("2")], [.absent, .absent, .number("3"), .number("4")]])
    }

    @Test("B091: true is no number")
    func booleans() throws {
        var reader = RecordReader(ByteArraySource(Array("[true]".utf8)), decoder: JSONRecordDecoder())
        let batch = try #require(try reader.next())
        #expect(batch[0, 0].kind == .boolean)
        let record = Record(batch, 0)
        #expect(throws: OpenDataError.self) { try record[field: batch.columns.names[0]] as Int }
    }

    @Test("B093: escapes in values and keys")
    func escapes() {
        let outcome = DocumentOutcome.everywhere(
            #"[{"k":"caf\u00e9 \u2014 \u4e2d","\u00DF":"\u2019"},{"k":1,"\u00DF":2}]"#)
        #expect(outcome.header == ["k", "ß"])
        #expect(outcome.records == [[.text("café — 中"), .text("’")], [.number("1"), .number("2")]])
    }

    @Test("B096: a byte order mark and UTF-16 are recognised")
    func encodings() {
        let text = "[{\"a\":\"臺\"}]"
        let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes in [[0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + utf16, [0xFE, 0xFF] + bigEndian] {
            for window in [1, 3, 1 << 20] {
                let outcome = DocumentOutcome.decode(bytes, window: window)
                #expect(outcome.records == [[.text("臺")]])
            }
        }
    }

    @Test("More different keys than a table may have columns are refused, and wide sparse records stay bounded")
    func manyColumns() {
        func object(_ count: Int) -> String { "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(DocumentOutcome.decode("[\(object(2049))]".utf8).failure == .tooLarge)
        let sparse = "[" + object(2048) + String(repeating: ",{}", count: 1200) + "]"
        do throws(OpenDataError) {
            var reader = RecordReader(ByteArraySource(Array(sparse.utf8)), decoder: JSONRecordDecoder())
            var counts: [Int] = []
            while let batch = try reader.next() { counts.append(batch.count) }
            #expect(counts == [512, 512, 177])
        } catch {
            Issue.record(error)
        }
    }

    @Test("A member of which there are too many, or that is too long, is not kept; the records are read all the same")
    func manyMembers() {
        let many = (0..<100).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
        let long = String(repeating: "x", count: 1 << 14)
        let text = "{\"long\":\"\(long)\",\(many),\"data\":[{\"a\":1}]}"
        for window in [100, 1 << 20] {
            let outcome = DocumentOutcome.decode(text.utf8, JSONLayout(records: ["data"]), window: window)
            #expect(outcome.records == [[.number("1")]])
            #expect(outcome.members.count == 64)
            #expect(outcome.members["long"] == nil && outcome.members["m63"] == "63" && outcome.members["m64"] == nil)
        }
    }

    @Test("The bytes after what a decoder takes are left as they are")
    func untouchedBytes() throws {
        let bytes = Array(#"[{"a":"\u0041"},{"a":"\u0042","b":[ 1 ]},{"a":"\u0043"#.utf8)
        var decoder = JSONRecordDecoder()
        var batch = RecordBatch(bytes: bytes)
        let consumed = try decoder.decode(&batch, isLast: false)
        #expect(consumed == 16 && batch.count == 1)
        #expect(batch.bytes[consumed...] == bytes[consumed...])
        #expect(batch.cells.allSatisfy { !$0.isEscaped })
    }

    @Test("Records are read before the document around them has ended, whichever paths are possible")
    func streaming() throws {
        let bytes = Array(#"{"stat":"OK","data":[{"a":1},{"a":2},{"#.utf8)
        for paths in [["data"], ["$", "data"], ["records", "data", "$"]] {
            var decoder = JSONRecordDecoder(JSONLayout(records: paths))
            var batch = RecordBatch(bytes: bytes)
            let consumed = try decoder.decode(&batch, isLast: false)
            #expect(batch.count == 2)
            #expect(consumed == 37)
            #expect(decoder.members == ["stat": "OK"])
        }
    }

    @Test("Rows without names are an error, after which the members on both sides can be read")
    func rowsWithoutNames() {
        for names in ["", #""fields":[1],"#, #""fields":[],"#, #""fields":null,"#] {
            let outcome = DocumentOutcome.everywhere(#"{"stat":"OK","data":[["a"]],\#(names)"total":1}"#, .table)
            #expect(outcome.failure == .schemaChanged)
            #expect(outcome.message.contains("no member 'fields'"))
            #expect(outcome.members["stat"] == "OK" && outcome.members["total"] == "1")
        }
        #expect(DocumentOutcome.everywhere("[[1]]", .table).failure == .schemaChanged)
    }

    @Test("Thousands of rejects come in batches of a bounded size")
    func manyRejects() {
        let text = "[{\"a\":1}," + String(repeating: "5,\n", count: 10_000) + "{\"a\":2}]"
        let outcome = DocumentOutcome.decode(text.utf8)
        #expect(outcome.records == [[.number("1")], [.number("2")]])
        #expect(outcome.rejects.count == 10_000)
        #expect(outcome.rejects.last?.origin == RecordOrigin(record: 10_001, line: 10_000, byte: 30_006))
        #expect(outcome.origins.last?.record == 10_002)
        #expect(outcome == DocumentOutcome.decode(text.utf8, window: 5000))
    }

    @Test("The format is registered, and takes a layout of its own only")
    func registered() {
        #expect(Decoded.decode("[{\"a\":1}]".utf8, as: .json).records == [[.number("1")]])
        #expect(Decoded.decode(#"{"r":[{"a":1}]}"#.utf8, as: .json(records: "r")).records == [[.number("1")]])
        #expect(Decoded.decode("[]".utf8, as: Format(name: "json", dialect: CSVDialect())).failure == .badArgument)
    }
}
