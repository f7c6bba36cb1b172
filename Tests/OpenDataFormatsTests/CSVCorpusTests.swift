import Foundation
import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// Every recorded payload of delimited text, read with no more than its bytes, against what a person reads in it.
@Suite(.enabled(if: SharedData.isPresent, .init(rawValue: SharedData.comment)))
struct CSVCorpusTests {
    /// A line of the table of what is expected.
    struct Expected: CustomTestStringConvertible, Sendable {
        let fields: [String: String]
        var testDescription: String { self["path"] }
        subscript(_ name: String) -> String { fields[name] ?? "" }
        func number(_ name: String) -> Int { Int(self[name]) ?? -1 }

        /// The cells of a record as published.
        func cells(_ name: String) -> [String] {
            self[name].split(separator: "\u{241F}", omittingEmptySubsequences: false).map { cell in
                var text = String(cell)
                for (escape, scalar) in [("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r"), ("\\\\", "\\")] {
                    text = text.replacingOccurrences(of: escape, with: scalar)
                }
                return text
            }
        }
    }

    static let all: [Expected] = {
        guard let folder = SharedData.folder,
            let text = try? String(contentsOf: folder.appendingPathComponent("corpus/expected.tsv"), encoding: .utf8)
        else { return [] }
        var lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        guard !lines.isEmpty else { return [] }
        let names = lines.removeFirst().map(String.init)
        return lines.map { line in Expected(fields: Dictionary(uniqueKeysWithValues: zip(names, line.map(String.init))))
        }
    }()

    static let tables = all.filter { ["csv", "tsv"].contains($0["kind"]) && !$0["adhoc"].hasPrefix("error") }
    static let refused = all.filter {
        ["csv", "html"].contains($0["kind"]) && $0["adhoc"].hasPrefix("error")
    }

    private func payload(_ expected: Expected) throws -> Payload {
        Payload(response: Response(url: "test:"), body: .bytes(try SharedData.bytes(expected["path"])))
    }

    @Test("the table has lines") func isThere() {
        #expect(CSVCorpusTests.tables.count == 56 && CSVCorpusTests.refused.count == 5)
    }

    @Test("B053, B128, B135, B137, B141: every table as expected, with no word about it", arguments: tables)
    func table(_ expected: Expected) throws {
        let payload = try payload(expected)
        var hints = FormatHints()
        if expected["adhoc"] == "declared", expected.number("title_lines") > 0 {
            #expect(throws: OpenDataError.self) { try CSVFinder.find(in: payload, hints) }
            hints.titleRows = expected.number("title_lines")
        }
        let found = try CSVFinder.find(in: payload, hints)
        let dialect = try #require(found.format.dialect as? CSVDialect)
        #expect(dialect.delimiter == (expected["delimiter"] == "tab" ? 9 : 44))
        #expect(dialect.titleRows == expected.number("title_lines"))
        #expect(dialect.headerRows == (expected["header_line"] == "0" ? 0 : expected.number("header_rows")))
        if expected["adhoc"] == "plain" {
            #expect(found.findings.isEmpty)
            #expect(dialect == CSVDialect())
        } else if expected["adhoc"] == "evidence" {
            #expect(!found.findings.isEmpty)
        }

        let text = try TextSource.open(payload, encodings: found.format.encodings)
        try TextSource.readThrough(text)
        let mark =
            text.hasByteOrderMark && text.encoding == .utf8 ? "-bom" : text.tally.userDefinedCount > 0 ? "-eudc" : ""
        #expect(text.encoding.rawValue + mark == expected["encoding"])

        for window in [RecordReader.defaultWindowSize, 4099] {
            let decoded = Decoded.decode(try SharedData.bytes(expected["path"]), as: found.format, window: window)
            #expect(decoded.failure == nil && decoded.rejects.isEmpty)
            #expect(decoded.header.count == expected.number("columns"))
            #expect(Set(decoded.header.map { Array($0.utf8) }).count == decoded.header.count)
            #expect(decoded.records.count == expected.number("records"))
            #expect(Array((decoded.texts.first ?? []).prefix(3)) == expected.cells("first_cells"))
            #expect(Array((decoded.texts.last ?? []).prefix(3)) == expected.cells("last_cells"))
            let notes = ReferenceCSV.records(decoded.members["notes"] ?? "") ?? []
            #expect(notes.filter { !$0.allSatisfy(\.isEmpty) }.count == expected.number("footnote_records"))
        }
    }

    @Test("what is no table is refused", arguments: refused)
    func refusal(_ expected: Expected) throws {
        let payload = try payload(expected)
        do {
            let found = try CSVFinder.find(in: payload, FormatHints())
            Issue.record("read as \(found)")
        } catch {
            #expect(error.code == (expected["adhoc"] == "error:no_data" ? .noData : .unexpectedContent))
        }
    }
}
