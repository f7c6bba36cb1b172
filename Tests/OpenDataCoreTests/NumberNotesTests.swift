@testable import OpenDataCore
import TestSupport
import Testing

/// Numbers that are read where they are checked are those read from their text.
@Suite struct NumberNotesTests {
    /// Records of a code, a number and a whole number, in quotes, as they stand in a file.
    private func batch(_ records: [[String]]) -> RecordBatch {
        var batch = RecordBatch(columns: Columns(["code", "n", "whole"]))
        for (index, record) in records.enumerated() {
            batch.origins.append(RecordOrigin(record: index + 1, line: index + 1, byte: batch.bytes.count))
            for text in record {
                batch.bytes.append(UInt8(ascii: "\""))
                batch.cells.append(
                    Cell(.text, offset: batch.bytes.count, length: text.utf8.count, quoted: true, plain: true))
                batch.bytes += Array(text.utf8) + Array("\",".utf8)
            }
        }
        // Room for whole blocks behind the last.
        batch.bytes += Array(repeating: UInt8(ascii: " "), count: 16)
        return batch
    }

    private func conformer(filter: String? = nil) -> Conformer {
        let schema: Schema = [
            .text("code", "code"), .number("n", "n", missing: ["", "--"]),
            .integer("whole", "whole", missing: ["", "--"]),
        ]
        return Conformer(schema, filters: filter.map { [RecordFilter(field: "code", value: $0)] } ?? [])
    }

    /// What a field is read as, or why it is not.
    private func outcome<T: CustomStringConvertible>(_ read: () throws(OpenDataError) -> T?) -> String {
        do throws(OpenDataError) {
            return try read()?.description ?? "none"
        } catch {
            return error.message
        }
    }

    /// The same for types that have to have a value.
    private func needed<T: CustomStringConvertible>(_ read: () throws(OpenDataError) -> T) -> String {
        outcome { () throws(OpenDataError) -> T? in try read() }
    }

    /// Checks each record against its text, and returns for how many numbers there was a note.
    private func check(_ records: [[String]], filter: String? = nil) throws -> Int {
        var (noting, plain) = (conformer(filter: filter), conformer(filter: filter))
        noting.notesNumbers = true
        let (noted, other) = (try noting.conform(batch(records)), try plain.conform(batch(records)))
        #expect(noted.cells == other.cells && other.numbers.isEmpty)
        #expect(noted.rejects.map(\.message) == other.rejects.map(\.message))
        // A whole number without a point is noted as one.
        for (note, cell) in zip(noted.numbers, noted.cells) where note.isThere {
            #expect(note.integer == Int(String(decoding: noted.bytes[cell.range], as: UTF8.self)))
        }
        for (one, two) in zip(noted.records, other.records) {
            for (field, name) in [("n", "n" as StaticString), ("whole", "whole"), ("code", "code"), ("none", "none")] {
                // By literal name, where notes count, and by the name alone, where they do not.
                #expect(
                    outcome { () throws(OpenDataError) -> ExactDecimal? in try one[name] }
                        == outcome { () throws(OpenDataError) -> ExactDecimal? in try two[field: field] })
                #expect(
                    outcome { () throws(OpenDataError) -> Int? in try one[name] }
                        == outcome { () throws(OpenDataError) -> Int? in try two[field: field] })
                #expect(
                    needed { () throws(OpenDataError) -> ExactDecimal in try one[name] }
                        == needed { () throws(OpenDataError) -> ExactDecimal in try two[field: field] })
                #expect(
                    needed { () throws(OpenDataError) -> Int in try one[name] }
                        == needed { () throws(OpenDataError) -> Int in try two[field: field] })
            }
        }
        return noted.numbers.count { $0.isThere }
    }

    @Test("every length, every place of the point, with and without a sign")
    func shapes() throws {
        var records: [[String]] = []
        for length in 1...18 {
            let digits = String("9876543210123456789".prefix(length))
            records += ["", "-"].map { ["a", "\($0)\(digits)", digits] }
            for place in 1..<max(length, 2) where length > 1 {
                let text = "\(digits.prefix(place)).\(digits.dropFirst(place))"
                records += [["a", text, "0"], ["a", "-" + text, "--"], ["a", "0." + digits, "1"]]
            }
        }
        // All that fit in sixteen bytes, of each column.
        let whole = records.count { (1...16).contains($0[2].utf8.count) && $0[2] != "--" }
        // Those of the first record have too little in front of them.
        let notes = try check(records)
        #expect(notes == records.count { $0[1].utf8.count <= 16 } + whole - 2)
    }

    @Test("random texts, of which some are no numbers", arguments: 0..<30)
    func random(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("0123456789012345678901234567890000.-")
        let odd = ["", "--", "007", "1,234.50", "+5", "1e3", "12.", ".5", "-0", "-0.00", "0", " 7 ", "９", "5.00", "x"]
        var notes = 0
        for _ in 0..<20 {
            let records = (0..<Int.random(in: 1...150, using: &random)).map { _ in
                ["code"]
                    + (0..<2).map { _ in
                        if Int.random(in: 0..<(seed < 10 ? 400 : 12), using: &random) == 0 {
                            return odd.randomElement(using: &random) ?? ""
                        }
                        let count = Int.random(in: 1...12, using: &random)
                        let text = String((0..<count).map { _ in letters.randomElement(using: &random) ?? "0" })
                        return seed % 3 == 0 ? text : "\(Int(text.filter(\.isNumber)) ?? 4)"
                    }
            }
            notes += try check(records)
        }
        #expect(seed % 3 == 0 || seed >= 10 || notes > 500)
    }

    @Test("where records are taken out, there are no notes, and numbers are what they were")
    func filtered() throws {
        let records = (0..<200).map { ["c\($0 % 3)", "\($0).50", "\($0)"] }
        #expect(try check(records, filter: "c1") == 0)
        let notes = try check(records.filter { $0[0] == "c1" }, filter: "c1")
        #expect(notes == 2 * 67 - 2)
    }
}
