import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

@Suite("gzip files")
struct GzipSourceTests {
    static let text = Array(ZipArchiveTests.text.utf8)

    static func read(_ bytes: [UInt8], piece: Int = 1 << 16, step: Int = 1 << 16, maximumBytes: Int = 64 << 20)
        throws(OpenDataError) -> [UInt8]
    {
        try ZipArchiveTests.read(try GzipSource(PieceSource(bytes, piece), maximumBytes: maximumBytes), step: step)
    }

    /// Bytes a few at a time.
    struct PieceSource: ByteSource {
        private var source: ByteArraySource
        private let piece: Int

        init(_ bytes: [UInt8], _ piece: Int) {
            source = ByteArraySource(bytes)
            self.piece = piece
        }

        mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
            source.read(min(count, piece), into: &buffer)
        }
    }

    @Test("One member, several, and zeros at the end, in pieces of any size")
    func sound() throws {
        let one = Compression.gzipped(GzipSourceTests.text)
        let cases: [([UInt8], [UInt8])] = [
            (one, GzipSourceTests.text),
            (one + Compression.gzipped([]) + Compression.gzipped([65]), GzipSourceTests.text + [65]),
            (one + [0, 0, 0], GzipSourceTests.text), (Compression.gzipped([]), []),
        ]
        for (bytes, expected) in cases {
            for (piece, step) in [(1 << 16, 1 << 16), (1, 1 << 16), (7, 1000), (1 << 16, 3)] {
                #expect(try GzipSourceTests.read(bytes, piece: piece, step: step) == expected)
            }
        }
    }

    @Test("Every cut is told, and so are a wrong checksum, other bytes behind and a bomb")
    func refused() {
        let small = Compression.gzipped(Array("a,b\n1,2\n".utf8))
        for end in 1..<small.count {
            let error = #expect(throws: OpenDataError.self) { try GzipSourceTests.read(Array(small[..<end])) }
            #expect(error?.code == .truncated)
        }
        var wrong = small
        wrong[small.count - 8] ^= 1
        var short = small
        short[small.count - 4] ^= 1
        let bomb = Compression.gzipped([UInt8](repeating: 0, count: 20 << 20))
        for (bytes, code) in [
            (wrong, OpenDataError.Code.malformed), (short, .malformed), (small + [1], .malformed),
            (small + [0, 1], .malformed),
            ([], .malformed), ([1], .malformed), ([0x1F, 0x8B, 9, 0], .malformed), (bomb, .tooLarge),
        ] {
            let error = #expect(throws: OpenDataError.self) { try GzipSourceTests.read(bytes) }
            #expect(error?.code == code, "\(String(describing: error))")
        }
        let error = #expect(throws: OpenDataError.self) { try GzipSourceTests.read(small, maximumBytes: 7) }
        #expect(error?.code == .tooLarge)
        #expect(throws: Never.self) { try GzipSourceTests.read(small, maximumBytes: 8) }
    }

    @Test("Broken at random", arguments: 0..<8)
    func mutations(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let content = Array("a,b\r\n1,2\r\n".utf8)
        for _ in 0..<500 {
            let bytes = Mutation.mutated(Compression.gzipped(content), using: &random)
            if let read = try? GzipSourceTests.read(bytes, maximumBytes: 1 << 16), !read.isEmpty {
                #expect(read.starts(with: content))
            }
        }
    }

    @Test("What is within is a payload of its own")
    func payloads() throws {
        func payload(_ bytes: [UInt8], _ name: String) -> Payload {
            Payload(response: Response(fileName: name, url: "test:"), body: .bytes(bytes))
        }
        let gzip = try #require(try ArchivedPayloads(payload(Compression.gzipped([65]), "a.csv.gz"), maximumBytes: 10))
        #expect(gzip.count == 1 && gzip.names == ["a.csv"] && gzip.findings.count == 1)
        let inner = try gzip.payload(0)
        #expect(
            try inner.head(10) == [65] && inner.response.fileName == "a.csv" && inner.isRepeatable && inner.size == 1)
        let zip = payload(ZipWriter(members: [.init("x/a.csv", "1"), .init("x/b.csv", "2")]).bytes, "a.zip")
        let both = try #require(try ArchivedPayloads(zip, member: "*.csv", maximumBytes: 10))
        #expect(both.names == ["x/a.csv", "x/b.csv"] && both.findings.first?.contains("2 members") == true)
        #expect(try (0..<both.count).map { try both.payload($0).head(9) } == [[0x31], [0x32]])
        #expect(try both.payload(1).response.fileName == "b.csv")
        #expect(try ArchivedPayloads(payload(Array("a,b".utf8), "a"), maximumBytes: 10) == nil)
        #expect(throws: OpenDataError.self) {
            try ArchivedPayloads(payload(Array("a,b".utf8), "a"), member: "*", maximumBytes: 10)
        }
        #expect(throws: OpenDataError.self) {
            try ArchivedPayloads(payload(Compression.gzipped([65]), "a"), member: "*", maximumBytes: 10)
        }
        #expect(throws: OpenDataError.self) { try ArchivedPayloads(zip, maximumBytes: 10) }
    }
}

@Suite("ZIP archives: recorded payloads", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
struct ArchiveRecordedTests {
    @Test(
        "The members of an archive with Big5 names give all their records, one after the other",
        arguments: CorpusLine.lines("zip"))
    func members(_ line: CorpusLine) throws {
        let payload = try Payload.file(SharedData.path(line.file))
        let refused = #expect(throws: OpenDataError.self) { try ArchivedPayloads(payload, maximumBytes: 1 << 20) }
        #expect(
            refused?.code == .badArgument && refused?.message.contains("台北市/BANK_TPE_CT_AI.CSV (11729 bytes)") == true)
        let inside = try #require(try ArchivedPayloads(payload, member: line.path, maximumBytes: 1 << 20))
        #expect(inside.count == 12 && inside.names[0] == "PowerBI_consumption/台北市/BANK_TPE_CT_AI.CSV")
        var records: [[String]] = []
        var headers: Set<[String]> = []
        for index in 0..<inside.count {
            let member = try inside.payload(index)
            var source = try member.open()
            var bytes: [UInt8] = []
            while try source.read(1 << 16, into: &bytes) > 0 {}
            // The records that are empty in all cells come before the notes.
            let decoded = Decoded.decode(bytes, as: .csv(CSVDialect(footnotes: ["備註"])))
            #expect(decoded.failure == nil)
            headers.insert(decoded.header)
            records += decoded.texts.filter { !$0.allSatisfy(\.isEmpty) }
        }
        #expect(headers.count == 1 && headers.first?.count == line.columns.first)
        #expect(records.count == line.records)
        #expect(records.first?.prefix(3).elementsEqual(line.firstCells) == true)
        #expect(records.last?.prefix(3).elementsEqual(line.lastCells) == true)
        #expect(
            try ArchivedPayloads(payload, member: "PowerBI_consumption/桃園市/*_CT_*", maximumBytes: 1 << 20)?.count == 1)
    }
}
