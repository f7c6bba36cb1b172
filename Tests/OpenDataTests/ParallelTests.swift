import Foundation
import OpenData
import OpenDataFormats
import TestSupport
import Testing

/// Several threads must write what one writes.
@Suite struct ParallelTests {
    /// The bytes written, the summary, the rejects and the error, with a number of threads.
    ///
    /// - Parameter asStream: Whether the payload can only be read in order.
    func export(
        _ payload: [UInt8], as format: Format, threads: Int, window: Int, encoder name: String, asStream: Bool = false
    ) async throws -> String {
        var source = TestSource(format: format)
        source.dataset.schema = [
            .text("code", "代號", missing: []), .integer("n", "數量"), .text("note", "備註", optionalColumn: true),
        ]
        var options = FetchOptions()
        let file = asStream ? try ReadOnceFile(payload) : nil
        defer { withExtendedLifetime(file) {} }
        options.payload =
            try file.map { try Payload.stream(descriptor: $0.descriptor) }
            ?? Payload(response: Response(url: "x:"), body: .bytes(payload))
        options.rejects = .report
        options.windowSize = window
        let batches = Client(transport: StubTransport([:])).batches(of: source, options: options)
        var exporter = Exporter(try EncoderRegistry.standard.encoder(named: name, options: EncoderOptions()))
        exporter.threads = threads
        exporter.allowedRejects = .max
        let rejects = Guarded<[String]>([])
        exporter.onReject = { reject in
            rejects.with {
                $0.append("\(reject.origin.record)@\(reject.origin.line)+\(reject.origin.byte) \(reject.raw)")
            }
        }
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("out").path
        var result = ""
        do throws(OpenDataError) {
            let summary = try await exporter.write(batches, to: path)
            result = "\(summary.read) \(summary.written) \(summary.rejected) \(summary.unknownColumns)\n"
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            result += String(decoding: bytes, as: UTF8.self)
        } catch {
            // How many records came before the error depends on the window.
            return "\(error.code.rawValue) \(error.position?.description ?? "") \(error.message)"
        }
        return result + rejects.current.joined(separator: "\n")
    }

    func check(_ payload: [UInt8], as format: Format = .csv, encoder: String = "ndjson") async throws {
        let expected = try await export(payload, as: format, threads: 1, window: 1 << 20, encoder: encoder)
        for window in [16, 33, 128, 700, 5000] {
            for asStream in [false, true] {
                let parallel = try await export(
                    payload, as: format, threads: 3, window: window, encoder: encoder, asStream: asStream)
                #expect(parallel == expected, "window \(window), stream: \(asStream)")
            }
        }
    }

    static func lines(_ count: Int, _ line: (Int) -> String) -> String { (0..<count).map(line).joined() }

    @Test(arguments: ["ndjson", "json", "csv", "tsv", "table", "markdown"]) func plain(_ encoder: String) async throws {
        let text = "代號,數量\n" + Self.lines(400) { "\"00\($0)\",\"\($0),000\"\r\n" }
        try await check(Array(text.utf8), encoder: encoder)
    }

    @Test("rejected records keep their places") func rejects() async throws {
        let text =
            "代號,數量,更\n" + Self.lines(300) { $0 % 7 == 3 ? "x,y,z\n" : $0 % 11 == 5 ? "a\n\n" : "c\($0),\($0),\n" }
        try await check(Array(text.utf8))
        try await check(Array(text.utf8), encoder: "json")
    }

    @Test("line breaks in quotes, where a guess at the end of a record is wrong") func quotedLines() async throws {
        let text = "代號,數量,備註\n" + Self.lines(200) { "c\($0),\($0),\"first\nsecond \"\"\($0)\"\"\n\n,third,\n\"\n" }
        try await check(Array(text.utf8))
        let long = "代號,數量,備註\na,1,\"" + Self.lines(300) { "line \($0)\n" } + "\"\n" + Self.lines(50) { "b\($0),2,\n" }
        try await check(Array(long.utf8))
    }

