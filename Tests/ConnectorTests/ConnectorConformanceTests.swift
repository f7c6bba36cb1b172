import Foundation
import OpenData
import TestSupport
import Testing

/// What every connector must hold to.
@Suite struct ConnectorConformanceTests {
    static let sources = Registry.standard.all.map(Conformer.init)

    /// A data source that tests can take as an argument.
    struct Conformer: CustomTestStringConvertible, Sendable {
        let source: any DataSource
        var testDescription: String { source.dataset.id }
    }

    private static func isSnakeCase(_ text: String) -> Bool {
        text.utf8.first.map { $0 &- 97 < 26 } == true
            && text.utf8.allSatisfy { $0 &- 97 < 26 || $0 &- 48 < 10 || $0 == UInt8(ascii: "_") }
    }

    @Test(arguments: sources) func description(_ item: Conformer) throws {
        let dataset = item.source.dataset
        let parts = dataset.id.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        #expect(parts.count >= 2 && parts.allSatisfy(Self.isSnakeCase))
        #expect(!dataset.title.isEmpty && !dataset.english.isEmpty && !dataset.publisher.isEmpty)
        #expect(dataset.page.hasPrefix("https://") && !dataset.cadence.rawValue.isEmpty)
        let names = dataset.schema.fields.map(\.name) + dataset.parameters.map(\.name)
        #expect(names.allSatisfy(Self.isSnakeCase))
        #expect(dataset.schema.primaryKey.allSatisfy { dataset.schema.fields.map(\.name).contains($0) })
        for parameter in dataset.parameters {
            #expect(!parameter.summary.isEmpty && (!parameter.isRequired || parameter.example != nil))
        }
    }

    @Test("a request for the examples, to a host whose limit is declared", arguments: sources)
    func requests(_ item: Conformer) throws {
        var arguments = Arguments()
        for parameter in item.source.dataset.parameters where parameter.isRequired {
            arguments[parameter.name] = parameter.example
        }
        let requests = try item.source.requests(arguments)
        #expect(!requests.isEmpty)
        for request in requests {
            #expect(request.scheme == "https", "B021: \(request.url)")
            #expect(item.source.dataset.hosts.map(\.host).contains(request.host), "\(request.host)")
        }
    }

    @Test("the sample decodes: every record, every field's published name, rows too", arguments: sources)
    func sample(_ item: Conformer) async throws {
        let sample = try #require(item.source.sample)
        let summary = try await rows(of: item.source, sample)
        #expect(18...24 ~= summary.written && summary.rejected == 0)
        // The exchange's notes column is in no schema.
        #expect(summary.unknownColumns.allSatisfy { $0 == "註記" })
    }

    private func rows(of source: some DataSource, _ sample: Sample) async throws -> FetchSummary {
        var options = FetchOptions()
        options.payload = Payload(sample)
        let client = Client(transport: NoTransport())
        var iterator = client.rows(of: source, sample.arguments, options: options).makeAsyncIterator()
        while try await iterator.next() != nil {}
        return iterator.summary
    }

    @Test("Connectors.md lists every data set and its parameters", arguments: sources)
    func documentation(_ item: Conformer) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Connectors.md"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(item.source.dataset.id)` |") })
        let dataset = item.source.dataset
        for part in [dataset.title, dataset.english, dataset.publisher] { #expect(line.contains(part)) }
        for parameter in dataset.parameters { #expect(line.contains("`\(parameter.flag)`")) }
    }
}

/// A transport for tests that must not ask anybody.
struct NoTransport: Transport {
    func send(_ request: Request) async throws(OpenDataError) -> Payload {
        throw OpenDataError(.unreachable, "a test asked for \(request.url)")
    }
}
