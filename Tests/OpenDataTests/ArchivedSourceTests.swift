import OpenData
import OpenDataCore
import TestSupport
import Testing

/// Data sets whose publisher sends an archive, as their formats declare.
@Suite struct ArchivedSourceTests {
    private func fetch(_ bytes: [UInt8], member: String?) async throws -> (codes: [String], summary: FetchSummary) {
        var source = TestSource()
        source.format.member = member
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "written:"), body: .bytes(bytes))
        var codes: [String] = []
        var iterator = Client(transport: StubTransport([:])).records(of: source, options: options).makeAsyncIterator()
        while let record = try await iterator.next() { codes.append(record.value("code").description) }
        return (codes, iterator.summary)
    }

    private static let archive = ZipWriter(members: [
        .init("a/1.csv", "代號,數量\n0050,1\n0051,2\n"), .init("readme.txt", "notes"), .init("a/2.csv", "代號,數量\n0052,3\n"),
    ]).bytes

    @Test("the members of a pattern are read one after the other, as one table") func members() async throws {
        let (codes, summary) = try await fetch(Self.archive, member: "*.csv")
        #expect(codes == ["0050", "0051", "0052"] && summary.read == 3 && summary.written == 3)
        #expect(try await fetch(Self.archive, member: "a/2.csv").codes == ["0052"])
    }

    @Test("a gzip file is inflated where an archive is declared") func gzip() async throws {
        let bytes = Compression.gzipped(Array("代號,數量\n0050,1\n".utf8))
        #expect(try await fetch(bytes, member: "*").codes == ["0050"])
        #expect(try await fetch(bytes, member: "*.csv").codes == ["0050"])
    }

    @Test("what the publisher sends without an archive is read as it is") func plain() async throws {
        #expect(try await fetch(Array("代號,數量\n0050,1\n".utf8), member: "*.csv").codes == ["0050"])
    }

    @Test("an archive that nobody has declared, and a pattern without a member, are errors") func errors() async throws
    {
        for (member, code) in [(nil, OpenDataError.Code.unexpectedContent), ("*.json", .badArgument)]
            as [(String?, OpenDataError.Code)]
        {
            let error = await #expect(throws: OpenDataError.self) { _ = try await fetch(Self.archive, member: member) }
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
    }

    @Test("a member with other columns is named") func otherColumns() async throws {
        let bytes = ZipWriter(members: [.init("1.csv", "代號,數量\na,1\n"), .init("2.csv", "碼,數量\nb,2\n")]).bytes
        let error = await #expect(throws: OpenDataError.self) { _ = try await fetch(bytes, member: "*.csv") }
        #expect(error?.code == .schemaChanged && error?.message.contains("2.csv") == true)
    }
}
