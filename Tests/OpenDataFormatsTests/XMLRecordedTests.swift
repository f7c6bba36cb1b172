import Foundation
import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

/// A line of the table of what each recorded payload holds.
struct CorpusLine: CustomTestStringConvertible, Sendable {
    let cells: [String]
    var file: String { cells[0] }
    var kind: String { cells[1] }
    var columns: [Int] { cells[9].split(separator: "|").compactMap { Int($0) } }
    var records: Int { Int(cells[10]) ?? -1 }
    var path: String { cells[11] }
    var firstCells: [String] { cells[12].components(separatedBy: "\u{241F}") }
    var lastCells: [String] { cells[13].components(separatedBy: "\u{241F}") }
    var adhoc: String { cells[14] }
    var testDescription: String { file }

    /// The lines of some kinds.
    static func lines(_ kinds: String...) -> [CorpusLine] {
        guard let folder = SharedData.folder,
            let table = try? String(contentsOf: folder.appendingPathComponent("corpus/expected.tsv"), encoding: .utf8)
        else { return [] }
        return table.split(separator: "\n")
            .map { CorpusLine(cells: $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) }
            .filter { $0.cells.count >= 15 && kinds.contains($0.kind) }
    }
}

@Suite("XML: recorded payloads", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
struct XMLRecordedTests {
    @Test("The table of payloads is read")
    func table() { #expect(CorpusLine.lines("xml", "kml").count == 5) }

    @Test("Each payload has the records that it is known to have", arguments: CorpusLine.lines("xml", "kml"))
    func records(_ line: CorpusLine) throws {
        let payload = try Payload.file(SharedData.path(line.file))
        var hints = FormatHints()
        if line.adhoc == "declared" {
            let error = #expect(throws: OpenDataError.self) { try XMLFinder.find(in: payload, hints) }
            #expect(
                error?.code == .badArgument && error?.message.contains("\(line.path) (\(line.records))") == true,
                "\(error?.message ?? "")")
            #expect(error?.message.contains("--records") == true)
            hints.records = line.path
        }
        let found = try XMLFinder.find(in: payload, hints)
        let outcome = Decoded.decode(try SharedData.bytes(line.file), as: found.format)
        #expect(outcome.failure == nil)
        #expect(outcome.records.count == line.records)
        #expect((found.format.dialect as? XMLLayout)?.records == [line.path])
        if !line.columns.isEmpty { #expect(line.columns.contains(outcome.header.count), "\(outcome.header)") }
        for (cells, record) in [(line.firstCells, outcome.records.first), (line.lastCells, outcome.records.last)] {
            let texts = record?.map(\.description) ?? []
            for (number, cell) in cells.enumerated() where cell != "[…]" {
                if line.kind == "kml" {
                    #expect(texts.contains { $0.contains(cell) })
                } else {
                    #expect(texts[number] == cell)
                }
            }
        }
        let small = Decoded.decode(try SharedData.bytes(line.file), as: found.format, window: 777)
        #expect(small == outcome)
    }

    @Test("Nested elements as JSON, and other grains of a payload")
    func layouts() throws {
        let exits = try SharedData.bytes("govdata/taipei_mrt_exits_ArrayOfStationExit.xml")
        let nested = Decoded.decode(
            exits, as: .xml(XMLLayout(records: ["ArrayOfStationExit/StationExit"], nested: .json)))
        #expect(nested.header.count == 12 && nested.records.count == 387)
        #expect(nested.records[0][4] == .json(#"{"Zh_tw":"頂埔","En":"Dingpu"}"#))
        let payload = try Payload.file(SharedData.path("cwa/F-C0032-001_2015_cwbopendata.xml"))
        var hints = FormatHints()
        for (grain, count) in [("weatherElement", 110), ("time", 330)] {
            hints.records = grain
            let found = try XMLFinder.find(in: payload, hints)
            #expect(found.findings.contains { $0.contains("(\(count))") })
            #expect((found.format.dialect as? XMLLayout)?.columns.contains("dataset.location.locationName") == true)
        }
        let members = Decoded.decode(
            try SharedData.bytes("cwa/F-C0032-001_2015_cwbopendata.xml"),
            as: .xml(records: "cwbopendata/dataset/location")
        ).members
        #expect(
            members["sender"] == "weather@cwb.gov.tw"
                && members["dataset.datasetInfo.issueTime"] == "2015-10-28T23:00:00+08:00")
    }
}
