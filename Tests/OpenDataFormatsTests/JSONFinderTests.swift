import Foundation
import OpenDataCore
@testable import OpenDataFormats
import Testing

/// What is found out about documents that nobody has described.
@Suite("JSON finder")
struct JSONFinderTests {
    private static func payload(_ bytes: some Sequence<UInt8>) -> Payload {
        Payload(response: Response(url: "test:"), body: .bytes(Array(bytes)))
    }

    /// What is found, the same at every split of the text.
    private func find(
        _ text: String, records: String? = nil, headerRows: Int? = nil, nested: JSONLayout.Nested = .json,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws(OpenDataError) -> (layout: JSONLayout, findings: [String]) {
        var hints = FormatHints()
        (hints.records, hints.headerRows) = (records, headerRows)
        let payload = JSONFinderTests.payload(text.utf8)
        func outcome(_ window: Int) -> Result<FoundFormat, OpenDataError> {
            Result { () throws(OpenDataError) in
                try JSONFinder.find(in: payload, hints, nested: nested, windowSize: window)
            }
        }
        func label(_ result: Result<FoundFormat, OpenDataError>) -> String {
            switch result {
            case .success(let found): "\(found.format) \(found.findings)"
            case .failure(let error): "\(error)"
            }
        }
        let whole = outcome(1 << 18)
        let windows = Decoded.windows(for: text.utf8.count)
        // Every place of a short text, a fair number of a long one's.
        for window in text.utf8.count < 1000 ? windows : [1, 2, 3] + stride(from: 7, to: 400, by: 41) + [2000, 3999] {
            let other = label(outcome(window))
            #expect(other == label(whole), "windows of \(window)", sourceLocation: sourceLocation)
            if other != label(whole) { break }
        }
        let found = try whole.get()
        guard let layout = found.format.dialect as? JSONLayout else {
            throw OpenDataError(.badArgument, "the format is \(found.format.name)")
        }
        return (layout, found.findings)
    }

    // MARK: What is plain

    @Test("An array of objects and objects one after the other are taken without a word, with the columns of all")
    func plain() throws {
        let array = try find(#" [{"a":1,"b":{"c":[{"d":1}]}},{"b":2,"x":3}] "#)
        #expect(array.layout == JSONLayout(columns: ["a", "b", "x"]) && array.findings.isEmpty)
        let lines = try find("{\"a\":1,\"data\":[{\"x\":1}]}\n{\"b\":2}\r\n{\"a\":3,\"c\":[]}\n")
        #expect(lines.layout == JSONLayout(columns: ["a", "data", "b", "c"]) && lines.findings.isEmpty)
    }

    @Test("Columns that join behind the objects that are looked into are known too")
    func lateColumns() throws {
        let records = (0..<400).map { $0 == 399 ? #"{"a":1,"z":0}"# : #"{"a":\#($0),"b":[1]}"# }
        let text = "[" + records.joined(separator: ",\n ") + "]"
        #expect(try find(text).layout.columns == ["a", "b", "z"])
        let inside = try find(#"{"d":{"e":"# + text + #"},"total":400}"#)
        #expect(inside.layout == JSONLayout(records: ["d.e"], columns: ["a", "b", "z"]))
        #expect(inside.findings == ["the records are at d.e, 400 objects"])
        #expect(try find(records.joined(separator: "\n")).layout.columns == ["a", "b", "z"])
        // Broken, behind them.
        for broken in [String(text.dropLast(9)), text + "]", text.replacingOccurrences(of: "398", with: "39x")] {
            let code = broken.last == "]" ? OpenDataError.Code.malformed : .truncated
            do throws(OpenDataError) {
                _ = try find(broken)
                Issue.record("not refused")
            } catch { #expect(error.code == code && error.position?.line ?? 0 > 398, "\(error)") }
        }
    }

    // MARK: What is told

    @Test(
        "Records within objects are found, and it is told where",
        arguments: [
            (#"{"n":1,"data":[{"a":1}]}"#, JSONLayout(records: ["data"], columns: ["a"])),
            (
                #"{"data":{"t":"x","park":[{"a":1,"b":[{"c":1}]}],"e":[]}}"#,
                JSONLayout(records: ["data.park"], columns: ["a", "b"])
            ),
            (#"{"stat":"OK","fields":["a","b"],"data":[["1",2]],"notes":["x"]}"#, .table),
            (#"{"":{"t":"x","":[{"a":1}]}}"#, JSONLayout(records: ["."], columns: ["a"])),
            (
                #"{"data":[["1",2]],"columns":["a","b"],"notes":["x","y"]}"#,
                JSONLayout(records: ["data"], fields: "columns")
            ),
            (#"{"head":["a","b"],"body":[["1",2]],"notes":["x"]}"#, JSONLayout(records: ["body"], fields: "head")),
            (
                #"{"tables":[{},{"fields":["a"],"data":[["1"]]},{"fields":["a"],"data":[]}]}"#,
                JSONLayout(records: ["tables[1].data"], fields: "fields")
            ),
            (#"[{"fields":["a"],"data":[["1"]]}]"#, JSONLayout(records: ["$[0].data"], fields: "fields")),
            (#"{"d":[["a","b"],["x",1],["y",2]]}"#, JSONLayout(records: ["d"], hasHeaderRow: true)),
            (#"[["a","b","c"],["x","1","2"]]"#, JSONLayout(hasHeaderRow: true)),
            (
                #"{"fields":["a","a"],"data":[[1,2]]}"#,
                JSONLayout(records: ["data"], fields: "fields", hasUniqueNames: true)
            ),
            (
                #"{"c":1,"v":{"01":{"s":"01","n":1},"02":{"s":"02","n":1}}}"#,
                JSONLayout(records: ["v{}"], keyColumn: nil, columns: ["s", "n"])
            ),
            (
                #"{"v":{"01":{"s":"01","key":1},"02":{"s":"03","key":1}}}"#,
                JSONLayout(records: ["v{}"], keyColumn: "key_2", columns: ["key_2", "s", "key"])
            ),
            (#"{"01":{"n":1},"02":{"n":1}}"#, JSONLayout(records: ["${}"], columns: ["key", "n"])),
            (#"{"s":"x","date":["1","2"],"close":[1,2]}"#, JSONLayout(form: .columns, columns: ["date", "close"])),
            (
                #"{"m":1,"h":{"date":["1","2"],"close":[1,2]}}"#,
                JSONLayout(records: ["h"], form: .columns, columns: ["date", "close"])
            ),
            (#"{"id":7,"name":"x"}"#, JSONLayout(form: .record, columns: ["id", "name"])),
            (#"["2330","2317"]"#, JSONLayout()),
        ])
    func told(text: String, layout: JSONLayout) throws {
        let found = try find(text)
        #expect(found.layout == layout)
        #expect(!found.findings.isEmpty)
        // It decodes, with nothing rejected and the columns that were found.
        let outcome = DocumentOutcome.everywhere(text, found.layout)
        #expect(outcome.failure == nil && outcome.rejects.isEmpty && !outcome.records.isEmpty, "\(outcome)")
        if let columns = found.layout.columns { #expect(outcome.header == columns) }
    }

    @Test("GeoJSON: properties come first, under their own names; the geometry stays JSON")
    func geo() throws {
        let text =
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"n":"x","type":3}},{"type":"Feature","geometry":null,"properties":{"m":1}}]}"#
        let found = try find(text)
        #expect(
            found.layout
                == JSONLayout(
                    records: ["features"], lifted: "properties",
                    columns: ["properties.n", "properties.type", "properties.m", "type", "geometry"]))
        let outcome = DocumentOutcome.everywhere(text, found.layout)
        #expect(outcome.header == ["n", "type", "m", "type_2", "geometry"])
        #expect(outcome.records[0][4] == .json(#"{"type":"Point","coordinates":[1,2]}"#))
        let bare = try find(#"{"type":"Feature","properties":{"a":1},"geometry":{}}"#)
        #expect(bare.layout.lifted == "properties" && bare.layout.form == .record)
    }

    @Test("Objects within records become columns on request")
    func nested() throws {
        let found = try find(#"{"d":[{"a":{"b":1}},{"a":{"c":{"d":1}},"e":[]}]}"#, nested: .columns)
        #expect(found.layout == JSONLayout(records: ["d"], nested: .columns, columns: ["a.b", "a.c.d", "e"]))
    }

    // MARK: Several candidates

    @Test(
        "Of several arrays, the one that others describe, count or add up is taken",
        arguments: [
            (#"{"fields":[{"id":"a","type":"t"},{"id":"b","type":"t"}],"records":[{"a":1,"b":2}]}"#, "records"),
            (#"{"fields":[{"id":"a"},{"id":"b"}],"links":[{"u":1}],"records":[{"a":1,"b":2}]}"#, "records"),
            (#"{"x":[{"q":1}],"total":2,"y":[{"a":1},{"a":2}]}"#, "y"),
            (#"{"fields":["a"],"data":[["1"]],"summary":[["3"]]}"#, "data"),
            (#"{"fields":["a","b"],"data":[["1",2]],"groups":[{"span":2}]}"#, "data"),
            (#"{"empty":[],"blank":[{}],"d":[{"a":1}]}"#, "d"),
            (#"{"_links":{"self":{"href":"x"},"next":{"href":"y"}},"d":[{"a":1}]}"#, "d"),
        ])
    func evident(text: String, path: String) throws {
        let found = try find(text)
        #expect(found.layout.records == [path])
        #expect(found.findings.first?.hasPrefix("the records are at \(path)") == true)
        #expect(found.findings.count >= (text.contains("empty") ? 1 : 2))
    }

    @Test(
        "B017: where two answers are defensible, the candidates are listed with their sizes and the flag that settles it",
        arguments: [
            (#"{"x":[{"q":1}],"y":[{"a":1},{"a":2}]}"#, ["x (an object: q)", "y (2 objects: a)"]),
            (
                #"{"tables":[{"title":"甲","fields":["a"],"data":[["1"]]},{"title":"乙","fields":["b"],"data":[["1"],["2"]]}]}"#,
                ["tables[0].data (1 row of 1: 甲)", "tables[1].data (2 rows of 1: 乙)"]
            ),
            (
                #"{"tags":[{"name":"a"}],"paths":{"/a":{"get":1},"/b":{"get":1},"/c":{"get":1},"/d":{"get":1},"/e":{"get":1}}}"#,
                ["tags (an object: name)", "paths{} (5 objects: get)"]
            ),
            (#"{"c":1,"v":{"01":{"s":"1","n":1},"02":{"s":"2","m":1}}}"#, ["v{} (2 objects: s, n, m)", "--records $"]),
            (#"{"name":"x","codes":["1","2"]}"#, ["codes (2 values)", "--records $"]),
            (#"[{"page":1},[{"a":1},{"a":2}]]"#, ["$ (2 objects: page)", "$[1] (2 objects: a)"]),
            (#"{"fields":[{"id":"a"},{"id":"z"}],"records":[{"a":1,"b":2}]}"#, ["fields (2 objects: id)", "records"]),
        ])
    func ambiguous(text: String, parts: [String]) {
        do throws(OpenDataError) {
            let found = try find(text)
            Issue.record("taken: \(found)")
        } catch {
            #expect(error.code == .badArgument && error.message.contains("--records PATH"), "\(error)")
            for part in parts { #expect(error.message.contains(part), "\(error)") }
        }
    }

    @Test("Rows without names need evidence of a header, or the flag")
    func headerRows() throws {
        let text = #"{"d":[["a","b"],["x","y"]]}"#
        do throws(OpenDataError) {
            _ = try find(text)
            Issue.record("taken")
        } catch { #expect(error.code == .badArgument && error.message.contains("--header-rows 1"), "\(error)") }
        #expect(try find(text, headerRows: 1).layout == JSONLayout(records: ["d"], hasHeaderRow: true))
        #expect(try find(text, headerRows: 0).layout == JSONLayout(records: ["d"], columns: ["column_1", "column_2"]))
        let repeated = #"[["a","a"],["x",1]]"#
        #expect(try find(repeated, headerRows: 1).layout == JSONLayout(hasHeaderRow: true, hasUniqueNames: true))
        // Figures in front are no names, and a column of texts is no evidence.
        for other in [#"{"d":[["1","b"],["2","3"]]}"#, #"{"d":[["a","a"],["x",1]]}"#, #"{"d":[["a",1]]}"#] {
            #expect(throws: OpenDataError.self) { try self.find(other) }
        }
    }

    // MARK: No records

    @Test(
        "B028: a document without records is an error that says what it says",
        arguments: [
            ("{}", "empty object"), ("[]", "empty array"), (#"{"total":0,"data":null}"#, "data has no value"),
            (#"{"stat":"很抱歉，沒有符合條件的資料!"}"#, "很抱歉，沒有符合條件的資料!"),
            (#"{"stat":"OK","fields":["a"],"data":[],"notes":["x"]}"#, "data[] has no records; stat says 'OK'"),
            (#"{"tables":[{"fields":["a"],"data":[]},{}],"stat":"ok"}"#, "tables[0].data[] has no records"),
            (#"{"tables":[{},{}],"stat":"無資料"}"#, "無資料"), (#"{"message":"API金鑰錯誤"}"#, "API金鑰錯誤"),
            (#"{"error":{"code":1}}"#, "a member 'error'"),
            (#"{"status":402,"msg":"Requests reach the upper limit"}"#, "402"),
            (#"{"total":0,"records":[],"fields":[]}"#, "records[] has no records"),
        ])
    func noData(text: String, part: String) {
        do throws(OpenDataError) {
            let found = try find(text)
            Issue.record("taken: \(found)")
        } catch { #expect(error.code == .noData && error.message.contains(part), "\(error)") }
    }

    @Test(
        "B004, B005, B084, B085: what is no document of records is refused",
        arguments: [
            ("", OpenDataError.Code.emptyBody), (" \n", .emptyBody), ("7", .unexpectedContent),
            (#""x""#, .unexpectedContent),
            ("<html>", .malformed), (#"[{"a":1}"#, .truncated), (#"{"a":[1,]}"#, .malformed),
            (#"[{"a":1},]"#, .malformed),
            (#"{"a":1,}"#, .malformed), (#"{"a":"\uDC05"}"#, .malformed), (#"{"a":1} 2"#, .malformed),
            ("[1] [2]", .malformed),
            (#"{"a":["x" "y"]}"#, .malformed), (#"{"a":{"b":[{"c":1}}}"#, .malformed), (#"{"a""#, .truncated),
            (String(repeating: "[", count: 600), .tooLarge), (String(repeating: #"{"a":"#, count: 600), .tooLarge),
        ])
    func refused(text: String, code: OpenDataError.Code) {
        do throws(OpenDataError) {
            let found = try find(text)
            Issue.record("taken: \(found)")
        } catch { #expect(error.code == code, "\(error)") }
    }

    // MARK: Hints

    @Test(
        "A path settles it",
        arguments: [
            (#"{"x":[{"q":1}],"y":[{"a":1},{"b":2}]}"#, "y", JSONLayout(records: ["y"], columns: ["a", "b"])),
            (#"{"x":[{"q":[{"r":1}],"s":[{"r":2}]}]}"#, "x[0].s", JSONLayout(records: ["x[0].s"], columns: ["r"])),
            (#"{"x":[{"q":[{"r":1}]},{"q":[{"s":1}]}]}"#, "x", JSONLayout(records: ["x"], columns: ["q"])),
            (
                #"{"t":[{"fields":["a"],"data":[["1"]]},{"fields":["b","b"],"data":[["1",2]]}]}"#, "t[1].data",
                JSONLayout(records: ["t[1].data"], fields: "fields", hasUniqueNames: true)
            ),
            (
                #"{"t":[{"fields":["a"],"data":[["1"]]}]}"#, "t",
                JSONLayout(records: ["t"], columns: ["fields", "data"])
            ),
            (#"{"p":{"a":{"x":1},"b":{"y":[]}}}"#, "p{}", JSONLayout(records: ["p{}"], columns: ["key", "x", "y"])),
            (#"{"p":{"a":{"x":1},"b":{"x":2}}}"#, "p", JSONLayout(records: ["p{}"], columns: ["key", "x"])),
            (#"{"p":{"a":{"x":1},"b":3}}"#, "p", JSONLayout(records: ["p"], form: .record, columns: ["a", "b"])),
            (
                #"{"p":{"a":[1,2],"b":[3,4]},"q":[{"a":1}]}"#, "p",
                JSONLayout(records: ["p"], form: .columns, columns: ["a", "b"])
            ),
            (#"{"stat":"OK","data":[{"a":1}]}"#, "$", JSONLayout(form: .record, columns: ["stat", "data"])),
            (#"{"codes":["1","2"],"x":[{"a":1}]}"#, "codes", JSONLayout(records: ["codes"])),
            (#"[{"page":1},[{"a":1}]]"#, "$[1]", JSONLayout(records: ["$[1]"], columns: ["a"])),
            (#"[{"a":1}]"#, "$", JSONLayout(columns: ["a"])),
            ("{\"a\":1}\n{\"b\":1}", "$", JSONLayout(columns: ["a", "b"])),
        ])
    func hinted(text: String, path: String, layout: JSONLayout) throws {
        let found = try find(text, records: path)
        #expect(found.layout == layout)
        let outcome = DocumentOutcome.everywhere(text, found.layout)
        #expect(outcome.failure == nil && !outcome.records.isEmpty && outcome.rejects.isEmpty, "\(outcome)")
    }

    @Test("A path where there is nothing is an error that lists what there is; one with nothing in it has no data")
    func wrongHints() {
        for (text, path) in [
            (#"{"x":[{"q":1}]}"#, "y"), (#"{"x":[{"q":1}]}"#, "x{}"), ("{} {}", "a"), (#"[{"a":1}]"#, "a"),
        ] {
            do throws(OpenDataError) {
                let found = try find(text, records: path)
                Issue.record("taken: \(found)")
            } catch {
                #expect(error.code == .badArgument && error.message.contains("'\(path)'"), "\(error)")
                if path == "y" { #expect(error.message.contains("x (an object: q)")) }
            }
        }
        for text in [#"{"x":[],"y":[{"a":1}]}"#, #"{"stat":"無相關資料"}"#, "{}", #"{"data":[],"stat":"OK"}"#] {
            do throws(OpenDataError) {
                _ = try find(text, records: "x")
                Issue.record("taken")
            } catch { #expect(error.code == .noData, "\(error)") }
        }
    }

    @Test("Any number of records may hold arrays, and any number of arrays may stand beside the one that is named")
    func manyArrays() throws {
        func members(_ count: Int, _ member: (Int) -> String) -> String {
            (0..<count).map { "\"\($0)\":\(member($0))" }.joined(separator: ",")
        }
        func found(_ text: String, _ records: String? = nil) throws -> JSONLayout? {
            var hints = FormatHints()
            hints.records = records
            return try JSONFinder.find(in: JSONFinderTests.payload(text.utf8), hints).format.dialect as? JSONLayout
        }
        let keyed = "{\"r\":{" + members(3000) { #"{"n":"\#($0)x","a":[{"x":1}]}"# } + "}}"
        #expect(try found(keyed) == JSONLayout(records: ["r{}"], columns: ["key", "n", "a"]))
        let arrays = "{" + members(3000) { "[{\"x\":\($0)}]" } + "}"
        #expect(throws: OpenDataError.self) { try found(arrays) }
        #expect(try found(arrays, "2999") == JSONLayout(records: ["2999"], columns: ["x"]))
        // What looks like records for long, and is none, has to be named.
        let mixed = "{\"r\":{" + members(300) { #"{"n":\#($0),"a":[{"x":1}]}"# } + ",\"z\":1}}"
        #expect(throws: OpenDataError.self) { try found(mixed) }
        #expect(try found(mixed, "r.7.a") == JSONLayout(records: ["r.7.a"], columns: ["x"]))
    }

    @Test("A stream that is read once is refused rather than used up")
    func stream() {
        let stream = Payload(response: Response(url: "stdin:"), body: .stream(head: Array("[]".utf8), descriptor: -1))
        do throws(OpenDataError) {
            _ = try JSONFinder.find(in: stream, FormatHints())
            Issue.record("taken")
        } catch { #expect(error.code == .badArgument) }
    }

    @Test("B096: UTF-16 is told by the first bytes, with and without a byte order mark")
    func encodings() throws {
        let text = #"[{"日期":"1"}]"#
        for (bytes, encoding) in [
            ([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, TextEncoding.utf8),
            (text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, TextEncoding(rawValue: "utf-16le")),
            (text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, TextEncoding(rawValue: "utf-16be")),
            ([0xEF, 0xBB, 0xBF] + Array(text.utf8), .utf8),
        ] as [([UInt8], TextEncoding)] {
            let found = try JSONFinder.find(in: JSONFinderTests.payload(bytes), FormatHints())
            #expect(found.format.encodings == [encoding])
            let decoded = Decoded.decode(bytes, as: found.format)
            #expect(decoded.header == ["日期"] && decoded.texts == [["1"]])
        }
        var hints = FormatHints()
        hints.encoding = .cp950
        let big5: [UInt8] = Array(#"[{""#.utf8) + [0xA4, 0xE9] + Array(#"":1}]"#.utf8)
        let found = try JSONFinder.find(in: JSONFinderTests.payload(big5), hints)
        #expect(Decoded.decode(big5, as: found.format).header == ["日"])
        #expect(throws: OpenDataError.self) { try JSONFinder.find(in: JSONFinderTests.payload(big5), FormatHints()) }
    }

    @Test("B072, B090: keys that look alike are two columns")
    func lookAlikes() throws {
        let found = try find("[{\"\u{E9}\":1},{\"e\u{301}\":2},{\"金\":1},{\"\u{F90A}\":2}]")
        #expect(found.layout.columns?.count == 4)
    }
}
