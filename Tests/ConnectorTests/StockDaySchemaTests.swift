import Foundation
import OpenDataCore
import TWSEConnectors
import TestSupport
import Testing

@Suite struct StockDaySchemaTests {
    let schema = TWSEStockDayAll().dataset.schema

    @Test func fields() {
        #expect(
            schema.fields.map(\.name) == [
                "date", "code", "name", "volume", "value", "open", "high", "low", "close", "change", "transactions",
            ])
        #expect(schema.primaryKey == ["date", "code"])
        #expect(TWSEOpenAPIStockDayAll().dataset.schema == schema && TWSEStockDay().dataset.schema == schema)
        #expect(schema.fields.filter(\.isRequired).map(\.name) == ["code"])
        #expect(schema.fields.filter(\.isOptionalColumn).map(\.name) == ["date"])
    }

    @Test("B035, B120: a code is text; prices and values keep their digits") func types() {
        let types = Dictionary(uniqueKeysWithValues: schema.fields.map { ($0.name, $0.type) })
        #expect(types["date"] == .date && types["code"] == .string && types["name"] == .string)
        #expect(types["volume"] == .integer && types["transactions"] == .integer)
        for name in ["value", "open", "high", "low", "close", "change"] { #expect(types[name] == .number) }
    }

    @Test("B012, B013: a price that is not there is null in either spelling") func missing() {
        for field in schema.fields where field.type != .string {
            #expect(field.missingValues.contains("--") && field.missingValues.contains(""))
        }
    }

    @Test("A change that cannot be compared is a mark without a value") func marks() {
        #expect(schema.fields.filter { !$0.marks.isEmpty }.map(\.name) == ["change"])
        #expect(schema.fields.first { $0.name == "change" }?.marks == [Mark("X", keepsValue: false)])
    }

    /// The headers of the outlets, and which fields none of their columns feeds.
    static let headers: [(header: String, without: [String])] = [
        ("日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數", []),
        ("證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數", ["date"]),
        ("日期,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數,註記", ["code", "name"]),
        (
            "Date,Trade Volume,Trade Value,Opening Price,Highest Price,Lowest Price,Closing Price,Change,Transaction",
            ["code", "name"]
        ),
        (
            "Date,Code,Name,TradeVolume,TradeValue,OpeningPrice,HighestPrice,LowestPrice,ClosingPrice,"
                + "Change,Transaction",
            []
        ),
    ]

    @Test("B008, B039: every layout of the exchange is known by its names", arguments: headers)
    func layouts(_ header: String, _ without: [String]) {
        let names = header.split(separator: ",").map { String($0) }
        #expect(
            schema.fields.filter { field in !names.contains { $0.isName(of: field) } }.map(\.name) == without)
        for name in names where name != "註記" { #expect(schema.fields.filter { name.isName(of: $0) }.count == 1) }
    }

    @Test("B012, B014: a day without a trade has no prices, not prices of 0") func tickWithoutATrade() throws {
        let day = try #require(CalendarDate(year: 2026, month: 6, day: 24))
        let tick = try StockDayTick(
            handmadeRecord([
                "date": .date(day), "code": .text("9999"), "name": .text("示例"), "volume": .number("0"),
                "value": .number("0"), "open": .null, "high": .null, "low": .null, "close": .null,
                "change": .number("0.0000"), "change_mark": .null, "transactions": .number("0"),
            ]))
        #expect(
            tick
                == StockDayTick(
                    date: day, code: "9999", name: "示例", volume: 0, value: 0, change: 0, transactions: 0))
        #expect(tick.close == nil)
    }

    @Test func tick() throws {
        let tick = try StockDayTick(
            handmadeRecord([
                "date": .absent, "code": .text("00632R"), "name": .null, "volume": .number("14304763"),
                "value": .number("1121570149"), "open": .number("78.50"), "high": .number("78.80"),
                "low": .number("78.15"), "close": .number("78.20"), "change": .number("-0.05"),
                "transactions": .number("6896"),
            ]))
        #expect(tick.date == nil && tick.code == "00632R" && tick.name == nil && tick.volume == 14_304_763)
        let prices = [tick.open, tick.high, tick.low, tick.close, tick.change].map { $0?.description }
        #expect(prices == ["78.50", "78.80", "78.15", "78.20", "-0.05"])
        #expect(tick.value == 1_121_570_149 && tick.transactions == 6896)
    }

    @Test("A tick without a code is refused") func tickWithoutACode() {
        let error = failure { _ = try StockDayTick(handmadeRecord(["date": .absent, "code": .null])) }
        #expect(error?.code == .valueNotFound && error?.field == "code")
    }
}

extension String {
    /// Whether a column of this published name feeds the field.
    fileprivate func isName(of field: Field) -> Bool { self == field.name || field.sourceNames.contains(self) }
}
