import Foundation
import MOENVConnectors
import OpenData
import OpenDataTransports
import TPExConnectors
import TWSEConnectors
import TestSupport
import Testing
import YouBikeConnectors

/// The ministry's air quality, the Taipei Exchange, the calendar of subscriptions and the bicycles.
@Suite struct GovernmentConnectorTests {
    /// A source and a payload of it: a recorded file, or text written for the test.
    private func read(
        _ source: any DataSource, _ payload: Payload, _ arguments: Arguments = [:]
    ) async throws -> (records: [Record], summary: FetchSummary) {
        var options = FetchOptions()
        options.payload = payload
        options.rejects = .report
        var records: [Record] = []
        var iterator = Client(transport: NoTransport()).records(of: source, arguments, options: options)
            .makeAsyncIterator()
        while let record = try await iterator.next() { records.append(record) }
        return (records, iterator.summary)
    }

    private func text(_ text: String) -> Payload {
        Payload(response: Response(url: "written:"), body: .bytes(Array(text.utf8)))
    }

    struct Recording: CustomTestStringConvertible, Sendable {
        var source: any DataSource
        var file: String
        var records: Int
        /// The first record: values by field.
        var first: [String: String]
        var testDescription: String { file }
    }

    @Test(
        "Recorded payloads of every era, whole and without a reject",
        .enabled(if: SharedData.isPresent, "\(SharedData.comment)"),
        arguments: [
            Recording(
                source: MOENVAirQuality(), file: "aqi/epa_aqi_20181107_pascal.json", records: 76,
                first: ["site_name": "基隆", "aqi": "15", "site_id": "", "published_at": "2018-11-07T13:00:00+08:00"]),
            Recording(
                source: MOENVAirQuality(), file: "aqi/epa_aqi_20210416_pascal.json", records: 84,
                first: ["site_name": "基隆", "o3": "47.5", "pm25": "5", "site_id": "1"]),
            Recording(
                source: MOENVAirQuality(), file: "aqi/epa_v1_aqx_p_432_20210715.json", records: 84,
                first: ["aqi": "17", "pm25_avg": "2"]),
            Recording(
                source: MOENVAirQuality(), file: "aqi/moenv_v2_aqx_p_432_2025.json", records: 85,
                first: ["aqi": "58", "pollutant": "臭氧八小時"]),
            Recording(
                source: MOENVAirQuality(), file: "aqi/moenv_aqx_p_432_20241008.csv", records: 85,
                first: ["site_name": "基隆", "o3_8hr": "", "so2_avg": "0"]),
            Recording(
                source: MOENVAirQuality(), file: "aqi/moenv_aqx_p_432_20241008.json", records: 85,
                first: ["site_name": "基隆", "o3_8hr": "", "so2_avg": "0"]),
            Recording(
                source: TWSEPublicSubscription(), file: "twse/publicForm_big5_crlf.csv", records: 213,
                first: ["draw_date": "2024-11-12", "code": "A131KA", "shares": "80000", "cancelled": ""]),
            Recording(
                source: TPExDailyClose(), file: "tpex/SQUOTE_EW_1120329.csv", records: 906,
                first: ["date": "2023-03-29", "code": "00679B", "close": "31.66", "change": "-0.03", "average": ""]),
            Recording(
                source: TPExDailyClose(), file: "tpex/openapi_daily_close_quotes_1150904_4rows.json", records: 4,
                first: ["date": "2026-09-04", "code": "00411A", "change": "0.33", "next_limit_up": "9999.95"]),
            Recording(
                source: YouBikeTaipei(), file: "youbike/v2_youbike_immediate_20250213_renamed_keys.json", records: 1523,
                first: ["id": "500101001", "capacity": "28", "bikes": "5", "docks": "23", "latitude": "25.02605"]),
            Recording(
                source: YouBikeTaipei(), file: "youbike/tcmsv_YouBikeTP_20160205.json", records: 222,
                first: ["id": "0001", "capacity": "180", "reported_at": "2016-02-24T11:34:14+08:00", "updated_at": ""]),
            Recording(
                source: TPExDailyClose(), file: "tpex/www_afterTrading_otc_20230130.json", records: 7281,
                first: ["date": "2023-01-30", "code": "006201", "last_bid_volume": "6", "average": "16.87"]),
        ])
    func recorded(_ recording: Recording) async throws {
        let path = try SharedData.path(recording.file)
        let (records, summary) = try await read(recording.source, .file(path))
        #expect(summary.read == recording.records && summary.written == recording.records && summary.rejected == 0)
        for (field, value) in recording.first { #expect(records.first?.value(field).description == value, "\(field)") }
    }

    @Test("B045: a station out of order has no values, and stays") func outOfOrder() async throws {
        let (records, _) = try await read(
            MOENVAirQuality(),
            text(
                """
                [{"sitename":"示例","county":"示例縣","aqi":"","pollutant":"","status":"設備維護","so2":"-","co":"ND","o3":"",
                "o3_8hr":"","pm10":"","pm2.5":"-","no2":"","nox":"","no":"","wind_speed":"","wind_direc":"",
                "publishtime":"2026/07/08 24:00","co_8hr":"","pm2.5_avg":"","pm10_avg":"","longitude":"1","latitude":"2"}]
                """))
        let station = try AirQuality(try #require(records.first))
        #expect(station.aqi == nil && station.pm25 == nil && station.co == nil && station.siteID == nil)
        #expect(station.publishedAt?.description == "2026-07-09T00:00:00+08:00")
    }

    /// Answers requests for a number of records in pages, as the ministry does.
    struct Ministry: Transport {
        var records: Int
        var isBare = false
        /// From which record on nothing is sent, whatever the total says.
        var last = Int.max

        func send(_ request: Request) async throws(OpenDataError) -> Payload {
            let offset = request.queryItem("offset").flatMap { Int($0) } ?? 0
            let limit = request.queryItem("limit").flatMap { Int($0) } ?? 0
            let names = ["aqi", "county", "status", "pollutant", "so2", "co", "o3", "o3_8hr", "pm10", "pm2.5", "no2"]
            let more = [
                "nox", "no", "wind_speed", "wind_direc", "co_8hr", "pm2.5_avg", "pm10_avg", "longitude", "latitude",
            ]
            let rest = (names + more).map { "\"\($0)\":\"\"" }.joined(separator: ",")
            let page = (offset..<max(offset, min(offset + limit, records, last))).map {
                "{\"sitename\":\"\($0)\",\"publishtime\":\"2026/07/08 13:00\",\(rest)}"
            }
            let array = "[" + page.joined(separator: ",") + "]"
            let body = isBare ? array : "{\"total\":\"\(records)\",\"records\":\(array)}"
            return Payload(response: Response(url: request.url), body: .bytes(Array(body.utf8)))
        }
    }

    private func sites(_ ministry: Ministry) async throws -> [String] {
        var sites: [String] = []
        let client = Client(transport: ministry)
        for try await row in client.rows(of: MOENVAirQuality(apiKey: "key")) { sites.append(row.siteName) }
        return sites
    }

    @Test(
        "B049: pages are read to the last, in order, each record once",
        arguments: [50, 999, 1000, 1001, 2000, 2500], [false, true])
    func pages(_ count: Int, _ isBare: Bool) async throws {
        #expect(try await sites(Ministry(records: count, isBare: isBare)) == (0..<count).map { String($0) })
    }

    @Test("a total that is never reached is told, not taken for the end") func shortOfTotal() async throws {
        let error = await #expect(throws: OpenDataError.self) {
            _ = try await sites(Ministry(records: 1500, last: 1200))
        }
        #expect(error?.code == .truncated && error?.message.contains("1500") == true)
    }

    @Test("B041: a missing key is told before any request") func missingKey() async throws {
        let error = await #expect(throws: OpenDataError.self) {
            _ = try await Client(transport: NoTransport()).fetch(MOENVAirQuality())
        }
        #expect(error?.code == .unauthorised && error?.message.contains("MOENV_API_KEY") == true)
    }

