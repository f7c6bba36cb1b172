import Foundation
import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// Every recorded payload of JSON, found and decoded, against the table of what a careful person reads in it.
@Suite("JSON: the recorded payloads as they are", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
struct JSONCorpusTests {
    /// A line of the table.
    struct Line: CustomTestStringConvertible {
        let file: String
        let kind: String
        /// The numbers of columns of which either is right; empty if they are not compared.
        let columns: [Int]
        let records: Int?
        let path: String
        let first: [String]
        let last: [String]
        let verdict: String
        var testDescription: String { file }

        static let all: [Line] = {
            guard let folder = SharedData.folder,
                let table = try? String(
                    contentsOf: folder.appendingPathComponent("corpus/expected.tsv"), encoding: .utf8)
            else { return [] }
            return table.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard cells.count >= 15, ["json", "geojson"].contains(cells[1]) else { return nil }
                return Line(
                    file: cells[0], kind: cells[1], columns: cells[9].split(separator: "|").compactMap { Int($0) },
                    records: Int(cells[10]), path: cells[11].components(separatedBy: " with ")[0],
                    first: texts(cells[12]), last: texts(cells[13]), verdict: cells[14])
            }
        }()

        private static func texts(_ cell: String) -> [String] {
            cell.components(separatedBy: "\u{241F}").map { text in
                text.replacingOccurrences(of: "\\\\", with: "\u{0}").replacingOccurrences(of: "\\t", with: "\t")
                    .replacingOccurrences(of: "\\n", with: "\n").replacingOccurrences(of: "\\r", with: "\r")
                    .replacingOccurrences(of: "\u{0}", with: "\\")
            }
        }
    }

    @Test("The table has every payload of JSON")
    func table() { #expect(Line.all.count == 79) }

    @Test("Each payload gives its records, or the error that it must give", arguments: Line.all)
    func payload(line: Line) throws {
        let payload = Payload(response: Response(url: "test:"), body: .bytes(try SharedData.bytes(line.file)))
        if line.verdict.hasPrefix("error:") {
            #expect(throws: OpenDataError.self) { try JSONFinder.find(in: payload, FormatHints()) }
            do { _ = try JSONFinder.find(in: payload, FormatHints()) } catch {
                #expect(error.code == .noData, "\(error)")
            }
            return
        }
        if line.verdict != "declared" {
            let found = try JSONFinder.find(in: payload, FormatHints())
            #expect(found.findings.isEmpty == (line.verdict == "plain"), "\(found.findings)")
            try check(found, line)
        }
        // Named, the path gives the same.
        var hints = FormatHints()
        hints.records = line.path
        try check(try JSONFinder.find(in: payload, hints), line)
        try check(try JSONFinder.find(in: payload, hints, nested: .json, windowSize: 4099), line)
        if line.file.contains("parking_alldesc") {
            try check(try JSONFinder.find(in: payload, hints, nested: .columns), line)
        }
    }

    private func check(_ found: FoundFormat, _ line: Line) throws {
        let decoded = Decoded.decode(try SharedData.bytes(line.file), as: found.format)
        #expect(decoded.failure == nil)
        #expect(decoded.rejects.isEmpty)
        #expect(decoded.records.count == line.records)
        if !line.columns.isEmpty { #expect(line.columns.contains(decoded.header.count), "\(decoded.header)") }
        #expect(Set(decoded.header.map { Array($0.utf8) }).count == decoded.header.count)
        #expect(decoded.header.allSatisfy { !$0.unicodeScalars.contains("\u{FEFF}") })
        #expect(decoded.records.allSatisfy { $0.count == decoded.header.count })
        // A path's own name is the record's first cell where the table begins with a nested value.
        let offset = line.path == "paths{}" ? 1 : 0
        for (record, cells) in [(decoded.records.first, line.first), (decoded.records.last, line.last)] {
            let texts = record?.dropFirst(offset).prefix(cells.count).map(\.description) ?? []
            #expect(texts.count >= min(cells.count, 1))
            for (text, cell) in zip(texts, cells) where cell != "[…]" { #expect(text == cell) }
        }
    }
}
