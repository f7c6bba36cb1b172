import OpenData
import TWSEConnectors
import Testing

@Suite struct ClientTests {
    /// The records as `code/n/day` and the error that ended the fetch.
    private func fetch(
        _ source: TestSource, _ answers: [String: Result<String, OpenDataError>], fileName: String? = nil,
        _ configure: (inout FetchOptions) -> Void = { _ in }
    ) async -> (records: [String], summary: FetchSummary, error: OpenDataError?) {
        var options = FetchOptions()
        configure(&options)
        let client = Client(transport: StubTransport(answers, fileName: fileName))
        var records: [String] = []
        var iterator = client.records(of: source, options: options).makeAsyncIterator()
        do {
            while let record = try await iterator.next() {
                records.append(["code", "n", "day"].map { record.value($0).description }.joined(separator: "/"))
            }
            return (records, iterator.summary, nil)
        } catch {
            return (records, iterator.summary, error as? OpenDataError)
        }
    }

    @Test func onePage() async {
        let result = await fetch(TestSource(), ["/1": .success("代號,數量\n0050,\"1,234\"\n2330,--\n")])
        #expect(result.records == ["0050/1234/", "2330//"] && result.error == nil)
        #expect(result.summary.read == 2 && result.summary.written == 2 && result.summary.pages == 1)
        #expect(result.summary.encoding == .utf8)
    }

    @Test("several requests in order; a page without records is no error beside others") func severalRequests() async {
        var source = TestSource(addresses: ["https://e.tw/1", "https://e.tw/2", "https://e.tw/3"])
        let page = "代號,數量\n"
        let result = await fetch(
            source, ["/1": .success(page + "a,1\n"), "/2": .success(page), "/3": .success(page + "c,3\n")])
        #expect(result.records == ["a/1/", "c/3/"] && result.error == nil && result.summary.pages == 3)
        source.addresses = ["https://e.tw/1", "https://e.tw/2"]
        let nothing = await fetch(source, ["/1": .success(page), "/2": .success(page)])
        #expect(nothing.records.isEmpty && nothing.error?.code == .noData)
        #expect(nothing.error?.dataset == "test.things")
    }

    @Test("B049: pages are followed to the end, and not for ever") func paging() async {
        let source = TestSource(following: ["https://e.tw/1": "https://e.tw/2", "https://e.tw/2": "https://e.tw/3"])
        let page = "代號,數量\n"
        let answers: [String: Result<String, OpenDataError>] = [
            "/1": .success(page + "a,1\n"), "/2": .success(page + "b,2\n"), "/3": .success(page + "c,3\n"),
        ]
        #expect(await fetch(source, answers).records == ["a/1/", "b/2/", "c/3/"])
        let loop = TestSource(following: ["https://e.tw/1": "https://e.tw/1"])
        #expect(await fetch(loop, answers).error?.code == .badResponse)
        let endless = TestSource(following: ["https://e.tw/1": "https://e.tw/2", "https://e.tw/2": "https://e.tw/1"])
        #expect(await fetch(endless, answers).error?.code == .badResponse)
    }

    @Test(
        "B003, B004, B006, B036, B043, B155: what is no data is an error with a name",
        arguments: [
            ("", .emptyBody), (" \r\n ", .emptyBody),
            ("<!DOCTYPE html>\n<html lang=\"zh\">\n<head>", .unexpectedContent),
            ("<?xml version=\"1.0\"?><a/>", .unexpectedContent), ("%PDF-1.4", .unexpectedContent),
            ("{\"a\":1}", .unexpectedContent),
            ("PK\u{03}\u{04}", .unexpectedContent), ("API金鑰錯誤", .unexpectedContent), ("代號,數目\na,1\n", .schemaChanged),
            ("代號,數量\n", .noData), ("代號,數量\na,\"1\n", .malformed), ("代號,數量\na,\u{0}\n", .invalidText),
        ] as [(String, OpenDataError.Code)])
    func noData(_ body: String, _ code: OpenDataError.Code) async {
        let result = await fetch(TestSource(), ["/1": .success(body)])
        #expect(result.records.isEmpty && result.error?.code == code, "\(String(describing: result.error))")
        #expect(result.error?.dataset == "test.things" && result.error?.url == "https://e.tw/1")
    }

    @Test("B028: a publisher's sentence comes before a decoder's complaint") func sentences() async {
        var source = TestSource(format: .csv(CSVDialect(titleRows: 1)), refusedTitle: "很抱歉")
        #expect(await fetch(source, ["/1": .success("很抱歉\n")]).error?.code == .noData)
        #expect(await fetch(source, ["/1": .success("很抱歉\nx,y\n1,2\n")]).error?.message == "很抱歉")
        source.blankPayloadMeans = .noData
        #expect(await fetch(source, ["/1": .success("\r\n")]).error?.code == .noData)
    }

