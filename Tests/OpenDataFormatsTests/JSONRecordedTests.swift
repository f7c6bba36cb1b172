import Foundation
import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

/// Payloads as publishers sent them.
@Suite("JSON: recorded payloads", .enabled(if: SharedData.isPresent, "\(SharedData.comment)"))
struct JSONRecordedTests {
    /// A line of the table of what each recorded payload holds.
    struct Expected: CustomTestStringConvertible {
        let file: String
        let columns: Int
        let records: Int
        let path: String
        let firstCells: [String]
        var testDescription: String { file }

        /// The layout that the payload's kind has.
        var layout: JSONLayout {
            path.hasSuffix(" with fields") ? .table : JSONLayout(records: [path])
        }

        /// The JSON payloads whose records are the document or a member of it.
        static let all: [Expected] = {
            guard let folder = SharedData.folder,
                let table = try? String(
                    contentsOf: folder.appendingPathComponent("corpus/expected.tsv"), encoding: .utf8)
            else { return [] }
            return table.split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard cells.count >= 13, cells[1] == "json", let columns = Int(cells[9]), let records = Int(cells[10]),
                    ["$", "records", "data", "data with fields", "msgArray"].contains(cells[11])
                else { return nil }
                return Expected(
                    file: cells[0], columns: columns, records: records, path: cells[11],
                    firstCells: cells[12].components(separatedBy: "\u{241F}"))
            }
        }()
    }

    @Test("The table of payloads is read")
    func table() { #expect(Expected.all.count > 40) }

    @Test("Each payload has the records and columns that it is known to have", arguments: Expected.all)
    func counts(expected: Expected) throws {
        let outcome = DocumentOutcome.decode(try SharedData.bytes(expected.file), expected.layout)
        #expect(outcome.failure == nil, "\(outcome.message)")
        #expect(outcome.records.count == expected.records)
        #expect(outcome.rejects.isEmpty)
        #expect(outcome.header.count == expected.columns)
        #expect(outcome.header.allSatisfy { !$0.unicodeScalars.contains("\u{FEFF}") })
        let first = outcome.records.first?.prefix(expected.firstCells.count).map(\.description)
        #expect(first == expected.firstCells)
    }

    @Test(
        "Answers without data leave their sentence in the members",
        arguments: [
            ("twse/rwd_empty_object_no_data.json", nil, OpenDataError.Code.schemaChanged),
            ("twse/rwd_error_no_data_short.json", "很抱歉，沒有符合條件的資料", .schemaChanged),
            ("twse/rwd_error_no_data_total0.json", "很抱歉，沒有符合條件的資料!", .schemaChanged),
            ("twse/rwd_mi_index_ms_20230101_no_data.json", "很抱歉，沒有符合條件的資料!", .schemaChanged),
            ("twse/rwd_twt49u_detail_no_data.json", "無相關資料", .schemaChanged),
            ("twse/rwd_twt93u_no_data_stat_ok.json", "OK", nil), ("twse/rwd_twtb8u_no_data.json", "OK", nil),
        ] as [(String, String?, OpenDataError.Code?)])
    func noData(file: String, sentence: String?, failure: OpenDataError.Code?) throws {
        let outcome = DocumentOutcome.decode(try SharedData.bytes(file), .table)
        #expect(outcome.records.isEmpty && outcome.rejects.isEmpty)
        #expect(outcome.failure == failure)
        #expect(outcome.members["stat"] == sentence)
    }

    @Test("What is beside the records of a recorded table")
    func members() throws {
        let outcome = DocumentOutcome.decode(try SharedData.bytes("twse/rwd_bfiamu_20230130.json"), .table)
        #expect(outcome.members["stat"] == "OK")
        #expect(outcome.members["date"] == "20230130")
        #expect(Int(outcome.members["total"] ?? "") == 30)
        #expect(outcome.members["fields"]?.split(separator: "\n").count == 5)
        #expect(outcome.members["notes"] != nil)
    }

    @Test("Broken payloads neither trap nor hang, and decode the same at two window sizes", arguments: 0..<6)
    func mutations(seed: Int) throws {
        var random = JSONGenerator(seed: UInt64(seed + 5000))
        let files = Expected.all.filter { ["twse", "cafenomad", "aqi"].contains($0.file.prefix { $0 != "/" }) }
        var codes: Set<String> = []
        for round in 0..<40 {
            let expected = files[(round * 6 + seed) % files.count]
            let bytes = try SharedData.bytes(expected.file)
            // The head and the tail of a long payload: what is between them is more of the same.
            let short = bytes.count > 4000 ? Array(bytes.prefix(3000) + bytes.suffix(600)) : bytes
            let broken = random.breaking(short)
            let whole = DocumentOutcome.decode(broken, expected.layout)
            let cut = DocumentOutcome.decode(broken, expected.layout, window: random.number(1...700))
            if String(validating: broken, as: UTF8.self) == nil {
                // The text is checked as it is read, so that a larger window finds the fault before more is decoded.
                #expect(whole.failure != nil && cut.failure != nil)
                continue
            }
            #expect(whole == cut, "\(expected.file), round \(round)")
            codes.insert(whole.failure?.rawValue ?? "none")
        }
        #expect(codes.contains("malformed"))
    }
}
