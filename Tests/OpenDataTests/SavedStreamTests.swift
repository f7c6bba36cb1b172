import Foundation
import OpenData
import OpenDataCore
import TestSupport
import Testing

/// Payloads that can be read once, as those from a pipe.
@Suite struct SavedStreamTests {
    private func read(_ text: String, _ source: any DataSource) async throws -> FetchSummary {
        let file = try ReadOnceFile(Array(text.utf8))
        var options = FetchOptions()
        options.payload = try Payload.stream(descriptor: file.descriptor)
        var iterator = Client(transport: StubTransport([:])).batches(of: source, options: options).makeAsyncIterator()
        while try await iterator.next() != nil {}
        return withExtendedLifetime(file) { iterator.summary }
    }

    @Test(
        "how much may be downloaded is no limit to what somebody hands over, whatever its format",
        arguments: [true, false])
    func limits(_ isJSON: Bool) async throws {
        var source = TestSource()
        source.dataset.maximumBytes = 1000
        // Two layouts, so that the payload has to be read more than once.
        source.accepted = isJSON ? [.json(records: "r"), .json] : [.csv, .csv(CSVDialect(titleRows: 1))]
        let rows = (0..<20_000).map { isJSON ? "{\"代號\":\"a\($0)\",\"數量\":\($0)}" : "a\($0),\($0)" }
        let text = isJSON ? "[" + rows.joined(separator: ",") + "]" : "代號,數量\n" + rows.joined(separator: "\n") + "\n"
        let summary = try await read(text, source)
        #expect(summary.read == 20_000 && summary.written == 20_000)
    }
}
