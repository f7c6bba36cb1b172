import CafeNomadConnectors
import OpenData
import OpenDataTransports
import TWSEConnectors
import TestSupport
import Testing

/// The whole way, from Swift, against servers that behave as the real ones do.
@Suite(.enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
struct SimulatorTests {
    private func client(_ simulator: Simulator) -> Client {
        Client(
            transport: StandardTransport(
                rewrites: [RewriteRule("https://", "\(simulator.url)/")], budgets: HostBudgets()))
    }

    @Test("B001, B002, B010: eight fetches of a month at once keep to the exchange's limit", .timeLimit(.minutes(2)))
    func eightMonths() async throws {
        let simulator = try Simulator()
        let client = client(simulator)
        let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for month in 1...8 {
                group.addTask {
                    let ticks = try await client.fetch(TWSEStockDay(stockNo: "2330", month: "2025-0\(month)"))
                    #expect(ticks.allSatisfy { $0.code == "2330" && $0.name == "台積電" && $0.date?.month == month })
                    return (month, ticks.count)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(counts.count == 8 && counts.values.allSatisfy { 15...23 ~= $0 })
        let stats = try simulator.stats()
        #expect(stats.maxPer5s["www.twse.com.tw", default: 9] <= 3 && stats.banEvents.isEmpty)
        #expect(stats.count("www.twse.com.tw") == 8)
    }

    @Test("the eras of the quotes, and their date") func eras() async throws {
        let simulator = try Simulator()
        for (era, day, count) in [
            ("2026", "2026-07-08", 1369), ("2024", "2024-12-23", 1256), ("2019", "2019-03-04", 1099),
        ] {
            try simulator.reset(["era": era])
            let ticks = try await client(simulator).fetch(TWSEStockDayAll())
            #expect(ticks.count == count && ticks.allSatisfy { $0.date?.description == day })
            #expect(ticks.contains { $0.code == "0050" })
        }
    }

    @Test("a month as JSON and as CSV is the same") func monthFormats() async throws {
        let simulator = try Simulator()
        let json = try await client(simulator).fetch(TWSEStockDay(stockNo: "0050", month: "2024-09"))
        try simulator.reset([:])
        let csv = try await client(simulator).fetch(
            TWSEStockDay(stockNo: "0050", month: "2024-09", sourceFormat: "csv"))
        #expect(json == csv && json.count == 21)
        #expect(json.contains { $0.close == nil } && json.contains { $0.change == nil })
    }

    @Test("cafes of a city and of none") func cafes() async throws {
        let simulator = try Simulator()
        #expect(try await client(simulator).fetch(CafeNomad(city: "kinmen")).count == 3)
        #expect(try await client(simulator).fetch(CafeNomad()).count == 3497)
    }
}
