import TestSupport
import Testing

@Suite("Differences between two payloads")
struct DiffTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    private static let header = "日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數\n"

    private func write(_ name: String, _ day: String, _ quotes: [(code: String, close: String)]) throws {
        let lines = quotes.map { "\(day),\($0.code),名,1,2,3.00,3.00,3.00,\($0.close),0.0000,1\n" }
        try tool.write(name, DiffTests.header + lines.joined())
    }

    @Test("Records of two days are matched by their code; values are compared as numbers")
    func twoDays() async throws {
        try write("a.csv", "1150707", [("0050", "10.00"), ("2330", "20.00"), ("6208", "5.50")])
        try write("b.csv", "1150708", [("2330", "20.0"), ("0050", "10.05"), ("9999", "1")])
        let run = try await tool.run(
            "diff", "twse.stock_day_all", "--from", "a.csv", "--to", "b.csv", "--format", "ndjson")
        #expect(run.status == 0)
        let quote = "\"name\":\"名\",\"volume\":1,\"value\":2,\"open\":3.00,\"high\":3.00,\"low\":3.00"
        let rest = "\"change\":0.0000,\"transactions\":1"
        let changed =
            "{\"diff\":\"changed\",\"date\":\"2026-07-08\",\"code\":\"0050\",\(quote),\"close\":10.05,\(rest),"
            + "\"before\":{\"close\":10.00}}\n"
        let added = "{\"diff\":\"added\",\"date\":\"2026-07-08\",\"code\":\"9999\",\(quote),\"close\":1,\(rest)}\n"
        let removed =
            "{\"diff\":\"removed\",\"date\":\"2026-07-07\",\"code\":\"6208\",\(quote),\"close\":5.50,\(rest)}\n"
        #expect(run.output == changed + added + removed)
        #expect(run.errors.contains("matched by code alone: each payload has a date of its own"))
        #expect(run.errors.contains("twse.stock_day_all: added 1, changed 1, removed 1, unchanged 1\n"))
    }

    @Test("A key that repeats is matched in order; a key of the caller's own counts as it is given")
    func keys() async throws {
        try write("a.csv", "1150708", [("0050", "10"), ("0050", "11")])
        try write("b.csv", "1150708", [("0050", "10"), ("0050", "12"), ("0050", "13")])
        let run = try await tool.run("diff", "twse.stock_day_all", "--from", "a.csv", "--to", "b.csv")
        #expect(run.errors == "twse.stock_day_all: added 1, changed 1, removed 0, unchanged 1\n")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("diff,date,code,") && lines[0].hasSuffix(",transactions,before"))
        #expect(lines[1].hasPrefix("changed,2026-07-08,0050,") && lines[1].hasSuffix(",\"{\"\"close\"\":11}\""))
        let byClose = try await tool.run(
            "diff", "twse.stock_day_all", "--from", "a.csv", "--to", "b.csv", "--key", "code,close")
        #expect(byClose.errors == "twse.stock_day_all: added 2, changed 0, removed 1, unchanged 1\n")
    }

    @Test(
        "What cannot be compared is told",
        arguments: [
            (["--to", "a.csv"], 66, "there is no earlier copy"),
            (["--from", "a.csv", "--to", "a.csv", "--key", "codes"], 64, "there is no field 'codes' to match by"),
            (["--from", "a.csv", "--to", "absent.csv"], 66, "absent.csv"),
            (["--from", "-", "--to", "-"], 64, "standard input cannot be both"),
        ])
    func refusals(flags: [String], status: Int, message: String) async throws {
        try write("a.csv", "1150708", [("0050", "10")])
        let words = flags.map { "'\($0)'" }.joined(separator: " ")
        let run = try await tool.shell("\"$odctl\" diff twse.stock_day_all \(words)")
        #expect(Int(run.status) == status && run.errors.contains(message) && run.output.isEmpty, "\(run.errors)")
    }

    @Test("Kept copies are compared: the last two of the same request, or those that a time or a name says")
    func copies() async throws {
        let city = Guarded("甲")
        let server = try LoopbackServer { request, connection in
            connection.answer(body: CacheProcessTests.cafe(request.target.hasSuffix("/tainan") ? "別" : city.current))
        }
        let fetch = [
            "fetch", "cafenomad.cafes", "--refresh", "--quiet", "--rewrite=https://cafenomad.tw/=\(server.url)/",
        ]
        #expect(try await tool.run("diff", "cafenomad.cafes").errors.contains("no copy is kept"))
        _ = try await tool.run(fetch)
        let alone = try await tool.run("diff", "cafenomad.cafes")
        #expect(alone.status == 66 && alone.errors.contains("there is no earlier copy that is different"))
        _ = try await tool.run(fetch + ["--city", "tainan"])
        city.with { $0 = "乙" }
        _ = try await tool.run(fetch)
        let run = try await tool.run("diff", "cafenomad.cafes", "--format", "ndjson")
        #expect(run.errors == "cafenomad.cafes: added 0, changed 1, removed 0, unchanged 0\n")
        #expect(run.output.contains("\"name\":\"乙\"") && run.output.contains("\"before\":{\"name\":\"甲\"}"))
        let history = try await tool.run("history", "cafenomad.cafes").output.split(separator: "\n")
        let name = try #require(history.last?.split(separator: " ").first { $0.contains("Z-") })
        let byName = try await tool.run(
            "diff", "cafenomad.cafes", "--from", String(name), "--to", "2999-12-31", "--format", "ndjson")
        #expect(byName.output == run.output)
        let tooEarly = try await tool.run("diff", "cafenomad.cafes", "--from", "1999-12-31")
        #expect(tooEarly.status == 66 && tooEarly.errors.contains("no copy that was downloaded by 1999-12-31 is kept"))
    }
}
