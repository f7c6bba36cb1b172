import OpenDataCore
import OpenDataFormats
import Testing

@Suite("JSON: where the records are")
struct JSONDecodingTests {
    @Test("An array of objects: columns are the keys in order of first appearance")
    func objects() {
        let outcome = DocumentOutcome.everywhere(
            #" [ {"a":1,"b":"x"} , {"b":"y","c":[1, 2],"a":null} ,{}, {"c":{"k" : "v w"},"a":true} ] "#)
        #expect(outcome.failure == nil)
        #expect(outcome.header == ["a", "b", "c"])
        #expect(
            outcome.records == [
                [.number("1"), .text("x")], [.null, .text("y"), .json("[1,2]")], [.absent, .absent, .absent],
                [.boolean(true), .absent, .json(#"{"k":"v w"}"#)],
            ])
        #expect(outcome.columns.map(\.count) == [2, 3, 3, 3])
        #expect(outcome.origins.map(\.record) == [1, 2, 3, 4])
        #expect(outcome.origins.map(\.byte) == [3, 21, 52, 56])
    }

    @Test("Records at a path; members before and after are captured")
    func envelope() {
        let outcome = DocumentOutcome.everywhere(
            #"{"stat":"OK","date":20230130,"deep":{"x":"\u4e2d","y":{"z":1}},"result":{"total":"2","records":"#
                + #"[{"a":1},{"a":2}],"ok":true},"notes":["one","two"],"none":null,"mixed":["a",1]}"#,
            JSONLayout(records: ["data", "result.records"]))
        #expect(outcome.failure == nil)
        #expect(outcome.records == [[.number("1")], [.number("2")]])
        #expect(
            outcome.members == [
                "stat": "OK", "date": "20230130", "deep.x": "中", "result.total": "2", "result.ok": "true",
                "notes": "one\ntwo", "none": "null",
            ])
    }

    @Test("Rows with the names of their columns before or after them", arguments: [true, false])
    func table(namesFirst: Bool) {
        let names = #""fields":["證券代號","價\t格","a","a"]"#
        let data = #""data":[["0050",1.50,null,true],["x"],[],["1","2","3","4","5"],{"a":1},["2330","\u0041",{},[ ]]]"#
        let outcome = DocumentOutcome.everywhere(
            "{\"stat\":\"OK\",\(namesFirst ? names : data), \(namesFirst ? data : names),\"total\":2}", .table)
        #expect(outcome.failure == nil)
        #expect(outcome.header == ["證券代號", "價\t格", "a", "a"])
        #expect(
            outcome.records == [
                [.text("0050"), .number("1.50"), .null, .boolean(true)],
                [.text("2330"), .text("A"), .json("{}"), .json("[]")],
            ])
        #expect(outcome.rejects.map(\.code) == [.fieldCount, .fieldCount, .fieldCount, .notARecord])
        #expect(outcome.rejects.first?.message == "there are 4 names, the row has 1 cells")
        #expect(outcome.rejects.map(\.origin.record) == [2, 3, 4, 5])
        #expect(outcome.members["stat"] == "OK" && outcome.members["total"] == "2")
    }

