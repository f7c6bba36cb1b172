import Foundation
import OpenDataCore
import TWSEConnectors
import TestSupport
import Testing

@Suite struct TWSEStockDayTests {
    let source = TWSEStockDay()

    /// What a decoder finds in an answer, checked as the answer to 2330 of March 2025.
    func check(
        _ members: [String: String], recordCount: Int? = nil, stockNo: String = "2330", month: String = "2025-03"
    ) throws -> OpenDataError? {
        let arguments: Arguments = ["stock_no": stockNo, "month": month]
        let page = try source.request(arguments)
        let preamble = Preamble(response: Response(url: page.url), members: members, recordCount: recordCount)
        return failure { try source.check(preamble, page, arguments) }
    }

    // MARK: requests

    @Test func requestForAMonth() throws {
        let request = try source.request(["stock_no": "2330", "month": "2025-03"])
        #expect(
            request.url == "https://www.twse.com.tw/exchangeReport/STOCK_DAY?response=json&date=20250301&stockNo=2330")
    }

    @Test("B002: one request a month, in order, known before the first is sent") func months() throws {
        let requests = try source.requests(["stock_no": "0050", "month": "2024-11..2025-02", "source_format": "csv"])
        #expect(
            requests.map(\.url)
                == ["20241101", "20241201", "20250101", "20250201"].map {
                    "https://www.twse.com.tw/exchangeReport/STOCK_DAY?response=csv&date=\($0)&stockNo=0050"
                })
    }

    @Test func codesGoOutInCapitals() throws {
        #expect(try source.request(["stock_no": "00632r", "month": "2025-03"]).url.hasSuffix("stockNo=00632R"))
    }

    @Test func argumentsOfTheValue() throws {
        #expect(
            TWSEStockDay(stockNo: "2330", month: "2025-03", sourceFormat: "csv").arguments
                == ["stock_no": "2330", "month": "2025-03", "source_format": "csv"])
        let first = try #require(YearMonth(year: 2024, month: 12))
        let last = try #require(YearMonth(year: 2025, month: 1))
        let ranged = TWSEStockDay(stockNo: "2330", months: first...last)
        #expect(try ranged.requests(ranged.arguments).count == 2)
        #expect(source.arguments == [:])
    }

    @Test(
        "Arguments that do not fit are refused before any request",
        arguments: [
            [:], ["stock_no": "2330"], ["month": "2025-03"], ["stock_no": "23 30", "month": "2025-03"],
            ["stock_no": "台積電", "month": "2025-03"], ["stock_no": "2330", "month": "2025-13"],
            ["stock_no": "2330", "month": "2025-03..2025-01"], ["stock_no": "2330", "month": "March"],
            ["stock_no": "2330", "month": "2025-03", "source_format": "xml"],
            ["stock_no": "2330", "month": "2025-03", "date": "2025-03-01"],
        ] as [Arguments])
    func badArguments(_ arguments: Arguments) {
        #expect(failure { try arguments.validate(against: source.dataset.parameters) }?.code == .badArgument)
        #expect(failure { _ = try source.requests(arguments) }?.code == .badArgument)
        #expect(failure { _ = try source.request(arguments) }?.code == .badArgument)
    }

    @Test func examplesOfTheParametersFit() throws {
        let arguments = Arguments(
            Dictionary(
                uniqueKeysWithValues: source.dataset.parameters.map { ($0.name, $0.example ?? "") }))
        try arguments.validate(against: source.dataset.parameters)
        #expect(try source.requests(arguments).count == 1)
    }

    @Test("B007: either format is read, the one asked for first") func formats() throws {
        #expect(source.formats([:]).map(\.name) == ["json", "csv", "csv"])
        let formats = source.formats(["source_format": "csv"])
        #expect(formats.map(\.name) == ["csv", "csv", "json"])
        #expect(formats.first?.encodings == [.utf8, .cp950])
        let dialect = try #require(formats.first?.dialect as? CSVDialect)
        #expect(dialect == CSVDialect(titleRows: 1, footnotes: ["說明", "Remarks"]))
        #expect(formats.last?.dialect as? JSONLayout == .table)
    }

    // MARK: what surrounds the records

    @Test(
        "B028, B029: what the exchange says is the error, with the sentence",
        arguments: [
            ("很抱歉，沒有符合條件的資料!", .noData), ("很抱歉，沒有符合條件的資料", .noData), ("無相關資料", .noData),
            ("查詢日期大於今日，請重新查詢!", .badArgument), ("查詢日期小於99年1月4日，請重新查詢!", .badArgument),
            ("系統維護中", .unexpectedContent), ("", .unexpectedContent),
        ] as [(String, OpenDataError.Code)])
    func sentences(_ sentence: String, _ code: OpenDataError.Code) throws {
        let error = try #require(try check(["stat": sentence]))
        #expect(error.code == code)
        #expect(error.message.contains("'\(sentence)'"))
    }

    @Test("B028: an answer without records is no data, whatever it says") func noRecords() throws {
        // Where nothing can be read, nothing is said to be missing.
        #expect(try check([:]) == nil)
        #expect(try check([:], recordCount: 0)?.code == .noData)
        #expect(try check(["stat": "OK"], recordCount: 0)?.code == .noData)
        #expect(try check(["stat": "OK", "total": "0"])?.code == .noData)
        #expect(source.blankPayloadMeans == .noData)
    }

    @Test("Nothing is wrong with an answer that has not been read to the end") func unfinished() throws {
        #expect(try check(["stat": "OK"]) == nil)
        #expect(try check([:], recordCount: 21) == nil)
    }

    static let title = "114年03月 2330 台積電           各日成交資訊"

    @Test(
        "The security and the month asked for are taken",
        arguments: [
            ["stat": "OK", "date": "20250301", "title": title], ["stat": "ok", "date": "20250331"],
            ["title": title], ["title": "\"\(title)\""], ["title": "\"\(title)\",,"], ["stat": "OK", "title": ""],
        ])
    func matches(_ members: [String: String]) throws { #expect(try check(members, recordCount: 21) == nil) }

    @Test(
        "B010: another security or month is refused, with what was asked and got",
        arguments: [
            (["title": "114年03月 2317 鴻海             各日成交資訊"], "2317 of 2025-03"),
            (["title": "114年02月 2330 台積電           各日成交資訊"], "2330 of 2025-02"),
            (["title": "103年03月 2330 台積電           各日成交資訊"], "2330 of 2014-03"),
            (["title": "日期,成交股數,成交金額"], "日期,成交股數,成交金額"),
            (["title": title, "date": "20251101"], "20251101"), (["date": "2025"], "2025"),
            (["stat": "OK", "date": "20250201", "total": "0"], "20250201"),
        ])
    func mismatches(_ members: [String: String], _ got: String) throws {
        let error = try #require(try check(members))
        #expect(error.code == .unexpectedContent)
        #expect(error.message.contains("asked for 2330 of 2025-03") && error.message.contains(got))
    }

    @Test(
        "Code and name come from the title",
        arguments: [
            ("114年03月 2330 台積電           各日成交資訊", "2330", "台積電"),
            ("\"110年08月 00632R 元大台灣50反1     各日成交資訊\"", "00632R", "元大台灣50反1"),
            ("114年03月 00663L 國泰臺灣加權正2各日成交資訊", "00663L", "國泰臺灣加權正2"),
            ("114年03月 9999 某 KY 公司 各日成交資訊", "9999", "某 KY 公司"),
            ("114年03月 9999 各日成交資訊", "9999", ""), (nil, "2330", ""),
        ] as [(String?, String, String)])
    func constants(_ title: String?, _ code: String, _ name: String) throws {
        let arguments: Arguments = ["stock_no": "2330", "month": "2025-03"]
        let page = try source.request(arguments)
        let preamble = Preamble(response: Response(url: page.url), members: title.map { ["title": $0] } ?? [:])
        #expect(try source.constants(preamble, page, arguments) == ["code": code, "name": name])
    }

    @Test("B010: every record lies in the month asked for") func records() throws {
        let arguments: Arguments = ["stock_no": "2330", "month": "2025-03..2025-04"]
        let page = try #require(try source.requests(arguments).last)
        let check = try #require(source.recordCheck(page, arguments))
        func outcome(_ value: Value) -> OpenDataError? { failure { try check(handmadeRecord(["date": value])) } }
        let inside = try #require(CalendarDate(year: 2025, month: 4, day: 30))
        let outside = try #require(CalendarDate(year: 2025, month: 3, day: 31))
        #expect(outcome(.date(inside)) == nil)
        let error = try #require(outcome(.date(outside)))
        #expect(error.code == .unexpectedContent && error.position?.line == 2)
        #expect(error.message.contains("2330 of 2025-04") && error.message.contains("2025-03-31"))
        #expect(outcome(.null)?.code == .unexpectedContent)
    }

    // MARK: recorded answers

    @Test(
        "Recorded answers without records are no data", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"),
        arguments: [
            "rwd_empty_object_no_data", "rwd_error_no_data_short", "rwd_error_no_data_total0",
            "rwd_twt49u_detail_no_data", "rwd_twt49u_no_data", "rwd_twtauu_no_data",
        ])
    func recordedNoData(_ name: String) throws {
        #expect(try check(try members("twse/\(name).json"), recordCount: 0)?.code == .noData)
    }

    @Test(
        "Recorded months are those asked for", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"),
        arguments: [
            ("rwd_stock_day_2330_202608", "2330", "2026-08"), ("excerpt_stock_day_0050_202108", "0050", "2021-08"),
        ])
    func recordedMonths(_ name: String, _ code: String, _ month: String) throws {
        let members = try members("twse/\(name).json")
        #expect(try check(members, recordCount: 6, stockNo: code, month: month) == nil)
        #expect(try check(members, recordCount: 6, stockNo: code, month: "2021-07")?.code == .unexpectedContent)
        #expect(try check(members, recordCount: 6, stockNo: "1101", month: month)?.code == .unexpectedContent)
    }

    /// The scalar members of a recorded JSON object, as text.
    func members(_ name: String) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: Data(try SharedData.bytes(name)))
        return (try #require(object as? [String: Any])).compactMapValues { value in
            (value as? String) ?? (value as? Int).map { String($0) }
        }
    }

    // MARK: sample

    @Test func sample() throws {
        let sample = try #require(source.sample)
        let object = try JSONSerialization.jsonObject(with: Data(sample.bytes)) as? [String: Any]
        let members = try #require(object).compactMapValues { $0 as? String }
        let page = try #require(try source.requests(sample.arguments).first)
        let preamble = Preamble(response: Response(url: page.url), members: members, recordCount: 21)
        try source.check(preamble, page, sample.arguments)
        #expect(try source.constants(preamble, page, sample.arguments) == ["code": "2330", "name": "台積電"])
        let rows = try #require(object?["data"] as? [[String]])
        let fields = try #require(object?["fields"] as? [String])
        #expect(rows.count == 21 && rows.allSatisfy { $0.count == fields.count })
        #expect(rows.filter { $0.contains("--") }.count == 1)
        #expect(rows.filter { $0.contains("X0.00") }.count == 1)
        let month = try #require(YearMonth(year: 2025, month: 3))
        #expect(rows.allSatisfy { CalendarDate(parsing: $0[0]).map(month.contains) == true })
    }
}
