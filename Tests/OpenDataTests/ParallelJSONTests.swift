import CafeNomadConnectors
import Foundation
import OpenData
import OpenDataFormats
import TestSupport
import Testing

/// Chunks of JSON, decoded at the same time, must come to what reading in order comes to.
@Suite struct ParallelJSONTests {
    private func check(_ text: String, as format: Format = .json, encoder: String = "ndjson") async throws {
        try await ParallelTests().check(Array(text.utf8), as: format, encoder: encoder)
    }

    private static func records(_ count: Int, _ separator: String = ",", _ record: (Int) -> String) -> String {
        (0..<count).map(record).joined(separator: separator)
    }

    @Test(arguments: ["ndjson", "json", "csv", "table"]) func plain(_ encoder: String) async throws {
        let records = Self.records(400) { "{\"代號\":\"c\\u4e2d\($0)\",\"數量\":\($0)}" }
        try await check("[\(records)]", encoder: encoder)
    }

    @Test("line ends between records and in them", arguments: ["\n", "\r\n", "\r"]) func lines(_ end: String)
        async throws
    {
        let records = Self.records(200, ",\(end)  ") {
            "{\(end)    \"代號\": \"c\($0)\",\(end)    \"數量\": \($0 % 50 == 7 ? "\"x\"" : "\($0)")\(end)  }"
        }
        try await check("[\(end)  \(records)\(end)]\(end)")
        try await check("[\(end)  \(records),\(end)  {\"代號\": 1,\(end) \"數量\" 2}]")
    }

    @Test("objects one after the other", arguments: ["\n", "", "\r\n\n", " "]) func sequence(_ separator: String)
        async throws
    {
        let records = Self.records(300, separator) { "{\"代號\":\"c\($0)\",\"數量\":\($0 % 90 == 5 ? "\"x\"" : "\($0)")}" }
        try await check(records)
        try await check(records + separator + "[1]" + separator + records + separator + "{\"代號\":]")
    }

    @Test("what looks like the end of a record in texts and nested values") func falseEnds() async throws {
        let texts = Self.records(200) { "{\"代號\":\"},{\\\"代號\\\":\($0)},{\",\"數量\":\($0),\"備註\":\"]},{\"}" }
        try await check("[\(texts)]")
        let nested = Self.records(200) {
            "{\"代號\":\"c\($0)\",\"數量\":\($0),\"更\":[{\"代號\":1},{\"代號\":2},{\"代號\":[[],[{}],{\"a\":[1,2]}]}]}"
        }
        try await check("[\(nested)]")
        let one = Self.records(300) { "{\"代號\":\"\($0)\"}" }
        try await check("[{\"代號\":\"a\",\"數量\":1},{\"代號\":\"b\",\"數量\":2,\"更\":[\(one)]},{\"代號\":\"c\",\"數量\":3}]")
    }

    @Test("members around the records, and what they say about the rest") func envelope() async throws {
        let records = Self.records(200) { "{\"代號\":\"c\($0)\",\"數量\":\($0)}" }
        let format = Format.json(records: "data", "$")
        let other = Self.records(200) { "{\"代號\":\"o\($0)\"}" }
        for tail in [
            "", ",\"total\":200", ",\"more\":[\(other)]", ",\"more\":[\(other)],\"data\":[{\"代號\":1}]", ",\"x\" 1",
        ] {
            try await check("{\"stat\":\"OK\",\"data\":[\(records)]\(tail)}", as: format)
            try await check("{\"stat\":\"OK\",\"data\":[\(records)]\(tail)", as: format)
            try await check("{\"stat\":\"OK\",\"data\":[\(records)]\(tail)}]", as: format)
        }
    }

    @Test("a sentence behind the records explains more than the error that ends them") func sentence() async throws {
        let records = Self.records(200) { "{\"代號\":\"c\($0)\",\"數量\":\($0)}" }
        var source = TestSource(format: .json(records: "data"))
        source.refusedTitle = "busy"
        for (window, threads) in [(1 << 20, 1), (64, 1), (64, 3), (2000, 3)] {
            var options = FetchOptions()
            let text = "{\"data\":[\(records)],\"title\":\"busy\",]"
            options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
            options.windowSize = window
            let batches = Client(transport: StubTransport([:])).batches(of: source, options: options)
            var exporter = Exporter(try EncoderRegistry.standard.encoder(named: "csv", options: EncoderOptions()))
            exporter.threads = threads
            let folder = try TemporaryFolder()
            await #expect {
                try await exporter.write(batches, to: folder.url.appendingPathComponent("out").path)
            } throws: { error in
                (error as? OpenDataError)?.message == "busy"
            }
        }
    }

    @Test("elements that are no records, keys that occur twice, columns that join late") func oddRecords() async throws
    {
        let records = Self.records(300, ",\n") {
            switch $0 % 37 {
            case 5: "7"
            case 11: "[{\"代號\":1},{\"代號\":2}]"
            case 17: "{\"代號\":\"a\",\"代號\":\"b\",\"數量\":1}"
            case 23: "{\"數量\":\($0),\"代號\":\"c\"}"
            case 29: "{}"
            case 31 where $0 > 200: "{\"代號\":\"a\",\"數量\":1,\"備註\":\"n\",\"more\($0)\":1}"
            default: "{\"代號\":\"c\($0)\",\"數量\":\($0)}"
            }
        }
        try await check("[\(records)]")
        try await check("[\(records)]", encoder: "json")
    }

    @Test("too many columns are too many however they are shared out") func manyColumns() async throws {
        let records = Self.records(60) { number in
            "{\"代號\":\"c\",\"數量\":\(number)," + Self.records(40) { "\"k\(number)-\($0)\":1" } + "}"
        }
        let expected = try await ParallelTests().export(
            Array("[\(records)]".utf8), as: .json, threads: 1, window: 1 << 20, encoder: "csv")
        #expect(expected.hasPrefix("tooLarge"))
        let parallel = try await ParallelTests().export(
            Array("[\(records)]".utf8), as: .json, threads: 3, window: 3000, encoder: "csv")
        #expect(parallel == expected)
    }

    @Test("without a schema, a column that joins late is an error with any number of threads") func asPublished()
        async throws
    {
        let records = Self.records(200) { "{\"a\":\($0)\($0 > 150 ? ",\"b\":1" : "")}" }
        var source = TestSource(format: .json)
        source.dataset.schema = .asPublished
        // So many that in one of them the column begins a chunk.
        for window in 60...110 {
            var messages: [String] = []
            for threads in [1, 3] {
                var options = FetchOptions()
                options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array("[\(records)]".utf8)))
                options.windowSize = window
                let batches = Client(transport: StubTransport([:])).batches(of: source, options: options)
                var exporter = Exporter(try EncoderRegistry.standard.encoder(named: "csv", options: EncoderOptions()))
                exporter.threads = threads
                let folder = try TemporaryFolder()
                do throws(OpenDataError) {
                    try await exporter.write(batches, to: folder.url.appendingPathComponent("out").path)
                } catch {
                    messages.append(error.description)
                }
            }
            #expect(messages.count == 2 && messages.first == messages.last, "window \(window)")
        }
    }

    @Test("rows with names") func rows() async throws {
        let rows = Self.records(200) { $0 % 60 == 7 ? "[1]" : "[\"c\($0)\",\"\($0),000\"]" }
        let format = Format.json(.table)
        try await check("{\"fields\":[\"代號\",\"數量\"],\"data\":[\(rows)],\"total\":1}", as: format)
        try await check("{\"fields\":[\"代號\",\"數量\"],\"data\":[\(rows),[[1],[2]],\(rows)]", as: format)
    }

    @Test("cut off anywhere, and with a bad byte anywhere") func endings() async throws {
        let text = Array("[\(Self.records(60, ",\n") { "{\"代號\":\"中\($0)\",\"數量\":\($0)}" })]".utf8)
        for count in stride(from: text.count - 90, to: text.count, by: 3) {
            // A letter that is cut in two is another error.
            let cut = String(decoding: text[..<count], as: UTF8.self).filter { $0 != "\u{FFFD}" }
            try await check(cut)
        }
        var bytes = text
        bytes[bytes.count - 100] = 0xFF
        let result = try await ParallelTests().export(bytes, as: .json, threads: 3, window: 64, encoder: "csv")
        #expect(result.hasPrefix("invalidText byte \(bytes.count - 100)"), "\(result)")
    }

    @Test("random and broken text, by several threads as by one", arguments: 0..<12) func random(_ seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{\"代號\":\"a\",\"數量\":1},", "{\"代號\":\"\\u4e2d},{\",\"數量\":\"1,000\"},\n", "{\"數量\":null,\"代號\":\"\"} , ",
            "{}",
            ",", "\r\n", "7,", "\"},{\",", "[{\"代號\":1},{\"代號\":2}],",
            "{\"代號\":\"b\",\"備註\":{\"代號\":[{},{}]},\"數量\":2},", "]", "}",
        ]
        for _ in 0..<5 {
            var body = ""
            for _ in 0..<Int.random(in: 30..<120, using: &random) {
                body +=
                    pieces[
                        min(Int.random(in: 0..<40, using: &random), 3) == 3 ? Int.random(in: 0..<10, using: &random) : 0
                    ]
            }
            if Bool.random(using: &random) { body += "{\"代號\":\"z\"}]" }
            var bytes = Array(("[" + body).utf8)
            if Bool.random(using: &random) { bytes = Mutation.mutated(bytes, using: &random) }
            guard String(validating: bytes, as: UTF8.self)?.unicodeScalars.contains("\0") == false else { continue }
            for window in [Int.random(in: 8...100, using: &random), Int.random(in: 100...2000, using: &random)] {
                let tests = ParallelTests()
                let expected = try await tests.export(bytes, as: .json, threads: 1, window: window, encoder: "ndjson")
                let parallel = try await tests.export(
                    bytes, as: .json, threads: 2, window: window, encoder: "ndjson", asStream: seed % 2 == 1)
                #expect(
                    parallel == expected, "window \(window): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
                )
            }
        }
    }

    @Test("a row that refuses a value says where it stands") func rowErrors() async throws {
        let records = Self.records(500, ",\n") { "{\"id\":\"c\($0)\",\"name\":\($0 == 400 ? "null" : "\"n\"")}" }
        struct Named: Row {
            init(_ record: Record) throws(OpenDataError) { let _: Int? = try record["n"] }
        }
        struct Things: DataSource {
            typealias Row = Named
            var dataset = TestSource().dataset
            let format = Format.json
            init() { dataset.schema = [.text("n", "name", missing: [])] }
            func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://e.tw/1") }
        }
        // All names are text but one, which is none; rows ask for numbers.
        let text =
            "["
            + records.replacingOccurrences(of: "\"n\"}", with: "null}").replacingOccurrences(
                of: "{\"id\":\"c400\",\"name\":null}", with: "{\"id\":\"c400\",\"name\":\"n\"}") + "]"
        for window in [1 << 20, 700] {
            var options = FetchOptions()
            options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
            options.windowSize = window
            await #expect {
                try await Client(transport: StubTransport([:])).fetch(Things(), options: options)
            } throws: { error in
                let position = (error as? OpenDataError)?.position
                return position?.record == 401 && position?.line == 401
                    && position?.byte
                        == text.utf8.firstRange(
                            of: "{\"id\":\"c400\"".utf8
                        ).map { text.utf8.distance(from: text.utf8.startIndex, to: $0.lowerBound) }
            }
        }
    }

    @Test("recorded cafes, by several threads as by one", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
    func recorded() async throws {
        for name in ["cafes_all_2022_wrapped", "DERIVED_cafes_taipei_2022_bare_array"] {
            let path = try SharedData.path("cafenomad/\(name).json")
            func export(threads: Int, window: Int) async throws -> Data {
                var options = FetchOptions()
                options.payload = try Payload.file(path)
                options.windowSize = window
                options.rejects = .report
                let batches = Client(transport: StubTransport([:])).batches(of: CafeNomad(), options: options)
                var exporter = Exporter(try EncoderRegistry.standard.encoder(named: "csv", options: EncoderOptions()))
                (exporter.threads, exporter.allowedRejects) = (threads, .max)
                let folder = try TemporaryFolder()
                let output = folder.url.appendingPathComponent("out")
                try await exporter.write(batches, to: output.path)
                return try Data(contentsOf: output)
            }
            let expected = try await export(threads: 1, window: 1 << 24)
            #expect(expected.count > 100_000)
            for window in [1000, 20_000, 1 << 18] {
                #expect(try await export(threads: 3, window: window) == expected, "\(name) \(window)")
            }
        }
    }
}
