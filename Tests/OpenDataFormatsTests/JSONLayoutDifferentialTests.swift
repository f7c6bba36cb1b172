import Foundation
import OpenDataCore
@testable import OpenDataFormats
import Testing

extension JSONGenerator {
    /// A sound document with records in one of the ways that are not an array of objects, and its layout.
    mutating func laidOut() -> (String, JSONLayout) {
        let space = number(0...2) > 0
        var layout = JSONLayout()
        let records: String
        switch number(0...5) {
        case 0:
            records = array(space, 0...5) { $0.record(space) }
            if number(0...1) == 0 { layout.nested = .columns }
        case 1:
            let names = ["\"1\"", "\"a\"", "\"\\u4e2d\"", "\"x\\\"y\""]
            let members = (0..<number(0...4)).map { _ in
                "\(one(of: names))\(gap(space)):\(gap(space))\(number(0...6) == 0 ? value(space) : record(space))\(gap(space))"
            }
            records = "{\(gap(space))\(members.joined(separator: "," + gap(space)))}"
            layout.keyColumn = number(0...2) == 0 ? nil : one(of: ["key", "a"])
            layout.nested = number(0...2) == 0 ? .columns : .json
        case 2:
            records = record(space)
            layout.form = .record
            layout.nested = number(0...1) == 0 ? .columns : .json
        case 3:
            let count = number(0...3)
            let names = ["\"a\"", "\"b\"", "\"c\"", "\"\\u0064\""].prefix(number(1...4))
            let members = names.map { name in
                "\(name):\(gap(space))\(number(0...5) == 0 ? value(space) : array(space, count...count) { $0.value(space) })"
            }
            records = "{\(members.joined(separator: gap(space) + "," + gap(space)))\(gap(space))}"
            layout.form = .columns
        case 4:
            records = array(space, 0...5) { $0.number(0...8) == 0 ? $0.value(space) : $0.row(space) }
            layout.hasHeaderRow = true
        default: records = array(space, 0...4) { $0.value(space) }
        }
        let (text, path) = surrounded(records, space)
        let isKeyed = records.first == "{" && layout.form == .records
        layout.records = [path + (isKeyed ? "{}" : "")]
        return (text, layout)
    }

