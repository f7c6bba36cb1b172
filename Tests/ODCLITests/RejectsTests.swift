import Foundation
import TestSupport
import Testing

/// What does not fit: told, kept in a file, or made null.
@Suite("Rejects and drift")
struct RejectsTests {
    private static let text = """
        日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數
        1150624,9999,示例,"1,234",0,--,--,--,x,0.00,0
        1150624,,示例,0,0,--,--,--,--,0.00,0
        1150624,2330
        1150624,0050,示例,1,2,3,3,3,3.00,X0.00,0

        """

    private func lines(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("--rejects has each of them with its place, its reason and all of its cells as published")
    func file() async throws {
        let tool = try Tool()
        try tool.write("in.csv", Self.text)
        let run = try await tool.run(
            "fetch", "twse.stock_day_all", "--from", "in.csv", "--rejects", "rejects.ndjson", "--format", "csv")
        #expect(run.status == 65 && run.output.split(separator: "\n").count == 2)
        let rejects = try lines(try tool.read("rejects.ndjson"))
        #expect(rejects.map { $0["line"] as? Int } == [2, 3, 4] && rejects.map { $0["record"] as? Int } == [1, 2, 3])
        #expect(rejects.map { $0["code"] as? String } == ["type", "required", "fieldCount"])
        #expect(rejects.map { $0["field"] as? String } == ["close", "code", nil])
        #expect(rejects.map { $0["byte"] as? Int } == [125, 173, 212])
        // As published, though the number was already read when the price did not fit.
        let cells = try #require(rejects[0]["cells"] as? [String: Any])
        #expect(cells.count == 11 && cells["成交股數"] as? String == "1,234" && cells["收盤價"] as? String == "x")
        #expect(rejects[2]["raw"] as? String == "1150624,2330")
    }

    @Test("the same with two threads and more rejects than are shown") func manyRejects() async throws {
        let tool = try Tool()
        let header = Self.text.split(separator: "\n")[0]
        let body = (1...40_000).map { number in
            "1150624,\(number),示例,1,2,3,3,3,\(number % 10 == 0 ? "bad\(number)" : "1.50"),0.00,0"
        }
        try tool.write("in.csv", ([String(header)] + body).joined(separator: "\n") + "\n")
        var files: [String] = []
        for threads in ["1", "2"] {
            let run = try await tool.run(
                "fetch", "twse.stock_day_all", "--from", "in.csv", "--rejects", "r", "--allow-rejects", "4000",
                "--threads", threads)
            #expect(run.status == 0)
            #expect(run.errors.contains("read 40000, written 36000, rejected 4000"))
            files.append(try tool.read("r"))
        }
        #expect(files[0] == files[1])
        let rejects = try lines(files[0])
        #expect(rejects.count == 4000)
        #expect(rejects.map { $0["line"] as? Int } == (1...4000).map { $0 * 10 + 1 })
        #expect(rejects.map { $0["raw"] as? String } == (1...4000).map { "bad\($0 * 10)" })
    }

    @Test("--on-error null keeps a record without the value, but for one that is required") func nulls() async throws {
        let tool = try Tool()
        try tool.write("in.csv", Self.text)
        let run = try await tool.run(
            "fetch", "twse.stock_day_all", "--from", "in.csv", "--on-error", "null", "--rejects", "r", "--format",
            "ndjson")
        #expect(run.status == 65)
        let records = try lines(run.output)
        #expect(records.map { $0["code"] as? String } == ["9999", "0050"])
        #expect(records[0]["close"] is NSNull && records[0]["volume"] as? Int == 1234)
        #expect(run.errors.contains("read 4, written 2, rejected 2, cells set to null 1"))
        let rejects = try lines(try tool.read("r"))
        #expect(rejects.map { $0["outcome"] as? String } == ["null", "left out", "left out"])
    }

    @Test("--on-error fail ends at the first, with its place, and writes nothing") func failing() async throws {
        let tool = try Tool()
        try tool.write("in.csv", Self.text)
        let run = try await tool.run("fetch", "twse.stock_day_all", "--from", "in.csv", "--on-error", "fail")
        #expect(run.status == 65 && run.output.isEmpty)
        #expect(run.errors.contains("line 2") && run.errors.contains("close"))
        #expect(try await tool.run("fetch", "twse.stock_day_all", "--sample", "--on-error", "skip").status == 64)
    }

    @Test("a run without rejects leaves an empty file in place of an earlier one; one that fails leaves it alone")
    func earlierFile() async throws {
        let tool = try Tool()
        try tool.write("r", "old\n")
        try tool.write("broken.csv", "證券代號\n\"2330\n")
        #expect(
            try await tool.run("fetch", "twse.stock_day_all", "--from", "broken.csv", "--rejects", "r").status == 65)
        #expect(try tool.read("r") == "old\n")
        #expect(try await tool.run("fetch", "twse.stock_day_all", "--sample", "--rejects", "r").status == 0)
        #expect(try tool.read("r") == "" && tool.files == ["broken.csv", "r"])
        let run = try await tool.run("fetch", "twse.stock_day_all", "--sample", "--rejects", "no/such/folder")
        #expect(run.status == 73)
    }

    @Test("a new column is told, with the missing one that it may be") func newColumn() async throws {
        let tool = try Tool()
        let text = Self.text.split(separator: "\n").enumerated().filter { [0, 4].contains($0.offset) }.map(\.element)
        try tool.write("in.csv", text.joined(separator: "\n").replacingOccurrences(of: "日期", with: "日期x") + "\n")
        let run = try await tool.run("fetch", "twse.stock_day_all", "--from", "in.csv", "--format", "csv")
        #expect(run.status == 0 && run.errors.contains("columns not in the schema: 日期x (perhaps now '日期'"))
    }
}