    @Test("Names belong to the object that holds the rows, not to one around it")
    func namesBelongToTheirObject() {
        let layout = JSONLayout(records: ["result.data"], fields: "fields")
        let text = #"{"fields":["wrong"],"result":{"data":[["1","2"]],"fields":["a","b"]}}"#
        let outcome = DocumentOutcome.everywhere(text, layout)
        #expect(outcome.header == ["a", "b"])
        #expect(outcome.records == [[.text("1"), .text("2")]])
        let missing = DocumentOutcome.everywhere(#"{"fields":["wrong"],"result":{"data":[["1"]]}}"#, layout)
        #expect(missing.failure == .schemaChanged)
    }

    @Test("An array of scalars has one column")
    func scalars() {
        let outcome = DocumentOutcome.everywhere(#"["a",1,null,false,{"b":1},[2],"\n"]"#)
        #expect(outcome.header == ["value"])
        #expect(outcome.records == [[.text("a")], [.number("1")], [.null], [.boolean(false)], [.text("\n")]])
        #expect(outcome.rejects.map(\.code) == [.notARecord, .notARecord])
    }

    @Test(
        "Objects one after the other",
        arguments: [
            "{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}{\"a\":2}", "{\"a\":1}\r\n\r\n{\"a\":2}", " {\"a\" : 1} {\"a\": 2}",
        ])
    func sequence(text: String) {
        let outcome = DocumentOutcome.everywhere(text)
        #expect(outcome.failure == nil)
        #expect(outcome.records == [[.number("1")], [.number("2")]])
        #expect(DocumentOutcome.everywhere(text, JSONLayout(records: ["$", "data"])) == outcome)
    }

    @Test("A single object is one record, unless it holds one of the other paths")
    func singleObject() {
        let text = #"{"stat":"OK","data":[{"a":1}]}"#
        let record = DocumentOutcome.everywhere(text)
        #expect(record.records == [[.text("OK"), .json(#"[{"a":1}]"#)]])
        let envelope = DocumentOutcome.everywhere(text, JSONLayout(records: ["$", "data"]))
        #expect(envelope.records == [[.number("1")]])
        #expect(envelope.members == ["stat": "OK"])
        let other = DocumentOutcome.everywhere(text, JSONLayout(records: ["$", "rows"]))
        #expect(other.records == record.records)
        #expect(other.members == [:])
    }

    @Test("What is no object among objects one after the other is rejected; what is no JSON is refused")
    func sequenceOfOthers() {
        let outcome = DocumentOutcome.everywhere("{\"a\":1}\n5\n[1]\n{\"a\":2}")
        #expect(outcome.records.count == 2)
        #expect(outcome.rejects.map(\.code) == [.notARecord, .notARecord])
        #expect(outcome.rejects.map(\.origin.line) == [2, 3])
        let refused = DocumentOutcome.everywhere("{\"a\":1},\n{\"a\":2}")
        #expect(refused.records.count == 1)
        #expect(refused.failure == .malformed)
    }

    @Test("Elements that are not records, and keys that occur twice, are rejected with their place")
    func rejects() {
        let outcome = DocumentOutcome.everywhere(
            "[{\"a\":1},\n7,[{}],\r\n\"s\",null,\r{\"a\":1,\"b\":2,\"a\":3},{\"a\":4}]")
        #expect(outcome.records == [[.number("1")], [.number("4"), .absent]])
        #expect(outcome.rejects.map(\.code) == [.notARecord, .notARecord, .notARecord, .notARecord, .duplicateKey])
        #expect(outcome.rejects.map(\.origin.line) == [2, 2, 3, 3, 4])
        #expect(outcome.rejects.map(\.raw) == ["7", "[{}]", "\"s\"", "null", "{\"a\":1,\"b\":2,\"a\":3}"])
        #expect(outcome.rejects.last?.field == "a")
        #expect(outcome.origins.map(\.line) == [1, 4])
    }

    @Test("A key written twice in two spellings is twice the same key")
    func duplicateSpelling() {
        let outcome = DocumentOutcome.everywhere(#"[{"a":1,"\u0061":2},{"\u0061":3}]"#)
        #expect(outcome.rejects.map(\.code) == [.duplicateKey])
        #expect(outcome.records == [[.number("3")]])
        #expect(outcome.header == ["a"])
    }

    @Test("A byte order mark at the start of a key is dropped, in names beside rows too")
    func byteOrderMark() {
        let objects = DocumentOutcome.everywhere("[{\"\u{FEFF}a\":1,\"b\":2},{\"a\":3,\"b\":4},{\"\\uFEFFa\":5}]")
        #expect(objects.header.map { Array($0.utf8) } == [Array("a".utf8), Array("b".utf8)])
        #expect(
            objects.records == [[.number("1"), .number("2")], [.number("3"), .number("4")], [.number("5"), .absent]])
        let rows = DocumentOutcome.everywhere("{\"fields\":[\"\u{FEFF}a\"],\"data\":[[1]]}", .table)
        #expect(rows.header.map { Array($0.utf8) } == [Array("a".utf8)])
    }

    @Test("Keys in changing order and number find their columns")
    func changingOrder() {
        var text = "["
        for number in 0..<40 {
            let keys = (0..<12).filter { (number * 7 + $0 * 5) % 11 != 0 }
            let order = number % 3 == 0 ? keys : number % 3 == 1 ? keys.reversed() : keys.filter { $0 % 2 == 0 }
            text += number == 0 ? "{" : ",{"
            text += order.map { "\"column \($0)\":\(number * 100 + $0)" }.joined(separator: ",") + "}"
        }
        let outcome = DocumentOutcome.everywhere(text + "]")
        #expect(outcome.records.count == 40)
        for (number, record) in outcome.records.enumerated() {
            for (name, value) in zip(outcome.columns[number], record) where value != .absent {
                #expect(value.description == "\(number * 100 + (Int(name.dropFirst(7)) ?? -1))")
            }
        }
    }

    @Test(
        "An empty array is no records and no error; a blank payload is an error",
        arguments: [
            ("[]", "$"), (" [ ] ", "$"), (#"{"data":[]}"#, "data"), (#"{"stat":"OK","data": [ ],"total":0}"#, "data"),
        ])
    func empty(text: String, path: String) {
        let outcome = DocumentOutcome.everywhere(text, JSONLayout(records: [path], fields: "fields"))
        #expect(outcome.failure == nil)
        #expect(outcome.records.isEmpty && outcome.rejects.isEmpty)
    }

    @Test("Nothing but white space", arguments: ["", " ", "\r\n\t \n"])
    func blank(text: String) {
        #expect(DocumentOutcome.everywhere(text).failure == .emptyBody)
    }

    @Test("B019: the members found are named when the expected one is not there")
    func missingMember() {
        let outcome = DocumentOutcome.everywhere(
            #"{"tables":[{"data":[["113/11/01"]]}],"stat":"ok"}"#, JSONLayout(records: ["aaData"]))
        #expect(outcome.failure == .schemaChanged)
        #expect(outcome.message == "there are no records at aaData; the members found are tables, stat")
        #expect(outcome.members == ["stat": "ok"])
    }

    @Test(
        "B036: what holds no records is an error, whose members can be read",
        arguments: [
            ("{}", [:]), (#"{"stat":"很抱歉，沒有符合條件的資料!"}"#, ["stat": "很抱歉，沒有符合條件的資料!"]),
            (#"{"data":null,"total":0}"#, ["data": "null", "total": "0"]), (#"{"data":"none"}"#, ["data": "none"]),
            (#"{"data":{"a":1}}"#, ["data.a": "1"]), ("[1]", [:]), ("5", [:]), ("\"Bad Gateway\"", [:]),
        ] as [(String, [String: String])])
    func noRecords(text: String, members: [String: String]) {
        let outcome = DocumentOutcome.everywhere(text, .table)
        #expect(outcome.failure == .schemaChanged)
        #expect(outcome.members == members)
    }

    @Test(
        "B036: a page instead of a document is refused",
        arguments: ["<html><body>x</body></html>", "Bad Gateway", "5x"])
    func page(text: String) {
        let outcome = DocumentOutcome.everywhere(text)
        #expect(outcome.failure != nil && outcome.records.isEmpty)
        #expect(DocumentOutcome.everywhere(text, .table).failure != nil)
    }

    @Test("One path is null and the other has the records")
    func alternatives() {
        let layout = JSONLayout(records: ["records", "data", "empty"])
        let outcome = DocumentOutcome.everywhere(#"{"empty":[],"records":null,"data":[{"a":1}]}"#, layout)
        #expect(outcome.failure == nil)
        #expect(outcome.records == [[.number("1")]])
        let both = DocumentOutcome.everywhere(#"{"records":[{"a":1}],"data":[{"b":1}]}"#, layout)
        #expect(both.failure == .schemaChanged)
        #expect(both.records.count == 1)
    }
}