    @Test("quotes that break the rule of pairs") func strayQuotes() async throws {
        let text = "代號,數量,備註\n" + Self.lines(200) { "5\" disk \($0),\($0),\"say \"hi\" now\"\n" }
        try await check(Array(text.utf8))
        let open = "代號,數量\n" + Self.lines(100) { "a\($0),1\n" } + "b,\"2\n" + Self.lines(100) { "c\($0),3\n" }
        try await check(Array(open.utf8))
    }

    @Test("lone CR, a cut last record, a bad byte") func endings() async throws {
        try await check(Array(("代號,數量\r" + Self.lines(200) { "a\($0),1\r" }).utf8))
        try await check(Array(("代號,數量\n" + Self.lines(200) { "a\($0),1\n" } + "b").utf8))
        var bytes = Array(("代號,數量\n" + Self.lines(200) { "中\($0),1\n" }).utf8)
        bytes[bytes.count - 100] = 0xFF
        let result = try await export(bytes, as: .csv, threads: 3, window: 64, encoder: "csv")
        #expect(result.hasPrefix("invalidText byte \(bytes.count - 100)"), "\(result)")
    }

    @Test("JSON with columns that join late") func json() async throws {
        let text =
            "["
            + Self.lines(300) {
                $0 % 9 == 4 ? "7," : "{\"代號\":\"c\\u4e2d\($0)\",\"數量\":\($0)\($0 > 150 ? ",\"更\":1" : "")},"
            } + "{\"代號\":null,\"數量\":\"x\"}]"
        try await check(Array(text.utf8), as: .json)
        try await check(Array(text.utf8.dropLast(9)), as: .json, encoder: "csv")
    }

    @Test("random text, by several threads as by one", arguments: 0..<12) func random(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "1", "\"", "\"\"", ",", ",", "\n", "\n", "\r\n", "\r", " ", "中", "0050,1\n", "\"x\",\"2\"\n", "\"\n\"",
        ]
        for _ in 0..<10 {
            let body = (0..<Int.random(in: 50..<200, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let text = "代號,數量\n" + body.joined()
            let expected = try await export(Array(text.utf8), as: .csv, threads: 1, window: 1 << 20, encoder: "ndjson")
            let window = Int.random(in: 8...100, using: &random)
            let parallel = try await export(Array(text.utf8), as: .csv, threads: 2, window: window, encoder: "ndjson")
            #expect(parallel == expected, "window \(window): \(text.debugDescription)")
        }
    }

    /// Records of which some are chosen, with marks and values that do not fit; late ones have a column more.
    private static let counted: [(Format, String)] = [
        (.csv, "代號,數量,更\n" + lines(400) { "c\($0 % 3),\($0 % 5 == 4 ? "x" : "\($0)*"),\n" }),
        (
            .xml(records: "d/r"),
            "<d>"
                + lines(400) {
                    "<r><代號>c\($0 % 3)</代號><數量>\($0 % 5 == 4 ? "x" : "\($0)*")</數量>\($0 > 300 ? "<更>1</更>" : "")</r>"
                } + "</d>"
        ),
    ]

    @Test("what is counted is the same with any number of threads", arguments: 0..<2)
    func counts(_ index: Int) async throws {
        let (format, text) = Self.counted[index]
        var source = TestSource(format: format)
        source.dataset.schema = [.text("code", "代號"), .number("n", "數量", marks: [Mark("*")])]
        source.dataset.parameters = [Parameter("code", .filter(field: "code"), "a code")]
        var options = FetchOptions()
        options.rejects = .null
        options.windowSize = 200
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
        for threads in [1, 3] {
            let batches = Client(transport: StubTransport([:])).batches(of: source, ["code": "c1"], options: options)
            var exporter = Exporter(try EncoderRegistry.standard.encoder(named: "csv", options: EncoderOptions()))
            (exporter.threads, exporter.allowedRejects) = (threads, .max)
            let folder = try TemporaryFolder()
            let summary = try await exporter.write(batches, to: folder.url.appendingPathComponent("out").path)
            #expect(summary.unknownColumns == ["更"])
            #expect(summary.read == 400 && summary.written == 133 && summary.leftOut == 267, "\(threads) threads")
            #expect(summary.nulled == 80 && summary.droppedMarks == 320, "\(threads) threads")
        }
    }

    @Test("a column that stands twice in the last record is an error with any number of threads", arguments: [1, 3])
    func lateColumn(_ threads: Int) async throws {
        let source = TestSource(format: .xml(XMLLayout(records: ["d/r"], columnNames: "name")))
        var options = FetchOptions()
        options.windowSize = 200
        let usual = "<c name='代號'>c</c><c name='數量'>1</c>"
        let text = "<d>" + Self.lines(200) { _ in "<r>\(usual)</r>" } + "<r>\(usual)<c name=' 數量'>2</c></r></d>"
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
        let batches = Client(transport: StubTransport([:])).batches(of: source, options: options)
        var exporter = Exporter(try EncoderRegistry.standard.encoder(named: "csv", options: EncoderOptions()))
        exporter.threads = threads
        let folder = try TemporaryFolder()
        let error = await #expect(throws: OpenDataError.self) {
            try await exporter.write(batches, to: folder.url.appendingPathComponent("out").path)
        }
        #expect(error?.code == .schemaChanged)
    }

    /// A row that refuses one of its values.
    struct Pair: Row, Hashable {
        var code: String?
        var n: Int?

        init(_ record: Record) throws {
            code = try record["code"]
            n = try record["n"]
            if n == 777 { throw Refusal() }
        }
    }

    struct Refusal: Error {}

    @Test("rows at once are the rows one after the other, and so are their errors") func rows() async throws {
        struct Pairs: DataSource {
            typealias Row = Pair
            let dataset = TestSource().dataset
            let format = Format.csv
            func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://e.tw/1") }
        }
        func options(_ text: String) -> FetchOptions {
            var options = FetchOptions()
            options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
            options.windowSize = 200
            return options
        }
        let client = Client(transport: StubTransport([:]))
        let good = "代號,數量\n" + Self.lines(500) { "\"c\($0)\",\($0 % 700 == 499 ? "" : "\($0)")\n" }
        var expected: [Pair] = []
        for try await row in client.rows(of: Pairs(), options: options(good)) { expected.append(row) }
        #expect(expected.count == 500)
        #expect(try await client.fetch(Pairs(), options: options(good)) == expected)
        await #expect(throws: Refusal.self) { try await client.fetch(Pairs(), options: options(good + "x,777\n")) }
        await #expect {
            try await client.fetch(Pairs(), options: options(good + "x,y\n"))
        } throws: { error in
            let error = error as? OpenDataError
            return error?.code == .rejected && error?.position?.line == 502 && error?.dataset == "test.things"
        }
    }

    /// A row that knows where one of its values comes from.
    private struct Placed: Row {
        init(_ record: Record) throws {
            if try record["n"] == 400 as Int? {
                throw OpenDataError(.valueNotFound, "no 400", position: Position(record: 2, line: 3))
            }
        }
    }

    @Test("a place that a row itself tells in its error is left as it is", arguments: [200, 1 << 20])
    func ownPlace(_ window: Int) async throws {
        struct Things: DataSource {
            typealias Row = Placed
            let dataset = TestSource().dataset
            let format = Format.csv
            func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://e.tw/1") }
        }
        let text = "代號,數量\n" + Self.lines(500) { "c,\($0)\n" }
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
        options.windowSize = window
        let error = await #expect(throws: OpenDataError.self) {
            try await Client(transport: StubTransport([:])).fetch(Things(), options: options)
        }
        #expect(error?.position == Position(record: 2, line: 3))
    }
}
