import OpenData
import OpenDataFormats
import Testing

/// Where rows say that they come from, and where what they throw says it.
@Suite struct RowPositionTests {
    struct Placed: Row {
        let number: Int
        let position: Position

        init(_ record: borrowing Record) throws {
            number = try record["n"]
            position = record.position
            let code: String = try record["code"]
            if code == "wrong" { throw OpenDataError(.rejected, "a wrong code", position: record.position) }
            // Not a number: an error of the record's own.
            if code == "odd" { _ = try record["code"] as Int }
        }
    }

    struct Source: DataSource {
        typealias Row = Placed
        var dataset = TestSource().dataset
        let format = Format.csv
        func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://e.tw/1") }
    }

    /// A payload of 900 records, one of which has a code, and where each line begins.
    private func payload(_ code: String) -> (text: String, bytes: [Int]) {
        var (text, bytes) = ("代號,數量\n", [Int]())
        for number in 0..<900 {
            bytes.append(text.utf8.count)
            text += "\(number == 449 ? code : "c\(number)"),\(number)\n"
        }
        return (text, bytes)
    }

    private func fetch<S: DataSource>(_ source: S, _ text: String) async throws -> [S.Row] {
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
        options.windowSize = 500
        return try await Client(transport: StubTransport([:])).fetch(source, options: options)
    }

    @Test("a place is right or not said, never another's") func places() async throws {
        let (text, bytes) = payload("c")
        let rows = try await fetch(Source(), text)
        #expect(rows.map(\.position.byte) == bytes)
        #expect(rows.allSatisfy { $0.position.line == nil || $0.position.line == $0.number + 2 })
        #expect(rows.allSatisfy { $0.position.record == nil || $0.position.record == $0.number + 1 })
        let records = try await fetch(TestSource(), text)
        #expect(records.map(\.position.byte) == bytes)
        #expect(records.enumerated().allSatisfy { $1.position.line == nil || $1.position.line == $0 + 2 })
    }

    @Test("what a row throws has its line", arguments: ["wrong", "odd"]) func errors(_ code: String) async throws {
        let (text, bytes) = payload(code)
        let error = try #require(await #expect(throws: OpenDataError.self) { _ = try await fetch(Source(), text) })
        #expect(error.position?.line == 451 && error.position?.record == 450 && error.position?.byte == bytes[449])
    }
}
