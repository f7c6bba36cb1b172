import OpenDataCore
import Testing

@Suite("The record of where bytes come from")
struct ProvenanceTests {
    private static func time(_ text: String) throws -> DateTime { try #require(DateTime(parsing: text, zone: .utc)) }

    @Test("reads back as itself, with everything in it and with next to nothing")
    func json() throws {
        let response = Response(
            status: 200,
            headers: [
                .init("etag", "W/\"a\\b\""), .init("Content-Type", "text/csv; charset=\"MS950\""),
                .init("X-Other", "1"),
                .init("Last-Modified", "Mon, 30 Nov 2026 03:43:36 GMT"),
                .init("Content-Disposition", "attachment; filename=\"台\t積\u{1}電.csv\""),
            ], url: "https://example.tw/final")
        var provenance = Provenance(
            dataset: "test.a", connectorVersion: "3", url: "https://example.tw/?key=REDACTED", mirror: "http://m/",
            response: response, requested: try ProvenanceTests.time("2026-11-30T07:34:50.001Z"),
            fetched: try ProvenanceTests.time("2026-11-30T15:34:51+08:00"), bytes: 1_234_567_890_123,
            sha256: String(repeating: "0a", count: 32), snapshot: "name", origin: .unchanged)
        #expect(provenance.headers.map(\.name) == ["etag", "Content-Type", "Last-Modified", "Content-Disposition"])
        #expect(Provenance(json: provenance.json) == provenance)
        provenance.revalidated = provenance.fetched
        provenance.dataDate = CalendarDate(year: 2026, month: 7, day: 8)
        provenance.format = "csv"
        provenance.encoding = .cp950
        provenance.records = .init(read: 3, written: 2, rejected: 1)
        let again = try #require(Provenance(json: provenance.json))
        #expect(again == provenance && again.fetched.description == "2026-11-30T15:34:51+08:00")
        #expect(again.response.fileName?.hasPrefix("台") == true && again.response.url == "https://example.tw/final")
        provenance.dataset = nil
        provenance.headers = []
        #expect(Provenance(json: provenance.json) == provenance)
    }

    @Test("is nothing else than what was written")
    func broken() throws {
        let time = try ProvenanceTests.time("2026-11-30T07:34:50Z")
        let text = Provenance(
            dataset: nil, url: "a", response: Response(url: "b"), requested: time, fetched: time, bytes: 1,
            sha256: String(repeating: "0", count: 64)
        ).json
        #expect(Provenance(json: text) != nil)
        for end in 1..<text.count - 1 { #expect(Provenance(json: String(text.prefix(end))) == nil) }
        for (old, new) in [("\"bytes\": 1", "\"bytes\": -1"), ("\"bytes\": 1", "\"bytes\": \"1\""), ("00\"", "\"")] {
            let index = try #require(text.firstRange(of: old))
            #expect(Provenance(json: text.replacing(old, with: new)) == nil, "\(index)")
        }
    }

    @Test(
        "Documents that are read and such that are not",
        arguments: [
            ("{}", true), (" [1, -2 ,3]\n", true), (#"{"a": {"b": [true, false, null, "A\n\"\\\/"]}}"#, true),
            ("", false), ("{", false), ("[1,]", false), ("{\"a\" 1}", false), ("[1] x", false), ("1.5", true),
            ("1.5.2", false), ("+1", false), ("1e", false), ("01", false), ("-00", false), ("1.", false), (".5", false),
            ("0", true), ("-0", true), ("10.05e-7", true), (#""\u+041""#, false), (#""\u-001""#, false),
            (#""\u0041""#, true),
            ("\"\\ud83d\"", false), ("\"a\nb\"", false), ("nul", false), ("--1", false),
            (String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63), true),
            (String(repeating: "[", count: 100_000), false),
        ])
    func documents(text: String, isRead: Bool) {
        let document = JSONText(parsing: text)
        #expect((document != nil) == isRead)
        if let document { #expect(JSONText(parsing: document.document)?.document == document.document) }
    }

    @Test(
        "Times since 1970 and back",
        arguments: [
            (0, "1970-01-01T08:00:00+08:00"), (-1, "1970-01-01T07:59:59.999+08:00"),
            (1_796_025_306_997, "2026-11-30T15:55:06.997+08:00"),
        ])
    func times(milliseconds: Int, text: String) throws {
        let time = try #require(DateTime(millisecondsSince1970: milliseconds, zone: .taipei))
        #expect(time.description == text && time.millisecondsSince1970 == milliseconds)
        for time in [Int.min, Int.max, Int.max / 2] { #expect(DateTime(millisecondsSince1970: time) == nil) }
    }
}