    @Test("B008, B009: constants fill a missing column; without one the value is null") func constants() async {
        let body = Result<String, OpenDataError>.success("代號,數量\na,1\n")
        #expect(await fetch(TestSource(constant: "20240715"), ["/1": body]).records == ["a/1/2024-07-15"])
        #expect(
            await fetch(TestSource(constant: "file name"), ["/1": body], fileName: "1130715").records == [
                "a/1/2024-07-15"
            ])
        #expect(await fetch(TestSource(), ["/1": body]).records == ["a/1/"])
    }

    @Test("B075: rejected records are counted, and end the fetch unless asked otherwise") func rejects() async {
        let body = Result<String, OpenDataError>.success("代號,數量\na,1\nb,x\nc\nd,4\n")
        let strict = await fetch(TestSource(), ["/1": body])
        #expect(strict.error?.code == .rejected && strict.records.isEmpty)
        let lenient = await fetch(TestSource(), ["/1": body]) { $0.rejects = .report }
        #expect(lenient.records == ["a/1/", "d/4/"] && lenient.error == nil)
        #expect(lenient.summary.read == 4 && lenient.summary.written == 2 && lenient.summary.rejected == 2)
    }

    @Test("a saved payload: no request, its own formats or an earlier export") func savedPayload() async throws {
        func saved(_ text: String) -> Payload { Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8))) }
        let source = TestSource(format: .csv(CSVDialect(titleRows: 1)))
        for text in ["標題\n代號,數量\na,1\n", "code,n,day\na,1,\n"] {
            let result = await fetch(source, [:]) { $0.payload = saved(text) }
            #expect(result.records == ["a/1/"] && result.error == nil)
        }
        let wrong = await fetch(source, [:]) { $0.payload = saved("標題\n甲,乙\n1,2\n") }
        #expect(wrong.error?.code == .schemaChanged)
    }

    @Test("a saved payload must be an answer to the arguments given with it") func savedAnswer() async throws {
        func saved(_ text: String) -> FetchOptions {
            var options = FetchOptions()
            options.payload = Payload(response: Response(url: "x:"), body: .bytes(Array(text.utf8)))
            return options
        }
        let client = Client(transport: StubTransport([:]))
        let sample = String(decoding: try #require(TWSEStockDay().sample).bytes, as: UTF8.self)
        let right: Arguments = ["stock_no": "2330", "month": "2025-03"]
        #expect(try await client.fetch(TWSEStockDay(), right, options: saved(sample)).count > 15)
        #expect(try await client.fetch(TWSEStockDay(), options: saved(sample)).count > 15)
        for wrong in [["stock_no": "0050", "month": "2025-03"], ["stock_no": "2330", "month": "2025-04"]] {
            await #expect {
                try await client.fetch(TWSEStockDay(), Arguments(wrong), options: saved(sample))
            } throws: { ($0 as? OpenDataError)?.code == .unexpectedContent }
        }
        // An earlier export, which has no title, is one too.
        let export =
            "date,code,name,volume,value,open,high,low,close,change,transactions\n2025-03-03,2330,x,1,1,1,1,1,1,1,1\n"
        #expect(try await client.fetch(TWSEStockDay(), right, options: saved(export)).count == 1)
        await #expect {
            try await client.fetch(TWSEStockDay(), ["stock_no": "2317", "month": "2025-03"], options: saved(export))
        } throws: { ($0 as? OpenDataError)?.code == .unexpectedContent }
        // Records of another kind are no "no data".
        for text in ["[{\"a\":1}]", "[1,2]", "[[[]]]"] {
            await #expect {
                try await client.fetch(TWSEStockDay(), right, options: saved(text))
            } throws: { [.schemaChanged, .unexpectedContent].contains(($0 as? OpenDataError)?.code) }
        }
        await #expect {
            try await client.fetch(TWSEStockDay(), right, options: saved(" {}\n"))
        } throws: { ($0 as? OpenDataError)?.code == .noData }
    }

    @Test("white space in front of the data may be long") func leadingSpace() async {
        let body = String(repeating: "\n", count: 20_000) + "代號,數量\na,1\n"
        #expect(await fetch(TestSource(), ["/1": .success(body)]).records.isEmpty == false)
    }

    @Test("arguments are checked before anything is requested") func arguments() async throws {
        let transport = StubTransport([:])
        let client = Client(transport: transport)
        await #expect(throws: OpenDataError.self) { try await client.fetch(TestSource(), ["page": "1"]) }
        await #expect { try await client.fetch(TestSource(), ["pages": "一"]) } throws: {
            ($0 as? OpenDataError)?.code == .badArgument
        }
        #expect(await transport.asked.isEmpty)
    }

    @Test("a cancelled fetch says so") func cancellation() async {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await fetch(TestSource(), ["/1": .success("代號,數量\na,1\n")]).error?.code
        }
        #expect(await task.value == .cancelled)
    }

    @Test("a window's size changes nothing") func windows() async {
        let body = Result<String, OpenDataError>.success(
            "代號,數量,日期\n" + (0..<300).map { "c\($0),\($0),1150708\n" }.joined())
        let whole = await fetch(TestSource(), ["/1": body])
        #expect(whole.records.count == 300)
        for size in [1, 7, 64, 1000] {
            #expect(await fetch(TestSource(), ["/1": body]) { $0.windowSize = size }.records == whole.records)
        }
    }

    @Test("unknown columns are named") func unknownColumns() async {
        let result = await fetch(TestSource(), ["/1": .success("代號,數量,註記\na,1,x\n")])
        #expect(result.summary.unknownColumns == ["註記"])
    }
}

@Suite struct RegistryTests {
    @Test func ids() throws {
        #expect(
            Registry.standard.ids == [
                "cafenomad.cafes", "datagovtw.catalogue", "moenv.aqi", "tpex.daily_close", "twse.openapi.stock_day_all",
                "twse.public_subscription", "twse.stock_day", "twse.stock_day_all", "youbike.taipei",
            ])
        #expect(try Registry.standard.source("twse.stock_day").dataset.id == "twse.stock_day")
    }

    @Test(
        "a wrong id gets the nearest right one",
        arguments: [
            ("twse.stock_dayall", "twse.stock_day_all"), ("cafenomad.cafe", "cafenomad.cafes"),
            ("stock_day_all", "twse.stock_day_all"),
            ("TWSE.STOCK_DAY", "twse.stock_day"),
        ])
    func hints(_ id: String, _ hint: String) {
        #expect { try Registry.standard.source(id) } throws: { error in
            guard let error = error as? OpenDataError else { return false }
            return error.code == .unknownDataset && error.message.contains("did you mean '\(hint)'?")
        }
    }
}
