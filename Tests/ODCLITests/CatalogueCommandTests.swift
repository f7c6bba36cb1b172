import Foundation
import TestSupport
import Testing

/// Data sets of a portal by their numbers, files and addresses, from the command.
@Suite("Portals, files and addresses", .enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
struct CatalogueCommandTests {
    private let tool: Tool
    private let simulator: Simulator

    init() throws {
        tool = try Tool()
        simulator = try Simulator()
    }

    private func run(_ words: String...) async throws -> ProcessRunner.Result {
        try await tool.run(words, environment: ["ODCTL_REWRITE": "https://=\(simulator.url)/"])
    }

    @Test("B007: one table in three formats is taken as CSV, and told; each gives the same records")
    func formats() async throws {
        let plain = try await run("fetch", "datagovtw:40448", "--format", "csv")
        #expect(
            plain.status == 0 && plain.errors.contains("resource 3 of 3, CSV") && plain.errors.contains("written 85"))
        for format in ["json", "csv"] {
            let one = try await run("fetch", "datagovtw:40448", "--resource", format, "--format", "csv")
            // Empty texts of JSON stay apart from no value.
            let output = one.output.replacingOccurrences(of: "\"\"", with: "")
            #expect(one.status == 0 && output == plain.output, "\(format)")
        }
    }

    @Test("a choice between two tables lists them; a part of a title settles it") func choice() async throws {
        let none = try await run("fetch", "datagovtw:90001")
        #expect(none.status == 64 && none.output.isEmpty)
        #expect(none.errors.contains("1  CSV  離婚對數") && none.errors.contains("2  CSV  公墓一覽"))
        let one = try await run("fetch", "datagovtw:90001", "--resource", "公墓", "--format", "csv")
        #expect(one.status == 0 && one.output.split(separator: "\n").count == 32)
    }

    @Test("what is not there is named", arguments: [("90002", 1), ("1", 69), ("abc", 64)])
    func absent(_ number: String, _ status: Int32) async throws {
        let run = try await run("fetch", "datagovtw:\(number)")
        #expect(run.status == status && run.output.isEmpty)
        #expect(run.errors.contains(number))
    }

    @Test("B050, B006: a dead link and a page in place of data are errors", arguments: ["1", "2"])
    func deadLinks(_ resource: String) async throws {
        let run = try await run("fetch", "datagovtw:90003", "--resource", resource)
        #expect(run.status != 0 && run.output.isEmpty)
    }

    @Test("the portal's description as text and as JSON; keys in addresses are not shown") func description()
        async throws
    {
        let text = try await run("describe", "datagovtw:40448")
        #expect(text.status == 0 && text.output.contains("空氣品質指標(AQI)") && text.output.contains("環境部"))
        #expect(!text.output.contains("demo-key") && text.output.contains("api_key=REDACTED"))
        let json = try await run("describe", "datagovtw:40448", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: json.stdout) as? [String: Any])
        #expect((object["resources"] as? [[String: Any]])?.map { $0["format"] as? String } == ["JSON", "XML", "CSV"])
    }

    @Test("a search finds by title, folds 臺 and 台, filters, and needs no second download") func search() async throws {
        let first = try await run("search", "空氣品質")
        #expect(first.status == 0 && first.output.split(separator: "\n")[1].hasPrefix("datagovtw:40448"))
        let folded = try await run("search", "台北市民政", "--publisher", "台北", "--resource-format", "csv", "--json")
        let hits = try #require(try JSONSerialization.jsonObject(with: folded.stdout) as? [[String: Any]])
        #expect(hits.first?["id"] as? String == "datagovtw:90001" && hits.first?["title"] as? String == "臺北市民政統計")
        #expect(try await run("search", "民政", "--resource-format", "pdf").status == 1)
        #expect(try await run("search", "沒有這種資料集").status == 1)
        #expect(try await run("search").status == 64)
        #expect(try simulator.stats().count("data.gov.tw") == 1)
    }

    @Test("an address, with raw Chinese in it, is fetched as it is published; its copy is kept") func address()
        async throws
    {
        let address = "https://data.taipei/files/govdata/taipei_cemetery_1120323資料.csv"
        let first = try await run("fetch", address, "--format", "csv")
        #expect(first.status == 0 && first.output.split(separator: "\n").count == 32)
        let second = try await run("fetch", address, "--format", "csv", "--offline")
        #expect(second.status == 0 && second.output == first.output)
    }

    @Test("a file, standard input and a folder") func files() async throws {
        try tool.write("資料.csv", "編號,名稱\n0050,甲\n0051,乙\n")
        #expect(try await run("fetch", "資料.csv", "--format", "csv").output == "編號,名稱\n0050,甲\n0051,乙\n")
        #expect(try await run("fetch", "./資料.csv", "--format", "ndjson").output.contains("\"編號\":\"0050\""))
        let piped = try await tool.run(["fetch", "-", "--format", "csv"], input: "a,b\n1,2\n")
        #expect(piped.status == 0 && piped.output == "a,b\n1,2\n")
        #expect(try await run("fetch", ".").status != 0)
        #expect(try await run("fetch", "./nothing.csv").status == 66)
        #expect(try await run("fetch", "nothing").status == 64)
        #expect(try await run("fetch", "資料.csv", "--from", "x").status == 64)
    }

    @Test("a schema is found in all records, and read by") func infer() async throws {
        try tool.write("in.csv", "代號,數量,日期\n0050,\"1,234\",115/06/24\n2330,-,115/06/25\n")
        let schema = try await run("schema", "in.csv")
        let object = try #require(try JSONSerialization.jsonObject(with: schema.stdout) as? [String: Any])
        #expect(
            (object["fields"] as? [[String: Any]])?.map { $0["type"] as? String } == ["string", "integer", "date"])
        let records = try await run("fetch", "in.csv", "--infer", "--format", "ndjson")
        #expect(
            records.output == """
                {"代號":"0050","數量":1234,"日期":"2026-06-24"}
                {"代號":"2330","數量":null,"日期":"2026-06-25"}

                """)
        #expect(try await run("fetch", "twse.stock_day_all", "--sample", "--infer").status == 64)
        #expect(try await run("schema", "twse.stock_day_all").output.contains("\"sourceNames\""))
    }

    @Test("B034, B146: files are UTF-8 whatever the locale says", arguments: ["C", "zh_TW.BIG5", "ru_RU.CP1251"])
    func locales(_ locale: String) async throws {
        try tool.write("in.csv", "代號,名稱\n0050,元大台灣50≤\n")
        let run = try await tool.run(
            ["fetch", "in.csv", "--format", "csv"], environment: ["LANG": locale, "LC_ALL": locale])
        #expect(run.status == 0 && run.output == "代號,名稱\n0050,元大台灣50≤\n")
    }

    @Test(
        "B073: fifty thousand records, half of them Chinese, are read in flat memory and in one pass",
        .enabled(if: Memory.isMeasurable, "a sanitizer needs more than any limit"))
    func manyRecords() async throws {
        let row = "0050,元大台灣五十指數股票型基金,1234,5678.90,臺北市,1,2,3,4,5,備註\n"
        try tool.write("in.csv", "a,b,c,d,e,f,g,h,i,j,k\n" + String(repeating: row, count: 50_000))
        let run = try await tool.shell("ulimit -v 400000; $odctl fetch in.csv --format ndjson --threads 2 | wc -l")
        #expect(run.status == 0 && run.output.trimmingCharacters(in: .whitespaces).hasPrefix("50000"))
    }
}
