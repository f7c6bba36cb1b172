import Foundation
import OpenDataCore
import TWSEConnectors
import TestSupport
import Testing

@Suite struct TWSEQuotesTests {
    let site = TWSEStockDayAll()
    let openAPI = TWSEOpenAPIStockDayAll()

    // MARK: requests

    @Test func addresses() throws {
        #expect(
            try site.requests([:]).map(\.url) == [
                "https://www.twse.com.tw/exchangeReport/STOCK_DAY_ALL?response=open_data"
            ])
        #expect(
            try openAPI.requests([:]).map(\.url) == ["https://openapi.twse.com.tw/v1/exchangeReport/STOCK_DAY_ALL"])
    }

    @Test("B009: a date is refused, not ignored") func noParameters() {
        let arguments: Arguments = ["date": "2026-07-08"]
        for dataset in [site.dataset, openAPI.dataset] {
            #expect(failure { try arguments.validate(against: dataset.parameters) }?.code == .badArgument)
        }
    }

    @Test("B007: CSV and JSON are both read") func formats() {
        #expect(site.formats([:]).map(\.name) == ["csv", "json"])
        #expect(site.formats([:]).last?.dialect as? JSONLayout == .table)
        #expect(openAPI.formats([:]).map(\.name) == ["json"])
    }

    @Test("B001, B003: the exchange's limit and how it says that it is passed") func hosts() throws {
        for (dataset, host) in [(site.dataset, "www.twse.com.tw"), (openAPI.dataset, "openapi.twse.com.tw")] {
            let policy = try #require(dataset.hosts.first { $0.host == host })
            #expect(policy.requests == 3 && policy.period == .seconds(5) && policy.concurrent == 1)
            #expect(policy.blockStatuses == [428] && policy.blockRedirects == ["block.html"])
            #expect(policy.pageMeansBlocked && policy.silenceMeansBlocked)
            let page = "<html>因為安全性考量，您所執行的頁面無法呈現</html>"
            #expect(policy.blockSentences.contains { page.contains($0) })
            #expect(policy.blockSentences.contains { "<html><body>因為您的連線數過多</body></html>".contains($0) })
        }
        #expect(TWSEStockDay().dataset.hosts == site.dataset.hosts)
    }

    // MARK: the day

    func day(fileName: String?, members: [String: String] = [:]) throws -> String? {
        let page = try site.request([:])
        let headers = fileName.map { [Response.HeaderField("content-disposition", "attachment; filename=\"\($0)\"")] }
        let preamble = Preamble(response: Response(headers: headers ?? [], url: page.url), members: members)
        let constants = try site.constants(preamble, page, [:])
        #expect(constants.keys.allSatisfy { $0 == "date" })
        return constants["date"]
    }

    @Test(
        "B008, B009: the day is the file name's, never today's",
        arguments: [
            ("STOCK_DAY_ALL_20240715.csv", "2024-07-15"), ("stock_day_all_1130715.csv", "2024-07-15"),
            ("STOCK_DAY_ALL_20240715 (1).csv", "2024-07-15"), ("STOCK_DAY_ALL.csv", nil),
            ("STOCK_DAY_ALL_20240732.csv", nil), ("STOCK_DAY_ALL_latest.csv", nil), ("STOCK_DAY_ALL_.csv", nil),
            ("ANY_OTHER_ALL_20240715.csv", nil), ("STOCK_DAY_ALL_2024071.csv", nil), (nil, nil),
        ] as [(String?, String?)])
    func dayOfTheFileName(_ fileName: String?, _ expected: String?) throws {
        #expect(try day(fileName: fileName) == expected)
    }

    @Test("B008: the JSON form tells its day in a member") func dayOfTheMember() throws {
        #expect(try day(fileName: nil, members: ["stat": "OK", "date": "20240715"]) == "2024-07-15")
        #expect(
            try day(fileName: "STOCK_DAY_ALL_20240716.csv", members: ["date": "20240715"]) == "2024-07-15")
        #expect(try day(fileName: nil, members: ["date": "soon"]) == nil)
    }

    // MARK: what surrounds the records

    @Test(
        "B028, B029: what the exchange says in place of quotes",
        arguments: [
            ([:], nil, nil), (["stat": "OK"], 1300, nil), ([:], 1300, nil), (["stat": "OK"], 0, .noData),
            ([:], 0, .noData), (["stat": "很抱歉，沒有符合條件的資料!"], nil, .noData),
            (["stat": "查詢日期大於今日，請重新查詢!"], nil, .badArgument), (["stat": "維護中"], nil, .unexpectedContent),
        ] as [([String: String], Int?, OpenDataError.Code?)])
    func sentences(_ members: [String: String], _ count: Int?, _ code: OpenDataError.Code?) throws {
        let page = try site.request([:])
        let preamble = Preamble(response: Response(url: page.url), members: members, recordCount: count)
        #expect(failure { try site.check(preamble, page, [:]) }?.code == code)
    }

    @Test func emptyOpenAPI() throws {
        let page = try openAPI.request([:])
        let empty = Preamble(response: Response(url: page.url), recordCount: 0)
        #expect(failure { try openAPI.check(empty, page, [:]) }?.code == .noData)
        let full = Preamble(response: Response(url: page.url), recordCount: 1)
        #expect(failure { try openAPI.check(full, page, [:]) } == nil)
    }

    // MARK: samples

    @Test func sampleOfTheSite() throws {
        let sample = try #require(site.sample)
        let text = try #require(String(bytes: sample.bytes, encoding: .utf8))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines[0] == "日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數")
        for line in lines.dropFirst() {
            #expect(line.hasPrefix("\"1150708\",\"") && line.components(separatedBy: "\",\"").count == 11)
        }
        #expect(lines.filter { $0.contains(",\"\",\"\",\"\",\"\",") }.count == 2)
        #expect(text.contains("\"00400A\"") && text.contains("\"0050\""))
        #expect(try day(fileName: sample.fileName) == "2026-07-08")
    }

    @Test func sampleOfTheOpenAPI() throws {
        let sample = try #require(openAPI.sample)
        let object = try JSONSerialization.jsonObject(with: Data(sample.bytes))
        let rows = try #require(object as? [[String: String]])
        #expect(rows.count == 20 && Set(rows.compactMap { $0["Code"] }).count == 20)
        for row in rows {
            #expect(CalendarDate(parsing: row["Date"] ?? "") == CalendarDate(year: 2026, month: 7, day: 7))
            #expect(row.count == 11)
        }
    }
}
