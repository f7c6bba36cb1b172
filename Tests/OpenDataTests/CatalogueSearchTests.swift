import CKANConnectors
import DataGovTWConnectors
import OpenData
import OpenDataCore
import Testing

/// Searches among the data sets of portals.
@Suite struct CatalogueSearchTests {
    private static let names = "資料集識別碼,資料集名稱,提供機關,檔案格式,資料集描述,主要欄位說明,服務分類"

    private func search(
        _ words: [String], publisher: String? = nil, format: String? = nil, limit: Int = 20, _ rows: String
    ) async throws -> (ids: [String], count: Int) {
        let transport = StubTransport(["format=csv": .success(Self.names + "\n" + rows)])
        var search = CatalogueSearch(words)
        (search.publisher, search.format, search.limit) = (publisher, format, limit)
        let found = try await search.run(DataGovTW(), "", client: Client(transport: transport))
        return (found.hits.map { String($0.id.dropFirst("datagovtw:".count)) }, found.count)
    }

    private static let rows = """
        1,停車場,臺北市政府,CSV;JSON,說明,名稱,交通
        2,雨量,中央氣象署,CSV,含停車場附近,名稱,氣象
        3,公有停車場清單,台中市政府,XML,說明,名稱,交通
        4,圖書館,停車場管理處,CSV,說明,停車場編號,文化
        5,Parking LOTS,Office,csv,text,name,transport

        """

    @Test("a title says more than a publisher, columns or a description; a title that is the word says most")
    func ranking() async throws {
        let found = try await search(["停車場"], Self.rows)
        #expect(found.ids == ["1", "3", "4", "2"] && found.count == 4)
    }

    @Test("all words have to occur, anywhere; 臺 and 台, capitals and small letters count as one")
    func folding() async throws {
        #expect(try await search(["停車場", "台北"], Self.rows).ids == ["1"])
        #expect(try await search(["停車場 臺中"], Self.rows).ids == ["3"])
        #expect(try await search(["parking", "lots"], Self.rows).ids == ["5"])
        #expect(try await search(["停車場", "圖書館", "無"], Self.rows).ids == [])
    }

    @Test("publisher, format, the number itself, and a limit that the count does not heed") func filters() async throws
    {
        #expect(try await search(["停車場"], publisher: "臺北", Self.rows).ids == ["1"])
        #expect(try await search(["停車場"], format: "json", Self.rows).ids == ["1"])
        #expect(try await search(["停車場"], format: "pdf", Self.rows).ids == [])
        #expect(try await search(["3"], Self.rows).ids.first == "3")
        let limited = try await search(["停車場"], limit: 2, Self.rows)
        #expect(limited.ids == ["1", "3"] && limited.count == 4)
    }

    @Test("hits in a listing of many batches, on all processors, are those of a plain look") func many() async throws {
        let rows = (0..<30_000).map { number in
            "\(number),\(number % 7 == 0 ? "停車場" : "公園")\(number),機關\(number % 3),CSV,說明,名稱,類別\n"
        }
        let found = try await search(["停車場"], publisher: "機關1", limit: 50_000, rows.joined())
        let expected = (0..<30_000).filter { $0 % 7 == 0 && $0 % 3 == 1 }
        #expect(found.count == expected.count && Set(found.ids) == Set(expected.map { String($0) }))
    }

    @Test("a portal that runs CKAN is asked for the words, and its answer read") func ckan() async throws {
        let body = """
            {"help":"h","success":true,"result":{"count":2,"results":[
            {"name":"rain-2024","title":"Rain","notes":null,"organization":{"title":"Office"},"num":1.5,
            "resources":[{"format":"CSV"},{"format":"JSON"},{"format":"CSV"}]},
            {"name":"wind","title":"Wind and rain","notes":"n","organization":null,"resources":[]}]}}
            """
        let transport = StubTransport(["package_search?q=rain&rows=100": .success(body)])
        let found = try await CatalogueSearch(["rain"]).run(
            CKAN(), "https://d.example.org", client: Client(transport: transport))
        #expect(found.hits.map(\.id) == ["ckan:https://d.example.org/rain-2024", "ckan:https://d.example.org/wind"])
        #expect(found.hits.first?.formats == ["CSV", "JSON"] && found.hits.first?.publisher == "Office")
    }
}
