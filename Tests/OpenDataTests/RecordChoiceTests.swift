import OpenData
import Testing

/// Which records stay, and where they are said to be.
@Suite struct RecordChoiceTests {
    private func read(
        _ text: String, _ source: TestSource, _ arguments: Arguments = [:], rejects: FetchOptions.RejectPolicy
    ) async throws -> (records: [Record], summary: FetchSummary) {
        var options = FetchOptions()
        options.rejects = rejects
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
        let client = Client(transport: StubTransport([:]))
        var iterator = client.records(of: source, arguments, options: options).makeAsyncIterator()
        var records: [Record] = []
        while let record = try await iterator.next() { records.append(record) }
        return (records, iterator.summary)
    }

    @Test("of values that do not fit, one that is required leaves its record out, any other becomes null")
    func nulled() async throws {
        var source = TestSource()
        source.dataset.schema = [.text("code", "代號"), .integer("n", "數量", required: true), .date("day", "日期")]
        let text = "代號,數量,日期\na,x,1150708\nb,2,never\nc,3,1150708\nd,,1150708\n"
        let (records, summary) = try await read(text, source, rejects: .null)
        #expect(records.map { $0.value("code").description } == ["b", "c"])
        #expect(records[0].value("day") == .null && records[1].value("day") != .null)
        #expect(summary.read == 4 && summary.written == 2 && summary.rejected == 2 && summary.nulled == 1)
    }

    @Test("records that are chosen keep their places") func places() async throws {
        var source = TestSource()
        source.dataset.parameters = [Parameter("code", .filter(field: "code"), "a code")]
        let text = "代號,數量\na,1\n台,2\nb,3\n臺,4\n臺,5\n"
        let (records, summary) = try await read(text, source, ["code": "台"], rejects: .fail)
        #expect(records.map { $0.value("n").description } == ["2", "4", "5"])
        #expect(records.map(\.position.record) == [2, 4, 5] && records.map(\.position.line) == [3, 5, 6])
        #expect(records.map(\.position.byte) == [18, 28, 34] && summary.leftOut == 2)
    }
}