    /// The records in objects and arrays, and the path to them.
    private mutating func surrounded(_ records: String, _ space: Bool) -> (String, String) {
        switch number(0...4) {
        case 0: (gap(space) + records + gap(space), "$")
        case 1: (#"{"q":\#(value(space)),"r":\#(gap(space))\#(records)}"#, "r")
        case 2: (#"{"t":[\#(value(space)),{"r":\#(records)\#(gap(space)),"s":1}\#(gap(space))],"u":{}}"#, "t[1].r")
        case 3: (#"[{"x":{"r":\#(records)}},\#(value(space))]"#, "$[0].x.r")
        default: (#"{"t":{"u":[[],\#(gap(space))\#(records)]}}"#, "t.u[1]")
        }
    }
}

/// The decoder in all layouts against a simple reading of the same, and the finder on sound and broken documents.
@Suite("JSON layouts: against a second implementation")
struct JSONLayoutDifferentialTests {
    /// How many broken documents each seed tries: `OPENDATA_MUTATIONS`, 1,000 unless asked for otherwise.
    private static let rounds = ProcessInfo.processInfo.environment["OPENDATA_MUTATIONS"].flatMap { Int($0) } ?? 1000

    @Test("Random documents decode to what the reference makes of them", arguments: 0..<6)
    func sound(seed: Int) {
        var random = JSONGenerator(seed: UInt64(seed + 20_000))
        var records = 0
        for _ in 0..<300 {
            let (text, layout) = random.laidOut()
            records += compare(text, layout, window: random.number(1...60)) ?? 0
        }
        #expect(records > 100)
    }

    @Test("Broken documents are refused by both or read the same by both", arguments: 0..<4)
    func broken(seed: Int) {
        var random = JSONGenerator(seed: UInt64(seed + 30_000))
        var refused = 0
        for _ in 0..<JSONLayoutDifferentialTests.rounds {
            let (text, layout) = random.laidOut()
            let broken = random.breaking(Array(text.utf8))
            guard let text = String(validating: broken, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
                continue
            }
            if compare(text, layout, window: random.number(1...60)) == nil { refused += 1 }
        }
        #expect(refused > JSONLayoutDifferentialTests.rounds / 10)
    }

    /// Compares the outcome with the reference's and returns the number of records; `nil` if both refuse the text.
    private func compare(_ text: String, _ layout: JSONLayout, window: Int) -> Int? {
        let outcome = DocumentOutcome.decode(text.utf8, layout)
        let cut = DocumentOutcome.decode(text.utf8, layout, window: window)
        #expect(outcome == cut, "\(text) at \(window), \(layout)")
        let reference: JSONLayoutReference?
        do { reference = try JSONLayoutReference(text, layout) } catch {
            #expect(outcome.failure != nil, "\(text), \(layout)")
            return nil
        }
        guard let reference else { return 0 }
        if reference.isRefused {
            #expect(
                outcome.failure == .schemaChanged || outcome.failure == .malformed, "\(text), \(layout), \(outcome)")
            return nil
        }
        #expect(outcome.failure == nil, "\(text), \(layout), \(outcome)")
        #expect(
            JSONLayoutDifferentialTests.trimmed(outcome.records) == reference.records, "\(text), \(layout), \(outcome)")
        #expect(outcome.rejects.map(\.code) == reference.rejects, "\(text), \(layout), \(outcome)")
        if !reference.records.isEmpty { #expect(outcome.header == reference.columns, "\(text), \(layout)") }
        // With the columns known beforehand, in another order: the same cells.
        let isOfObjects =
            layout.form == .record
            || text.contains("{") && layout.form == .records && !layout.hasHeaderRow && reference.rejects.isEmpty
        if isOfObjects, !reference.columns.isEmpty, reference.columns != ["value"] {
            var known = layout
            known.columns = reference.columns.reversed()
            let other = DocumentOutcome.decode(text.utf8, known, window: window)
            #expect(other.failure == nil, "\(text), \(known), \(other)")
            #expect(other.columns.allSatisfy { $0 == known.columns }, "\(text), \(known)")
            #expect(
                JSONLayoutDifferentialTests.trimmed(other.records.map { $0.reversed() }) == reference.records,
                "\(text), \(known)")
        }
        return outcome.records.count
    }

    private static func trimmed(_ records: [[Value]]) -> [[Value]] {
        records.map { record in Array(record[..<((record.lastIndex { $0 != .absent } ?? -1) + 1)]) }
    }

    // MARK: The finder

    /// Small documents of the kinds that publishers send.
    private static let samples = [
        #"{"fields":[{"id":"a"},{"id":"b"}],"total":"2","records":[{"a":"1","b":"2"},{"a":"3","b":"4"}],"_links":{"next":"x"}}"#,
        #"{"stat":"OK","fields":["a","b","a"],"data":[["1",2,"3"],["4",5,"6"]],"groups":[{"span":2}],"notes":["x","y"]}"#,
        #"{"tables":[{"title":"t","fields":["a","b"],"data":[["1","2"]],"summary":[["3","4"]]},{}],"stat":"ok"}"#,
        #"{"retCode":1,"retVal":{"0001":{"sno":"0001","n":"1"},"0002":{"sno":"0002","n":"2"}}}"#,
        #"{"data":{"UPDATETIME":"x","park":[{"id":"1","F":{"W":[{"P":"1"}]}},{"id":"2","F":{}}]}}"#,
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":"1","id":2},"geometry":{"type":"Point","coordinates":[1,2]},"id":3}]}"#,
        #"{"s":"2330","date":["1","2"],"close":[1.5,null]}"#, #"[["a","b"],["x",1],["y",2]]"#,
        #"[{"a":1},{"b":"\u4e2d"},{"a":null,"c":[1,{"d":2}]}]"#, "{\"a\":1}\n{\"b\":2}\r\n{\"a\":3}\n",
        #"{"stat":"很抱歉，沒有符合條件的資料!","total":0}"#, #"[{"page":1},[{"a":1},{"a":2}]]"#, #"{"id":1,"name":"x"}"#,
        #"{"paths":{"/a":{"get":{"tags":["x"]}},"/b":{"get":{}},"/c":{"get":{}},"/d":{"get":{}},"/e":{"get":{}}}}"#,
    ]

    @Test("A broken document is refused or found the same at two window sizes; what is found decodes", arguments: 0..<4)
    func finder(seed: Int) {
        var random = JSONGenerator(seed: UInt64(seed + 40_000))
        var (found, refused) = (0, 0)
        for round in 0..<JSONLayoutDifferentialTests.rounds {
            let samples = JSONLayoutDifferentialTests.samples
            let text = round % 3 == 0 ? random.laidOut().0 : samples[random.number(0...(samples.count - 1))]
            let bytes = round % 5 == 0 ? Array(text.utf8) : random.breaking(Array(text.utf8))
            var hints = FormatHints()
            if round % 7 == 0 {
                hints.records =
                    ["$", "data", "records", "tables[0].data", "retVal{}", "t[1].r", "${}", "r"][random.number(0...7)]
            }
            let nested = round % 11 == 0 ? JSONLayout.Nested.columns : .json
            let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
            let whole = outcome(payload, hints, nested, 1 << 18)
            let cut = outcome(payload, hints, nested, random.number(1...80))
            guard let read = String(validating: bytes, as: UTF8.self) else {
                #expect(whole.layout == nil && cut.layout == nil)
                continue
            }
            #expect(whole.text == cut.text, "\(read), \(hints)")
            guard let layout = whole.layout else {
                refused += 1
                continue
            }
            found += 1
            let decoded = DocumentOutcome.decode(bytes, layout)
            #expect(decoded.failure == nil, "\(read), \(layout), \(decoded)")
        }
        #expect(found > JSONLayoutDifferentialTests.rounds / 10 && refused > JSONLayoutDifferentialTests.rounds / 10)
    }

    private func outcome(
        _ payload: Payload, _ hints: FormatHints, _ nested: JSONLayout.Nested, _ window: Int
    ) -> (layout: JSONLayout?, text: String) {
        do {
            let found = try JSONFinder.find(in: payload, hints, nested: nested, windowSize: window)
            return (found.format.dialect as? JSONLayout, "\(found)")
        } catch { return (nil, "\(error)") }
    }
}
