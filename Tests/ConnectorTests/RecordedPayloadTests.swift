import CafeNomadConnectors
import Foundation
import OpenData
import TWSEConnectors
import TestSupport
import Testing

/// Recorded payloads of the four connectors, whole: how many records, and cells here and there.
@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.comment)))
struct RecordedPayloadTests {
    /// A recorded file and what some of its records must be.
    struct Recording: CustomTestStringConvertible, Sendable {
        var file: String
        var records: Int
        /// Values by record number, from 0; negative from the end.
        var cells: [(record: Int, field: String, value: String)]
        var arguments: Arguments = [:]
        /// The name under which the payload is opened, if another.
        var fileName: String?
        var testDescription: String { file }
    }

    private func records(
        of source: any DataSource, _ recording: Recording
    ) async throws -> (records: [Record], summary: FetchSummary) {
        var options = FetchOptions()
        options.payload = Payload(
            response: Response(fileName: recording.fileName, url: "recorded:"),
            body: .file(path: try SharedData.path(recording.file)))
        let client = Client(transport: NoTransport())
        var records: [Record] = []
        var iterator = client.records(of: source, recording.arguments, options: options).makeAsyncIterator()
        while let record = try await iterator.next() { records.append(record) }
        return (records, iterator.summary)
    }

    private func check(_ source: any DataSource, _ recording: Recording) async throws {
        let (records, summary) = try await records(of: source, recording)
        #expect(records.count == recording.records)
        #expect(summary.read == recording.records && summary.rejected == 0)
        for (number, field, value) in recording.cells {
            let record = records[number < 0 ? records.count + number : number]
            #expect(record.value(field).description == value, "\(field) of record \(number)")
        }
    }

    @Test(
        "B007, B008, B012, B039: every era of the quotes",
        arguments: [
            Recording(
                file: "twse/stock_day_all_open_data_2019.csv", records: 1099,
                cells: [
                    (0, "code", "0050"), (0, "name", "元大台灣50"), (0, "volume", "14304763"), (0, "close", "78.20"),
                    (0, "change", "-0.05"),
                    (0, "date", ""), (-1, "code", "9958"), (-1, "value", "504889044"), (-1, "change", "3.60"),
                ]),
            Recording(
                file: "twse/STOCK_DAY_ALL_20230329.csv", records: 1190,
                cells: [
                    (0, "date", "2023-03-29"), (0, "close", "120.60"), (0, "change", "0.2000"),
                    (-1, "transactions", "2519"),
                ], fileName: "STOCK_DAY_ALL_20230329.csv"),
            Recording(
                file: "twse/stock_day_all_open_data_202412_nothousands_crlf.csv", records: 1256,
                cells: [
                    (0, "date", ""), (0, "volume", "33596096"), (-1, "close", "233.00"),
                ]),
            Recording(
                file: "twse/DERIVED_stock_day_all_open_data_1150708_with_date.csv", records: 1369,
                cells: [
                    (0, "date", "2026-07-08"), (0, "code", "00400A"), (0, "change", "-0.0600"),
                    (-1, "date", "2026-07-08"),
                ], fileName: "STOCK_DAY_ALL_20200101.csv"),
        ])
    func quotes(_ recording: Recording) async throws { try await check(TWSEStockDayAll(), recording) }

    @Test("rows without a trade stay, with null prices") func noTrade() async throws {
        let recording = Recording(file: "twse/STOCK_DAY_ALL_20230329.csv", records: 1190, cells: [])
        let records = try await records(of: TWSEStockDayAll(), recording).records
        let ticks = try records.map { try StockDayTick($0) }
        let tick = try #require(ticks.first { $0.code == "00625K" })
        #expect(tick.name == "富邦上証+R" && tick.volume == nil && tick.close == nil && tick.open == nil)
        #expect(tick.change?.description == "0.0000" && tick.transactions == nil)
    }