    @Test(
        "B043: a sentence about the key is `unauthorised`, whatever was asked for, and the key is not repeated",
        arguments: ["API金鑰錯誤", "\u{FEFF}API金鑰錯誤 hidden-key", "<p>API Key hidden-key 過期</p>"])
    func wrongKey(_ sentence: String) async throws {
        struct Refusal: Transport {
            var sentence: String
            func send(_ request: Request) async throws(OpenDataError) -> Payload {
                Payload(response: Response(url: request.redactedURL), body: .bytes(Array(sentence.utf8)))
            }
        }
        for format in ["json", "csv"] {
            let client = Client(transport: MiddlewareTransport([StatusMiddleware()], Refusal(sentence: sentence)))
            let error = await #expect(throws: OpenDataError.self) {
                _ = try await client.fetch(MOENVAirQuality(apiKey: "hidden-key", sourceFormat: format))
            }
            #expect(error?.code == .unauthorised && error?.description.contains("hidden-key") == false)
        }
    }

    @Test("a name of a place may be written with 臺 or 台; the output is as published", arguments: ["臺北市", "台北市"])
    func places(_ county: String) async throws {
        let sample = try #require(MOENVAirQuality().sample)
        let (records, summary) = try await read(MOENVAirQuality(), Payload(sample), ["county": county])
        #expect(records.count == 3 && records.allSatisfy { $0.value("county").description == "臺北市" })
        #expect(summary.read == 20 && summary.written == 3 && summary.leftOut == 17 && summary.rejected == 0)
    }

    @Test("a place without records is no data, and says so") func noSuchPlace() async throws {
        let sample = try #require(YouBikeTaipei().sample)
        let error = await #expect(throws: OpenDataError.self) {
            _ = try await read(YouBikeTaipei(), Payload(sample), ["district": "示例區"])
        }
        #expect(error?.code == .noData && error?.message.contains("示例區") == true)
    }

    @Test("a price that is not fixed is null; a draw that is called off says so") func openOffers() async throws {
        let source = TWSEPublicSubscription()
        let offers = try await read(source, Payload(try #require(source.sample))).records.map {
            try PublicSubscription($0)
        }
        #expect(offers.count == 20 && offers[0].actualPrice == nil && offers[1].actualPrice != nil)
        #expect(offers.filter { $0.cancelled != nil }.count == 1)
        #expect(offers.allSatisfy { $0.drawDate != nil })
    }

    @Test("an answer of another year than the one asked for is refused whole") func anotherYear() async throws {
        let sample = try #require(TWSEPublicSubscription().sample)
        let error = await #expect(throws: OpenDataError.self) {
            _ = try await read(TWSEPublicSubscription(year: 2025), Payload(sample), ["year": "2025"])
        }
        #expect(error?.code == .unexpectedContent && error?.message.contains("2025") == true)
    }

    @Test("the first day without a dividend has no change, and a mark that says why") func exDividend() async throws {
        let sample = try #require(TPExDailyClose().sample)
        var options = FetchOptions()
        options.payload = Payload(sample)
        options.marks = true
        var marks: [String] = []
        for try await record in Client(transport: NoTransport()).records(of: TPExDailyClose(), options: options)
        where record.value("change_mark").description != "" {
            #expect(record.value("change").description.isEmpty)
            marks.append(record.value("change_mark").description)
        }
        #expect(marks == ["除息"])
    }

    @Test("B032: shares and thousands of shares are told apart by the unit of their field") func units() {
        let fields = Dictionary(uniqueKeysWithValues: TPExDailyClose().dataset.schema.fields.map { ($0.name, $0) })
        #expect(fields["volume"]?.unit == .share && fields["issued"]?.unit == .share)
        #expect(
            fields["last_bid_volume"]?.unit == .thousandShares && fields["last_ask_volume"]?.unit == .thousandShares)
        #expect(fields["volume"]?.sourceNames.contains { $0.contains("千") } == false)
    }

    @Test(
        "B033, B080: no code is unknown, and a code is ASCII letters and digits",
        arguments: ["7777", "00632R", "A131KA"])
    func codes(_ code: String) throws {
        #expect(
            try TWSEStockDay(stockNo: code, month: "2025-03").requests(["stock_no": code, "month": "2025-03"]).count
                == 1)
        for odd in ["一二三四", "１２３４", "23 30", ""] {
            let error = try #require(throws: OpenDataError.self) {
                _ = try TWSEStockDay().requests(["stock_no": odd, "month": "2025-03"])
            }
            #expect(error.code == .badArgument && error.field == "stock_no")
        }
    }
}
