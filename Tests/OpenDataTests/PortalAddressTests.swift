import OpenData
import Testing

/// Addresses that a portal names, which nobody here has chosen.
@Suite struct PortalAddressTests {
    private func fetch(_ url: String) async -> (code: OpenDataError.Code?, asked: Int) {
        let description = "{\"success\":true,\"result\":{\"resources\":[{\"url\":\"\(url)\"}]}}"
        let stub = StubTransport(["package_show?id=rain": .success(description), ".csv": .success("a,b\n1,2\n")])
        let client = Client(transport: stub)
        do throws(OpenDataError) {
            let reference = try SourceReference("ckan:https://d.example.org/rain", .standard)
            let source = try await client.source(reference, [:])
            for try await _ in client.batches(of: source) {}
            return (nil, await stub.asked.count)
        } catch {
            return (error.code, await stub.asked.count)
        }
    }

    @Test("an address of the web is asked") func web() async { #expect(await fetch("https://e.tw/a.csv") == (nil, 2)) }

    @Test(
        "a file of this machine, and what is no address of the web, is not",
        arguments: ["file:///etc/passwd", "file:///tmp/a.csv", "ftp://e.tw/a.csv", "", "a.csv", "javascript:x"])
    func others(_ url: String) async { #expect(await fetch(url) == (.unexpectedContent, 1)) }
}
