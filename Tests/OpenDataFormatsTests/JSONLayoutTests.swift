import OpenDataCore
@testable import OpenDataFormats
import Testing

/// Every way that records may lie in a document, at every split of it.
@Suite("JSON: layouts")
struct JSONLayoutTests {
    private func texts(_ outcome: DocumentOutcome) -> [[String]] { outcome.records.map { $0.map(\.description) } }

    @Test("A header row has its names where no record follows, at every split", arguments: 1...20)
    func headerAlone(window: Int) throws {
        let source = ByteArraySource(Array(#"[["code","name"]]"#.utf8))
        var reader = RecordReader(
            source, decoder: JSONRecordDecoder(JSONLayout(hasHeaderRow: true)), windowSize: window)
        while let batch = try reader.next() { #expect(batch.readCount == 0) }
        #expect(reader.columns.names == ["code", "name"])
    }

    // MARK: Paths

    @Test("Elements of arrays on the way to the records are named by their index")
    func indexes() {
        let text = """
            {"date":"1", "tables":[ {"title":"t","data":[["1",2],["3",null]],"fields":["x","\u{FEFF}y"]} ,{}, 7,
            {"fields":["z"],"data":[]}], "stat":"ok"}
            """
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: ["tables[0].data"], fields: "fields"))
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["x", "y"])
        #expect(outcome.records == [[.text("1"), .number("2")], [.text("3"), .null]])
        #expect(outcome.members["stat"] == "ok" && outcome.members["tables[0].title"] == "t")
        #expect(outcome.origins.map(\.line) == [1, 1])
        let second = DocumentOutcome.everywhere(
            text, JSONLayout(records: ["tables[3].data", "tables[9].data"], fields: "fields"))
        #expect(second.failure == nil && second.records.isEmpty)
        let neither = DocumentOutcome.everywhere(text, JSONLayout(records: ["tables[1].data"], fields: "fields"))
        #expect(neither.failure == .schemaChanged && neither.message.contains("tables[1].data"))
        let both = DocumentOutcome.everywhere(
            #"{"t":[{"d":[{"a":1}]},{"d":[{"a":2}]}]}"#, JSONLayout(records: ["t[0].d", "t[1].d"]))
        #expect(both.failure == .schemaChanged && both.message.contains("t[0].d"))
    }

    @Test(
        "A document that is an array may hold the records in one of its elements",
        arguments: [
            (#"[{"page":1},[{"a":1},{"a":2}]]"#, "$[1]"), (#"[{"d":[{"a":1},{"a":2}],"x":0}, 3]"#, "$[0].d"),
            (#"{"x":[[3],[{"a":1},{"a":2}]]}"#, "x[1]"), (#"{"a.b":{"c":[{"a":1},{"a":2}]}}"#, "a.b.c"),
            (#"{"q":{"r":{"s":{"t":[{"a":1},{"a":2}]}}}}"#, "q.r.s.t"),
        ])
    func inside(text: String, path: String) {
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: [path]))
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(texts(outcome) == [["1"], ["2"]])
    }

    @Test(
        "Broken text around the records is refused",
        arguments: [
            #"{"t":[{"d":[{"a":1}]},]}"#, #"{"t":[{"d":[{"a":1}]} {}]}"#, #"{"t":[,{"d":[{"a":1}]}]}"#,
            #"{"t":[{"d":[{"a":1}]}}"#, #"{"t":[{"d":[{"a":1}]}],}"#,
        ])
    func broken(text: String) {
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: ["t[0].d"]))
        #expect(outcome.failure == .malformed, "\(outcome)")
        #expect(outcome.records.count <= 1)
        for end in 1..<20 {
            let cut = DocumentOutcome.everywhere(
                String(#"{"t":[{"d":[{"a":1}]}]}"#.prefix(end)), JSONLayout(records: ["t[0].d"]))
            #expect(cut.failure == .truncated)
        }
    }

    // MARK: Objects of records

    @Test("The names of records in an object become a column, or are dropped")
    func keyed() {
        let text = #"{"retCode":1,"retVal":{"0001" : {"sno":"0001","n":1},"a\u0062\"c": {"sno":"2","x":null} },"z":0}"#
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: ["retVal{}"]))
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["key", "sno", "n", "x"])
        #expect(
            outcome.records.map { Array($0.prefix(2)) } == [
                [.text("0001"), .text("0001")], [.text("ab\"c"), .text("2")],
            ])
        #expect(outcome.members["retCode"] == "1" && outcome.members["z"] == "0")
        let dropped = DocumentOutcome.everywhere(text, JSONLayout(records: ["retVal{}"], keyColumn: nil))
        #expect(dropped.header == ["sno", "n", "x"])
        let known = DocumentOutcome.everywhere(
            text, JSONLayout(records: ["retVal{}"], keyColumn: "id", columns: ["x", "n", "id", "sno"]))
        #expect(known.columns == [["x", "n", "id", "sno"], ["x", "n", "id", "sno"]])
        #expect(known.records[1] == [.null, .absent, .text("ab\"c"), .text("2")])
        let whole = DocumentOutcome.everywhere(#" { "1":{"a":1} , "2":{"a":2}} "#, JSONLayout(records: ["${}"]))
        #expect(texts(whole) == [["1", "1"], ["2", "2"]])
    }

    @Test(
        "A member of an object of records that is none is rejected; so is one that has the column of the names itself")
    func keyedRejects() {
        let text = #"{"r":{"1":{"a":1},"2":7,"3":[1],"4":{"key":1},"5":{"a":1,"a":2},"6":{"a":6}}}"#
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: ["r{}"]))
        #expect(outcome.failure == nil)
        #expect(outcome.records.count == 2)
        #expect(outcome.rejects.map(\.code) == [.notARecord, .notARecord, .duplicateKey, .duplicateKey])
        #expect(outcome.rejects.map(\.origin.record) == [2, 3, 4, 5])
        let first = DocumentOutcome.everywhere(#"{"r":{"1":7,"2":{"a":1}}}"#, JSONLayout(records: ["r{}"]))
        #expect(first.rejects.count == 1 && first.records.count == 1)
        let empty = DocumentOutcome.everywhere(#"{"r":{ } }"#, JSONLayout(records: ["r{}"]))
        #expect(empty.failure == nil && empty.records.isEmpty)
    }

    @Test(
        "A broken object of records is refused",
        arguments: [
            #"{"r":{"1":{"a":1},}}"#, #"{"r":{"1":{"a":1} "2":{"a":1}}}"#, #"{"r":{"1" {"a":1}}}"#,
            #"{"r":{1:{"a":1}}}"#,
            #"{"r":{"1":{"a":1}]}"#, #"{"r":{"1":{"a":1}},}"#,
        ])
    func brokenKeyed(text: String) {
        #expect(DocumentOutcome.everywhere(text, JSONLayout(records: ["r{}"])).failure == .malformed)
        let cut = DocumentOutcome.everywhere(#"{"r":{"1":{"a":1},"2":{"#, JSONLayout(records: ["r{}"]))
        #expect(cut.failure == .truncated && cut.records.count == 1 && cut.message.contains("object of records"))
    }

    // MARK: Columns

    @Test("Columns written as arrays become records")
    func columns() {
        let text = #"{"s":"2330", "date":["1","\u4e2d\"",null], "close" : [1.50,true,{"a": [1, 2]}], "o":{"p":1}}"#
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(form: .columns))
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["date", "close"])
        #expect(
            outcome.records == [
                [.text("1"), .number("1.50")], [.text("中\""), .boolean(true)], [.null, .json(#"{"a":[1,2]}"#)],
            ])
        #expect(outcome.members["s"] == "2330" && outcome.members["o.p"] == "1")
        let known = DocumentOutcome.everywhere(text, JSONLayout(form: .columns, columns: ["close", "volume", "date"]))
        #expect(known.records.first == [.number("1.50"), .absent, .text("1")])
        let inside = DocumentOutcome.everywhere(
            #"{"h":{"a":[1,2],"b":["x","y"]},"n":0}"#, JSONLayout(records: ["h"], form: .columns))
        #expect(texts(inside) == [["1", "x"], ["2", "y"]] && inside.members["n"] == "0")
        let empty = DocumentOutcome.everywhere(#"{"a":[],"b":[ ]}"#, JSONLayout(form: .columns))
        #expect(empty.failure == nil && empty.records.isEmpty)
        #expect(DocumentOutcome.everywhere(" { } ", JSONLayout(form: .columns)).failure == nil)
    }

    @Test(
        "Columns of different lengths, and a column that stands twice, are refused",
        arguments: [
            (#"{"date":[1,2],"close":[1]}"#, "'date' and 'close' have 2 and 1 values"),
            (#"{"a":[],"b":[1]}"#, "'a' and 'b' have 0 and 1 values"), (#"{"a":[1],"\u0061":[1]}"#, "'a' stands twice"),
            (#"{"a":[1],}"#, "not JSON"), (#"{"a":[1]]"#, "not JSON"), (#"{"a":[1]} x"#, "not JSON"),
        ])
    func unevenColumns(text: String, message: String) {
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(form: .columns))
        #expect(outcome.failure == .malformed && outcome.message.contains(message), "\(outcome)")
    }

    // MARK: Rows

    @Test("The first row may name the columns")
    func headerRow() {
        let text = #"{"d":[["縣市","","年\u0031","年1",2020,"\#u{FEFF}b"],["臺北","x",1,2,null,"7"],["缺"]]}"#
        let layout = JSONLayout(records: ["d"], hasHeaderRow: true)
        let outcome = DocumentOutcome.everywhere(text, layout)
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["縣市", "", "年1", "年1", "2020", "b"])
        #expect(outcome.records == [[.text("臺北"), .text("x"), .number("1"), .number("2"), .null, .text("7")]])
        #expect(outcome.rejects.map(\.code) == [.fieldCount] && outcome.origins.map(\.record) == [1])
        var unique = layout
        unique.hasUniqueNames = true
        #expect(
            DocumentOutcome.everywhere(text, unique).header == ["縣市", "column_2", "年1", "年1_2", "2020", "b"])
        let bare = DocumentOutcome.everywhere(#"[["a","b"] , [1,2]]"#, JSONLayout(hasHeaderRow: true))
        #expect(bare.header == ["a", "b"] && texts(bare) == [["1", "2"]])
        #expect(DocumentOutcome.everywhere(#"[["a"]]"#, JSONLayout(hasHeaderRow: true)).records.isEmpty)
        #expect(DocumentOutcome.everywhere("[]", JSONLayout(hasHeaderRow: true)).failure == nil)
        #expect(DocumentOutcome.everywhere(#"[["a"] ["b"]]"#, JSONLayout(hasHeaderRow: true)).failure == .malformed)
        #expect(DocumentOutcome.everywhere(#"[["a"],]"#, JSONLayout(hasHeaderRow: true)).failure == .malformed)
    }

    @Test("Rows may be named by the layout, and names that repeat be numbered")
    func namedRows() {
        let named = DocumentOutcome.everywhere("[[1,2],[3,4],[5]]", JSONLayout(columns: ["a", "a"]))
        #expect(named.header == ["a", "a"] && texts(named) == [["1", "2"], ["3", "4"]] && named.rejects.count == 1)
        let scalars = DocumentOutcome.everywhere(#"["x",1]"#, JSONLayout(columns: ["code"]))
        #expect(scalars.header == ["code"] && texts(scalars) == [["x"], ["1"]])
        let table = #"{"fields":["a","b","a"],"data":[[1,2,3]]}"#
        #expect(DocumentOutcome.everywhere(table, .table).header == ["a", "b", "a"])
        let unique = JSONLayout(records: ["data"], fields: "fields", hasUniqueNames: true)
        #expect(DocumentOutcome.everywhere(table, unique).header == ["a", "b", "a_2"])
    }

    @Test(
        "Names that repeat are numbered, without taking a name that stands there",
        arguments: [
            (["a", "b"], ["a", "b"]), (["a", "a", "a"], ["a", "a_2", "a_3"]),
            (["a", "a", "a_2"], ["a", "a_3", "a_2"]), (["a_2", "a", "a"], ["a_2", "a", "a_3"]),
            (["", " ", "column_1"], ["column_1", "column_2", "column_1_2"]),
            // Told apart by their bytes: a letter and its look-alike are two names.
            (["金", "\u{F90A}"], ["金", "\u{F90A}"]), ([], []),
        ])
    func uniqueNames(names: [String], unique: [String]) {
        let result = JSONLayout.uniqueNames(names)
        #expect(result.map { Array($0.utf8) } == unique.map { Array($0.utf8) })
    }

    // MARK: One record

    @Test("An object may be the only record")
    func single() {
        let text = #"{"n":1,"r":{"a":"\u4e2d","b":[1, 2]},"z":2}"#
        let inside = DocumentOutcome.everywhere(text, JSONLayout(records: ["r"], form: .record))
        #expect(inside.records == [[.text("中"), .json("[1,2]")]] && inside.members["z"] == "2")
        let whole = DocumentOutcome.everywhere(text, JSONLayout(form: .record))
        #expect(whole.header == ["n", "r", "z"] && whole.records.count == 1)
        #expect(DocumentOutcome.everywhere("{} {}", JSONLayout(form: .record)).failure == .malformed)
        for end in 1..<text.count {
            let (cut, layout) = (String(text.prefix(end)), JSONLayout(records: ["r"], form: .record))
            #expect(DocumentOutcome.everywhere(cut, layout).failure == .truncated, "\(cut)")
        }
        let columns = #"{"n":1,"r":{"a":[1]},"z":2}"#
        for end in 1..<columns.count {
            let (cut, layout) = (String(columns.prefix(end)), JSONLayout(records: ["r"], form: .columns))
            #expect(DocumentOutcome.everywhere(cut, layout).failure == .truncated, "\(cut)")
        }
        #expect(DocumentOutcome.everywhere("[{}]", JSONLayout(form: .record)).failure == .schemaChanged)
        #expect(
            DocumentOutcome.everywhere(#"{"r":[1]}"#, JSONLayout(records: ["r"], form: .record)).failure
                == .schemaChanged)
        #expect(
            DocumentOutcome.everywhere(#"{"r":{"a":1"#, JSONLayout(records: ["r"], form: .record)).failure == .truncated
        )
    }

    // MARK: Nested objects

    @Test("Members of objects in records become columns named by their path")
    func nested() {
        let text = """
            [{"id":1,"F":{"W":[ 1 ],"D":{"x":"\\u0061","y" : {}}},"n":{}} , {"F":null,"F.W":2},
             {"F":{"D":{"x":3}},"id":4},{"F":{"W":1},"F.W":2}]
            """
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(nested: .columns))
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["id", "F.W", "F.D.x", "F"])
        #expect(
            outcome.records.map { Array($0.prefix(3)) } == [
                [.number("1"), .json("[1]"), .text("a")], [.absent, .number("2"), .absent],
                [.number("4"), .absent, .number("3")],
            ])
        #expect(outcome.rejects.map(\.code) == [.duplicateKey] && outcome.rejects.first?.field == "F.W")
        // As it stands, they are JSON.
        #expect(DocumentOutcome.everywhere(text).header == ["id", "F", "n", "F.W"])
        for broken in [
            #"[{"a":{"b":1,}}]"#, #"[{"a":{,"b":1}}]"#, #"[{"a":{"b":1]}]"#, #"[{"a":{"b":1}"c":2}]"#,
            #"[{"a":{}"c":2}]"#,
        ] {
            #expect(DocumentOutcome.everywhere(broken, JSONLayout(nested: .columns)).failure == .malformed, "\(broken)")
        }
        let deep = String(repeating: #"{"a":"#, count: 511) + "1" + String(repeating: "}", count: 511)
        #expect(DocumentOutcome.decode("[\(deep)]".utf8, JSONLayout(nested: .columns)).failure == nil)
        let deeper = #"[{"a":\#(deep)}]"#
        #expect(DocumentOutcome.decode(deeper.utf8, JSONLayout(nested: .columns)).failure == .tooLarge)
        #expect(DocumentOutcome.decode(deeper.utf8).failure == .tooLarge)
    }

    @Test("One member of the records may be lifted: its members are columns under their own names")
    func lifted() {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"type":"路","n":{"a": 1}},"geometry":{"type":"Point","coordinates":[121, 25]}},
            {"type":"Feature","id":7,"properties":null},{"properties":{"id":"x","type":"p"}}]}
            """
        let layout = JSONLayout(records: ["features"], lifted: "properties")
        let outcome = DocumentOutcome.everywhere(text, layout)
        #expect(outcome.failure == nil, "\(outcome)")
        #expect(outcome.header == ["type", "type_2", "n", "geometry", "id", "properties", "id_2"])
        #expect(outcome.records[0][1] == .text("路") && outcome.records[0][2] == .json(#"{"a":1}"#))
        #expect(outcome.records[0][3] == .json(#"{"type":"Point","coordinates":[121,25]}"#))
        var known = layout
        known.columns = ["properties.type", "properties.n", "properties.id", "type", "id", "properties", "geometry"]
        let front = DocumentOutcome.everywhere(text, known)
        #expect(front.failure == nil, "\(front)")
        #expect(front.header == ["type", "n", "id", "type_2", "id_2", "properties", "geometry"])
        #expect(front.records[2] == [.text("p"), .absent, .text("x"), .absent, .absent, .absent, .absent])
    }

    // MARK: Columns known beforehand

    @Test("With columns known beforehand, all batches have them; a record without one has it absent")
    func knownColumns() {
        let records = (0..<40).map { $0 == 30 ? #"{"a":30,"late":"x"}"# : #"{"a":\#($0)}"# }.joined(separator: ",")
        for (text, path) in [("[\(records)]", "$"), (#"{"data":[\#(records)]}"#, "data")] {
            let layout = JSONLayout(records: [path], columns: ["late", "a"])
            let outcome = DocumentOutcome.everywhere(text, layout)
            #expect(outcome.failure == nil && outcome.records.count == 40)
            #expect(outcome.columns.allSatisfy { $0 == ["late", "a"] })
            #expect(outcome.records[29] == [.absent, .number("29")] && outcome.records[30][0] == .text("x"))
            let unknown = DocumentOutcome.everywhere(text, JSONLayout(records: [path], columns: ["a", "b"]))
            #expect(unknown.failure == .schemaChanged && unknown.message.contains("'late'"), "\(unknown)")
            #expect(unknown.records.count == 30 && unknown.position?.record == 31)
        }
        let lines = DocumentOutcome.everywhere("{\"a\":1}\n{\"b\":2}", JSONLayout(columns: ["b", "a"]))
        #expect(lines.records == [[.absent, .number("1")], [.number("2"), .absent]])
        #expect(DocumentOutcome.everywhere("[]", JSONLayout(columns: ["a"])).failure == nil)
    }

    @Test("B072, B090: columns known beforehand are told apart by their bytes")
    func knownLookAlikes() {
        let outcome = DocumentOutcome.everywhere(
            "[{\"\u{E9}\":1,\"e\u{301}\":2}]", JSONLayout(columns: ["e\u{301}", "\u{E9}"]))
        #expect(outcome.records == [[.number("2"), .number("1")]])
    }

    @Test("Columns known beforehand keep the fast path and the chunks, with records that lack some of them")
    func fastPaths() throws {
        let records = (0..<300).map { #"{"a":\#($0),"b":"中\#($0)"}"# }.joined(separator: ",")
        for (text, path) in [("[\(records)]", "$"), (#"{"data":[\#(records)],"n":1}"#, "data")] {
            var decoder = JSONRecordDecoder(JSONLayout(records: [path], columns: ["b", "x", "a"]))
            var batch = RecordBatch(bytes: Array(text.utf8.dropLast(20)))
            _ = try decoder.decode(&batch, isLast: false)
            #expect(batch.count > 290 && batch.columns.names == ["b", "x", "a"])
            #expect(decoder.kernelUse.shape != nil && decoder.kernelUse.pause == 0)
            #expect(decoder.hasAllColumns)
            var chunk = try #require(decoder.forChunks())
            chunk.line = 1
            var next = RecordBatch(bytes: Array((records + ",").utf8))
            #expect(try chunk.decode(&next, isLast: false) == records.utf8.count + 1)
            #expect(next.count == 300 && next.columns.names == ["b", "x", "a"])
            let isAlike = decoder.follow(chunk)
            #expect(isAlike)
        }
        #expect(!JSONRecordDecoder().hasAllColumns)
    }
}
