import CKANConnectors
import DataGovTWConnectors
import OpenData
import Testing

/// What portals say of a data set, and which of its resources a person means.
@Suite struct CatalogueTests {
    private func entry(_ resources: String, _ more: String = "") throws -> CatalogueEntry {
        let body = """
            {"success":true,"result":{"title":"示例","publisher":"示例局","license":"1","description":"一、\\n二"\(more),
            "updateFrequency":{"regularupdate":1,"Frequency":1,"unittime":"日"},"distribution":[\(resources)]}}
            """
        return try DataGovTW().entry("7", from: Array(body.utf8))
    }

    private func resource(_ title: String, _ format: String, _ more: String = "") -> String {
        """
        {"resourceDescription":"\(title)","resourceFormat":"\(format)","resourceDownloadUrl":"https://e.tw/\(format)"\(more)}
        """
    }

    @Test func description() throws {
        let entry = try entry(
            resource("甲", "CSV", ",\"resourceField\":\"編號、名稱\"") + ","
                + resource("乙", "JSON", ",\"resourceField\":[\"a\",\"b\"],\"resourceAmount\":1.5"))
        #expect(entry.id == "datagovtw:7" && entry.title == "示例" && entry.publisher == "示例局")
        #expect(entry.licence == .ogdl1 && entry.cadence.rawValue == "每1日" && entry.summary == "一、\n二")
        #expect(entry.page == "https://data.gov.tw/dataset/7")
        #expect(
            entry.resources.map(\.number) == [1, 2] && entry.resources.map(\.fields) == [["編號", "名稱"], ["a", "b"]])
    }

    @Test(
        "a number, a format or words of the title choose a resource",
        arguments: [("1", 1), ("2", 2), ("xml", 3), ("XML", 3), ("臺北", 2), ("台北", 2), ("離婚", 1)])
    func choices(_ choice: String, _ number: Int) throws {
        let entry = try entry(
            [resource("離婚對數", "CSV"), resource("臺北公墓", "CSV"), resource("其他", "XML")].joined(separator: ","))
        #expect(try entry.resource(choice).number == number)
    }

    @Test("what is said of several, or of none, lists them", arguments: ["csv", "9", "0", "沒有", nil])
    func ambiguous(_ choice: String?) throws {
        let entry = try entry(
            [resource("離婚對數", "CSV"), resource("公墓", "CSV"), resource("其他", "XML")].joined(separator: ","))
        let error = try #require(throws: OpenDataError.self) { _ = try entry.resource(choice) }
        #expect(
            error.code == .badArgument && error.message.contains("2  CSV  公墓") && error.message.contains("--resource"))
    }

    @Test("one table in several formats is taken as CSV; none at all is no data") func oneTable() throws {
        let table = try entry(["JSON", "XML", "CSV"].map { resource("甲", $0) }.joined(separator: ","))
        #expect(try table.resource(nil).number == 3)
        let tables = try entry([resource("甲", "JSON"), resource("乙", "CSV")].joined(separator: ","))
        #expect(throws: OpenDataError.self) { _ = try tables.resource(nil) }
        #expect(try entry(resource("甲", "PDF")).resource(nil).number == 1)
        let error = try #require(throws: OpenDataError.self) { _ = try entry("").resource(nil) }
        #expect(error.code == .noData)
    }

    @Test(
        "an answer that is no description is named for what it is",
        arguments: [
            (
                "{\"success\":false,\"error\":{\"error_type\":\"ER0100\",\"message\":\"查無此資料集\"}}",
                OpenDataError.Code.notFound
            ),
            ("{\"success\":true,\"result\":{\"title\":\"示例\"}}", .schemaChanged), ("<html>", .malformed),
            ("", .malformed),
            ("{\"success\":true,\"result\":{\"title\":\"示", .malformed),
        ])
    func refused(_ body: String, _ code: OpenDataError.Code) throws {
        let error = try #require(throws: OpenDataError.self) {
            _ = try DataGovTW().entry("7", from: Array(body.utf8))
        }
        #expect(error.code == code && error.dataset == "datagovtw:7")
    }

    @Test(
        "references that cannot be one are told before anybody is asked",
        arguments: ["", "abc", "12a", "-1", "1234567890"])
    func references(_ reference: String) throws {
        let error = try #require(throws: OpenDataError.self) { _ = try DataGovTW().request(reference) }
        #expect(error.code == .badArgument)
    }

    @Test(
        "addresses of portals that run CKAN",
        arguments: [
            ("https://d.example.org/rain", "https://d.example.org/api/3/action/package_show?id=rain"),
            ("https://d.example.org/dataset/rain/", "https://d.example.org/api/3/action/package_show?id=rain"),
            ("http://h:81/sub/dataset/rain", "http://h:81/sub/api/3/action/package_show?id=rain"),
        ])
    func portals(_ reference: String, _ url: String) throws { #expect(try CKAN().request(reference).url == url) }

    @Test(
        "a portal is needed, and a name behind it",
        arguments: ["", "rain", "https://", "https://d.example.org", "ftp://a/b"])
    func badPortals(_ reference: String) throws {
        let error = try #require(throws: OpenDataError.self) { _ = try CKAN().request(reference) }
        #expect(error.code == .badArgument && error.message.contains("ckan:https://"))
    }

    @Test(
        "addresses of resources are completed, and freed from white space",
        arguments: [
            ("//e.tw/a.csv", "https://e.tw/a.csv"), ("/a.csv", "https://d.example.org/a.csv"),
            (" \\thttps://e.tw/a b.csv\\n", "https://e.tw/a b.csv"), (" ", ""),
        ])
    func resourceAddresses(_ url: String, _ expected: String) throws {
        let body = "{\"success\":true,\"result\":{\"resources\":[{\"url\":\"\(url)\"}]}}"
        let entry = try CKAN().entry("https://d.example.org/rain", from: Array(body.utf8))
        #expect(entry.resources.map(\.url) == [expected])
    }

    @Test func ckanDescription() throws {
        let body = """
            {"help":"x","success":true,"result":{"name":"rain","title":"Rain \\ud83c\\udf27","notes":null,
            "license_id":"cc-by","license_title":"CC BY","organization":{"title":"Office"},"size":1.5e3,
            "resources":[{"name":"2024","format":"CSV","url":"/files/2024.csv"},{"name":null,"description":"all",
            "format":"","url":"https://e.org/all.json"}]}}
            """
        let entry = try CKAN().entry("https://d.example.org/rain", from: Array(body.utf8))
        #expect(entry.id == "ckan:https://d.example.org/rain" && entry.title == "Rain 🌧" && entry.publisher == "Office")
        #expect(entry.licence.id == "cc-by" && entry.page == "https://d.example.org/dataset/rain")
        #expect(entry.resources.map(\.url) == ["https://d.example.org/files/2024.csv", "https://e.org/all.json"])
        #expect(entry.resources.map(\.title) == ["2024", "all"])
    }
}
