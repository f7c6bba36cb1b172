import CafeNomadConnectors
import Foundation
import OpenDataCore
import TestSupport
import Testing

@Suite struct CafeNomadTests {
    let source = CafeNomad()

    @Test func addresses() throws {
        #expect(try source.requests([:]).map(\.url) == ["https://cafenomad.tw/api/v1.2/cafes"])
        let taipei = CafeNomad(city: "taipei")
        #expect(try taipei.request(taipei.arguments).url == "https://cafenomad.tw/api/v1.2/cafes/taipei")
        #expect(CafeNomad().arguments == [:])
    }

    @Test(
        "A city that is not one is refused before any request, with the nearest one",
        arguments: [("tapei", "taipei"), ("Taipei", "taipei"), ("atlantis", "It takes")])
    func badCities(_ city: String, _ hint: String) throws {
        let error = try #require(failure { _ = try source.request(["city": city]) })
        #expect(error.code == .badArgument && error.field == "city" && error.message.contains(hint))
    }

    @Test func cities() {
        #expect(CafeNomad.cities.count == 19 && CafeNomad.cities == CafeNomad.cities.sorted())
        #expect(Set(CafeNomad.cities).count == 19)
    }

    @Test(
        "The cities are those of the recorded list",
        .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
    func recordedCities() throws {
        let bytes = try SharedData.bytes("cafenomad/cafes_all_2022_wrapped.json")
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let cafes = try #require(object?["data"] as? [[String: Any]])
        #expect(Set(cafes.compactMap { $0["city"] as? String }) == Set(CafeNomad.cities))
        let names = Set(source.dataset.schema.fields.map(\.name))
        #expect(cafes.allSatisfy { Set($0.keys) == names })
    }

    @Test func layout() {
        #expect(source.format.dialect as? JSONLayout == JSONLayout(records: ["$", "data"]))
        #expect(
            source.dataset.schema.fields.map(\.name) == [
                "id", "name", "city", "wifi", "seat", "quiet", "tasty", "cheap", "music", "url", "address",
                "latitude", "longitude", "limited_time", "socket", "standing_desk", "mrt", "open_time",
            ])
        #expect(source.dataset.schema.primaryKey == ["id"])
    }

    @Test("B057, B058, B059: coordinates and ratings are numbers; an empty text is a value") func types() {
        let numbers = ["wifi", "seat", "quiet", "tasty", "cheap", "music", "latitude", "longitude"]
        for field in source.dataset.schema.fields {
            #expect(field.type == (numbers.contains(field.name) ? .number : .string))
            if field.type == .string, field.name != "id" { #expect(field.missingValues == []) }
        }
    }

    func cafe(_ latitude: Value, _ longitude: Value, limitedTime: Value = .text("maybe")) throws -> Cafe {
        try Cafe(
            handmadeRecord([
                "id": .text("1"), "name": .text("示例咖啡"), "city": .null, "wifi": .number("4.5"), "seat": .number("5"),
                "quiet": .number("0"), "tasty": .null, "cheap": .absent, "music": .number("3"), "url": .text(""),
                "address": .text("示例路1號"), "latitude": latitude, "longitude": longitude,
                "limited_time": limitedTime, "socket": .text(""), "standing_desk": .text("both"), "mrt": .text(""),
                "open_time": .null,
            ]))
    }

    @Test("B057, B058, B059: a cafe keeps what was published") func row() throws {
        let cafe = try cafe(.number("25.03390000"), .number("121.5412"))
        #expect(cafe.id == "1" && cafe.name == "示例咖啡" && cafe.city == nil && cafe.url == "")
        #expect(cafe.wifi?.description == "4.5" && cafe.seat == 5 && cafe.quiet == 0)
        #expect(cafe.tasty == nil && cafe.cheap == nil && cafe.music == 3)
        #expect(cafe.latitude?.description == "25.03390000" && cafe.longitude?.description == "121.5412")
        #expect(cafe.limitedTime == .maybe && cafe.socket == .unstated)
        #expect(cafe.standingDesk == StandingDesk(rawValue: "both") && cafe.standingDesk != .yes)
        #expect(cafe.mrt == "" && cafe.openTime == nil && cafe.address == "示例路1號")
    }

    @Test("B059: empty, null and known answers stay apart") func answers() throws {
        func answer(_ value: Value) throws -> LimitedTime? {
            try cafe(.null, .null, limitedTime: value).limitedTime
        }
        #expect(try answer(.text("yes")) == .yes)
        #expect(try answer(.text("no")) == .no)
        #expect(try answer(.text("")) == .unstated)
        #expect(try answer(.null) == nil)
        #expect(try answer(.absent) == nil)
        #expect(try answer(.text("weekend"))?.rawValue == "weekend")
    }

    @Test(
        "A place that is not one is no coordinate",
        arguments: [
            ("0.00000000", "0.00000000"), ("99.99999999", "22.6128745"), ("25.0", "180.1"), ("-90.1", "121.0"),
        ])
    func noPlace(_ latitude: String, _ longitude: String) throws {
        #expect(try cafe(.number(latitude), .number(longitude)).coordinate == nil)
    }

    @Test func place() throws {
        let place = try #require(try cafe(.number("25.0339"), .number("121.5412")).coordinate)
        #expect(place.latitude == 25.0339 && place.longitude == 121.5412)
        #expect(try cafe(.null, .number("121.5412")).coordinate == nil)
        #expect(try cafe(.number("0.0"), .number("121.5412")).coordinate != nil)
    }

    @Test func sample() throws {
        let sample = try #require(source.sample)
        #expect(sample.bytes.allSatisfy { $0 < 0x80 })
        let object = try JSONSerialization.jsonObject(with: Data(sample.bytes))
        let cafes = try #require(object as? [[String: Any]])
        let names = Set(source.dataset.schema.fields.map(\.name))
        #expect(cafes.count == 20 && Set(cafes.compactMap { $0["id"] as? String }).count == 20)
        for cafe in cafes {
            #expect(Set(cafe.keys) == names)
            #expect(CafeNomad.cities.contains(cafe["city"] as? String ?? ""))
            #expect(cafe["latitude"] is String && cafe["longitude"] is String)
        }
        let limits = Set(cafes.compactMap { $0["limited_time"] as? String })
        #expect(limits.contains("") && limits.contains("weekend"))
        let text = try #require(String(bytes: sample.bytes, encoding: .utf8))
        #expect(text.contains("\\u5496") && text.contains("https:\\/\\/") && !text.contains("https:/"))
    }
}
