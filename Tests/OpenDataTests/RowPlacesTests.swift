@testable import OpenData
import OpenDataFormats
import TestSupport
import Testing

/// Rows made by several threads, each where it will stay, are those made one after the other.
@Suite struct RowPlacesTests {
    /// Counts the rows that there are.
    final class Tally: Sendable {
        let count = Guarded(0)
    }

    /// What every row holds on to, so that one that is not destroyed, or is twice, is found out.
    final class Token: Sendable {
        let tally: Tally
        init(_ tally: Tally) {
            self.tally = tally
            tally.count.with { $0 += 1 }
        }
        deinit { tally.count.with { $0 -= 1 } }
    }

    struct Refusal: Error, Equatable {
        var code: String
    }

    struct Thing: Row {
        @TaskLocal static var tally = Tally()

        let code: String
        let number: Int
        let token: Token

        init(_ record: borrowing Record) throws {
            let code: String = try record["code"]
            if code.hasPrefix("refused") { throw Refusal(code: code) }
            self.code = code
            number = try record["n"]
            token = Token(Thing.tally)
        }
    }

    struct Things: DataSource {
        typealias Row = Thing
        var dataset = TestSource().dataset
        var format = Format.csv
        func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://e.tw/1") }
    }

    private func text(_ count: Int, _ odd: (Int) -> String?) -> [UInt8] {
        var text = "代號,數量\n"
        for number in 0..<count { text += odd(number) ?? "code \(number) of some length,\(number)\n" }
        return Array(text.utf8)
    }

    private func fetch(_ payload: [UInt8], as format: Format = .csv, window: Int) async throws -> [Thing] {
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(payload))
        options.windowSize = window
        return try await Client(transport: StubTransport([:])).fetch(Things(format: format), options: options)
    }

    /// Runs `body` with a tally, which is 0 when it is over and all tasks are gone.
    private func counted(_ body: () async throws -> Void) async throws {
        let tally = Tally()
        try await Thing.$tally.withValue(tally) { try await body() }
        for _ in 0..<1_000_000 where tally.count.current > 0 { await Task.yield() }
        #expect(tally.count.current == 0)
    }

    @Test("rows come in order and once, whatever the window", arguments: [20, 64, 300, 5000, 1 << 18])
    func order(_ window: Int) async throws {
        try await counted {
            let rows = try await fetch(text(3000) { _ in nil }, window: window)
            #expect(rows.map(\.number) == Array(0..<3000))
            #expect(rows.allSatisfy { $0.code == "code \($0.number) of some length" })
            #expect(Set(rows.map { ObjectIdentifier($0.token) }).count == 3000)
        }
    }

    @Test("what has to be decoded in order becomes rows all the same", arguments: [64, 300, 5000])
    func batches(_ window: Int) async throws {
        try await counted {
            let records = (0..<1500).map { "<r><代號>code \($0)</代號><數量>\($0)</數量></r>" }.joined()
            let rows = try await fetch(Array("<d>\(records)</d>".utf8), as: .xml(records: "d/r"), window: window)
            #expect(rows.map(\.number) == Array(0..<1500))
        }
    }

    @Test("text that is cut in the wrong place", arguments: [20, 64, 300, 5000])
    func cuts(_ window: Int) async throws {
        try await counted {
            let payload = text(1500) { $0 % 40 == 17 ? "\"a\nb,\($0)\nc\n,\n\",\($0)\n" : nil }
            let rows = try await fetch(payload, window: window)
            #expect(rows.map(\.number) == Array(0..<1500))
        }
    }

    @Test("rows that grow longer, so that there are more than their number was taken for")
    func more() async throws {
        try await counted {
            let payload = text(4000) {
                $0 < 300 ? "a long code \(String(repeating: "x", count: 400)),\($0)\n" : "c,\($0)\n"
            }
            let rows = try await fetch(payload, window: 4000)
            #expect(rows.map(\.number) == Array(0..<4000))
        }
    }

    @Test("a row that fails ends the fetch, and none is left behind", arguments: [20, 300, 5000])
    func failures(_ window: Int) async throws {
        try await counted {
            await #expect(throws: Refusal(code: "refused 700")) {
                _ = try await fetch(text(3000) { $0 >= 700 ? "refused \($0),1\n" : nil }, window: window)
            }
            let error = await #expect(throws: OpenDataError.self) {
                _ = try await fetch(text(3000) { $0 == 2345 ? "no number,\n" : nil }, window: window)
            }
            #expect(error?.field == "n" && error?.position?.line == 2347 && error?.position?.record == 2346)
        }
    }

    @Test("parts out of order, without room, and not taken") func places() async throws {
        try await counted {
            func records(_ codes: [String]) -> RecordBatch.Records {
                var batch = RecordBatch(columns: Columns(["code", "n"]))
                for code in codes {
                    let number = batch.append(text: "1").with(kind: .number)
                    batch.cells += [batch.append(text: code), number]
                    batch.origins.append(RecordOrigin(record: 1, line: 1, byte: 0))
                }
                return batch.records
            }
            var rows: [Thing] = []
            rows.reserveCapacity(7)
            let room = rows.capacity
            let places = RowPlaces(behind: &rows)
            // The place of the second is not known, that of the third is.
            let early = try places.make(1, records(["c"]))
            let first = try places.make(0, records(["a", "b"]))
            let third = try places.make(2, records(["d", "e"]))
            #expect(!early && first && third)
            // One that fails keeps its place, and its rows are destroyed.
            #expect(throws: Refusal.self) { _ = try places.make(3, records(["f", "refused"])) }
            let large = try places.make(4, records(Array(repeating: "g", count: room)))
            #expect(!large)
            places.take(0, into: &rows)
            rows.append(try Thing(try #require(records(["c"]).first)))
            places.take(2, into: &rows)
            #expect(rows.map(\.code) == ["a", "b", "c", "d", "e"])
            places.clear()
            #expect(rows.map(\.code) == ["a", "b", "c", "d", "e"])
            #expect(Thing.tally.count.current == 5)
        }
    }
}