    @Test("Big5 that a spreadsheet has saved again, in a format nobody declared") func resaved() async throws {
        let recording = Recording(file: "twse/STOCK_DAY_ALL_20230328_excel_resaved_big5.csv", records: 1190, cells: [])
        await #expect { try await records(of: TWSEStockDayAll(), recording) } throws: { error in
            (error as? OpenDataError)?.code == .invalidText
        }
    }

    @Test(
        "the OpenAPI outlet, with and without Date",
        arguments: [
            Recording(
                file: "twse/openapi_stock_day_all_1150708.json", records: 1369,
                cells: [
                    (0, "date", "2026-07-08"), (0, "code", "00400A"), (0, "volume", "68952570"),
                    (-1, "close", "118.50"),
                ]),
            Recording(
                file: "twse/openapi_stock_day_all_2022a.json", records: -1,
                cells: [
                    (0, "date", ""), (0, "code", "0050"), (0, "close", "111.80"), (-1, "change", "0.3000"),
                ]),
            Recording(
                file: "twse/openapi_stock_day_all_2025.json", records: -1,
                cells: [
                    (0, "code", "0050"), (0, "close", "172.75"), (-1, "code", "9958"), (-1, "change", "-16.0000"),
                ]),
        ])
    func openAPI(_ recording: Recording) async throws {
        var recording = recording
        if recording.records < 0 {
            // One record a line, in the form of these files.
            let text = String(decoding: try SharedData.bytes(recording.file), as: UTF8.self)
            recording.records = text.components(separatedBy: "\"Code\":").count - 1
        }
        try await check(TWSEOpenAPIStockDayAll(), recording)
    }

    @Test(
        "one security's month: JSON, Big5 with title and footnotes, English, without a title",
        arguments: [
            Recording(
                file: "twse/rwd_stock_day_2330_202608.json", records: 21,
                cells: [
                    (0, "date", "2026-08-03"), (0, "code", "2330"), (0, "name", "台積電"), (0, "close", "2370.00"),
                    (0, "change", "-55.00"),
                    (2, "change", "85.00"), (0, "volume", "35209944"),
                ]),
            Recording(
                file: "twse/excerpt_stock_day_0050_202108.json", records: 6,
                cells: [
                    (0, "date", "2021-08-02"), (0, "code", "0050"), (0, "name", "元大台灣50"), (0, "close", "137.90"),
                ]),
            Recording(
                file: "twse/STOCK_DAY_2330_202004_big5.csv", records: 20,
                cells: [
                    (0, "date", "2020-04-01"), (0, "code", "2330"), (0, "name", "台積電"), (0, "volume", "47572034"),
                    (0, "change", "-2.50"),
                    (-1, "date", "2020-04-30"), (-1, "transactions", "26219"),
                ]),
            Recording(
                file: "twse/stock_day_2330_202101_en.csv", records: 20,
                cells: [
                    (0, "date", "2021-01-04"), (0, "code", "2330"), (0, "close", "536.00"), (-1, "volume", "96875889"),
                    (-1, "change", "-10.00"),
                ], arguments: ["stock_no": "2330"]),
        ])
    func month(_ recording: Recording) async throws { try await check(TWSEStockDay(), recording) }

    @Test(
        "B028: what the exchange says when it has nothing",
        arguments: [
            "rwd_error_no_data_short.json", "rwd_error_no_data_total0.json", "rwd_empty_object_no_data.json",
            "rwd_twt49u_no_data.json", "rwd_twt49u_detail_no_data.json", "rwd_twtauu_no_data.json",
            "rwd_twt93u_no_data_stat_ok.json",
        ])
    func noData(_ name: String) async throws {
        let recording = Recording(file: "twse/\(name)", records: 0, cells: [])
        await #expect { try await records(of: TWSEStockDay(), recording) } throws: { error in
            (error as? OpenDataError)?.code == .noData
        }
    }

    @Test(
        "B003, B036: pages and other reports are refused",
        arguments: [
            ("twse/mops_unreachable_server.html", .unexpectedContent),
            ("tpex/fini_holdings_no_data_big5.html", .unexpectedContent),
            ("twse/rwd_t86_20230130.json", .schemaChanged), ("twse/mops_t187ap38_L.csv", .schemaChanged),
            ("govdata/zip_big5_names_PowerBI_consumption.zip", .unexpectedContent),
        ] as [(String, OpenDataError.Code)])
    func refused(_ file: String, _ code: OpenDataError.Code) async throws {
        for source in [TWSEStockDayAll(), TWSEOpenAPIStockDayAll(), CafeNomad()] as [any DataSource] {
            let recording = Recording(file: file, records: 0, cells: [])
            await #expect { try await records(of: source, recording) } throws: { error in
                [code, .unexpectedContent, .malformed].contains((error as? OpenDataError)?.code)
            }
        }
    }

    @Test(
        "B057, B058, B059: cafes, wrapped and bare",
        arguments: [
            Recording(
                file: "cafenomad/cafes_all_2022_wrapped.json", records: 3497,
                cells: [
                    (0, "id", "00014645-38c8-4eb4-ad9b-faa871d7e511"), (0, "name", "R5小餐館"), (0, "city", "chiayi"),
                    (-1, "name", "豆工場精品咖啡館"),
                ]),
            Recording(
                file: "cafenomad/DERIVED_cafes_taipei_2022_bare_array.json", records: 1659, cells: [(0, "name", "蜂巢咖啡")]
            ),
            Recording(
                file: "cafenomad/DERIVED_cafes_kinmen_2022_bare_array.json", records: 3,
                cells: [
                    (0, "name", "膩珈琲"), (0, "latitude", "24.40391700"), (0, "url", ""), (1, "quiet", "4.5"),
                    (1, "url", "https://linkby.tw/coffeetipsy"),
                    (1, "open_time", "部分國定假日會營業"), (2, "cheap", "5"),
                ]),
            Recording(file: "cafenomad/cafes_hsinchu_2022_wrapped.json", records: 227, cells: []),
            Recording(file: "cafenomad/cafes_kaohsiung_2022_wrapped.json", records: 300, cells: []),
            Recording(file: "cafenomad/cafes_kinmen_2022_wrapped.json", records: 3, cells: []),
            Recording(file: "cafenomad/cafes_lienchiang_2022_wrapped.json", records: 2, cells: []),
            Recording(file: "cafenomad/cafes_penghu_2022_wrapped.json", records: 17, cells: []),
            Recording(file: "cafenomad/cafes_taipei_2022_wrapped.json", records: 1659, cells: []),
        ])
    func cafes(_ recording: Recording) async throws { try await check(CafeNomad(), recording) }

    @Test("every recorded cafe, against Foundation's reading of the same bytes") func everyCafe() async throws {
        let file = "cafenomad/cafes_all_2022_wrapped.json"
        let records = try await records(of: CafeNomad(), Recording(file: file, records: 0, cells: [])).records
        let object =
            try JSONSerialization.jsonObject(with: Data(try SharedData.bytes(file))) as? [String: [[String: Any]]]
        let expected = try #require(object?["data"])
        #expect(records.count == expected.count)
        for (record, cafe) in zip(records, expected) {
            for (name, value) in cafe {
                switch (record.value(name), value) {
                case (.text(let text), let other as String):
                    #expect(text == other.trimmingCharacters(in: .whitespacesAndNewlines))
                case (.number(let number), let other as String): #expect(number == other)
                case (.number(let number), let other as NSNumber): #expect(Double(number) == other.doubleValue)
                default: Issue.record("\(name): \(record.value(name)) for \(value)")
                }
            }
        }
    }

    @Test("typed rows of every cafe") func typedCafes() async throws {
        let records = try await records(
            of: CafeNomad(), Recording(file: "cafenomad/cafes_all_2022_wrapped.json", records: 0, cells: [])
        ).records
        let cafes = try records.map { try Cafe($0) }
        #expect(cafes.count { $0.limitedTime == .no } == 1627 && cafes.count { $0.limitedTime == .maybe } == 554)
        #expect(cafes.count { $0.socket == .yes } == 741 && cafes.count { $0.standingDesk == .unstated } == 1155)
        #expect(cafes.count { $0.wifi?.description == "4.5" } == 138)
    }
}
