import Foundation
import OpenData
import OpenDataTransports
import TWSEConnectors
import TestSupport
import Testing

@testable import OpenDataStore

/// The whole way, against servers that behave as the real ones do.
@Suite(.enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
struct SimulatorTests {
    private let place: Place

    init() throws { place = try Place() }

    private func client(_ url: String) -> Client {
        var configuration = Client.Configuration()
        configuration.rewrites = [RewriteRule("https://", "\(url)/")]
        configuration.cache = place.cache
        return Client(configuration)
    }

    @Test("The exchange is asked for changes, and what has not changed is not sent again", .timeLimit(.minutes(2)))
    func unchanged() async throws {
        let simulator = try Simulator()
        var options = FetchOptions()
        options.cache.maximumAge = .zero
        let first = try await client(simulator.url).fetch(TWSEStockDayAll(), options: options)
        let second = try await client(simulator.url).fetch(TWSEStockDayAll(), options: options)
        #expect(first == second && first.count == 1369)
        let statuses = try simulator.stats().requests["www.twse.com.tw"]?["/exchangeReport/STOCK_DAY_ALL"]
        #expect(statuses == ["200": 1, "304": 1])
        let snapshots = try place.store().snapshots(of: "twse.stock_day_all")
        let provenance = try #require(snapshots.first?.provenance)
        #expect(snapshots.count == 1 && snapshots.first?.isUsable == true)
        #expect(provenance.dataDate?.description == "2026-07-08" && provenance.format == "csv")
        #expect(provenance.records == .init(read: 1369, written: 1369, rejected: 0))
        #expect(provenance.encoding == .utf8 && provenance.connectorVersion == "1" && provenance.revalidated != nil)
        #expect(provenance.mirror == "\(simulator.url)/www.twse.com.tw/exchangeReport/STOCK_DAY_ALL?response=open_data")
        #expect(provenance.url == "https://www.twse.com.tw/exchangeReport/STOCK_DAY_ALL?response=open_data")
    }

    @Test("Within their age copies need no request; offline and without a host the same records come out")
    func offline() async throws {
        let url: String
        let cafes: [Record]
        do {
            let simulator = try Simulator()
            url = simulator.url
            var options = FetchOptions()
            options.cache.maximumAge = .seconds(3600)
            let source = try Registry.standard.source("cafenomad.cafes")
            var all: [[Record]] = []
            for _ in 0..<3 {
                var records: [Record] = []
                for try await record in client(url).records(of: source, ["city": "kinmen"], options: options) {
                    records.append(record)
                }
                all.append(records)
            }
            #expect(
                all[0].map { $0.value("id").description + $0.value("name").description }
                    == all[2].map { $0.value("id").description + $0.value("name").description } && all[0].count == 3)
            #expect(try simulator.stats().count("cafenomad.tw") == 1)
            cafes = all[0]
        }
        var options = FetchOptions()
        options.cache.mode = .offline
        let source = try Registry.standard.source("cafenomad.cafes")
        var records: [Record] = []
        for try await record in client(url).records(of: source, ["city": "kinmen"], options: options) {
            records.append(record)
        }
        #expect(
            records.map { $0.value("id").description + $0.value("name").description }
                == cafes.map { $0.value("id").description + $0.value("name").description })
        do {
            _ = try await client(url).fetch(TWSEStockDayAll(), options: options)
            Issue.record("nothing is kept of it")
        } catch let error as OpenDataError { #expect(error.code == .notCached) }
    }

    @Test("A page in place of data is kept for the record, and never used again by itself", .timeLimit(.minutes(2)))
    func uselessAnswer() async throws {
        let bad = Guarded(true)
        let server = try LoopbackServer { _, connection in
            connection.answer(
                headers: ["ETag": "\"1\""],
                body: bad.current ? "<html>maintenance</html>" : #"[{"id":"1","name":"a"}]"#)
        }
        let source = try Registry.standard.source("cafenomad.cafes")
        func fetch() async throws {
            for try await _ in client(server.url).records(of: source) {}
        }
        await #expect(throws: OpenDataError.self) { try await fetch() }
        _ = bad.replace(with: false)
        await #expect(throws: OpenDataError.self) { try await fetch() }
        #expect(server.requests.count == 2 && server.requests.last?.headers["if-none-match"] == nil)
        let snapshots = try place.store().snapshots()
        #expect(snapshots.count == 2 && snapshots.last?.isUsable == false)
    }
}
