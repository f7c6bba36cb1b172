import CafeNomadConnectors
import OpenDataCore
import TWSEConnectors
import Testing

@Suite struct DescriptionTests {
    static let all: [any DataSource] = [
        TWSEStockDayAll(), TWSEOpenAPIStockDayAll(), TWSEStockDay(), CafeNomad(),
    ]

    @Test func ids() {
        #expect(
            Self.all.map(\.dataset.id) == [
                "twse.stock_day_all", "twse.openapi.stock_day_all", "twse.stock_day", "cafenomad.cafes",
            ])
    }

    @Test("Every data set says what it is in both languages, where it is described and how often it changes")
    func descriptions() throws {
        for dataset in Self.all.map(\.dataset) {
            #expect(dataset.title.utf8.contains { $0 >= 0x80 } && dataset.english.utf8.allSatisfy { $0 < 0x80 })
            #expect(try Request(dataset.page).scheme == "https")
            #expect(dataset.cadence != .unknown && !dataset.publisher.isEmpty)
            for field in dataset.schema.fields {
                #expect(field.english.utf8.allSatisfy { $0 < 0x80 }, "\(field.name)")
                #expect(field.title.utf8.contains { $0 >= 0x80 }, "\(field.name)")
            }
        }
    }

    @Test func licences() {
        #expect(TWSEStockDayAll().dataset.licence == .ogdl1)
        #expect(CafeNomad().dataset.licence == .unstated)
    }
}
