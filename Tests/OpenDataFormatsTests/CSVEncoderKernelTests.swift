import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct CSVEncoderKernelTests {
    /// Records of cells of every kind, with and without what has to be quoted.
    private func batch(_ random: inout SeededGenerator, records: Int, columns: Int) -> RecordBatch {
        let pieces = ["a", "元大", ",", "\"", "\n", "\r", "\t", " ", "0050", "long text without anything", "中文字句也要長一點"]
        var batch = RecordBatch(columns: Columns((0..<columns).map { "c\($0)" }))
        for record in 0..<records {
            for _ in 0..<columns {
                let cell: Cell
                switch Int.random(in: 0..<10, using: &random) {
                case 0: cell = .null
                case 1: cell = .absent
                case 2: cell = .boolean(Bool.random(using: &random))
                case 3:
                    cell = CalendarDate(daysSince1970: Int.random(in: 0..<3, using: &random)).map(Cell.date) ?? .null
                case 4:
                    let text = Array("2026-07-08T13:0\(Int.random(in: 0..<9, using: &random)):00".utf8)[...]
                    cell = DateTime(parsing: text.span, zone: .taipei).map(Cell.dateTime) ?? .null
                case 5:
                    cell = batch.append(text: "\(Int.random(in: -9_999...99_999_999_999, using: &random)).50").with(
                        kind: .number)
                case 6: cell = batch.append(text: "{\"a\":[1,2]}").with(kind: .json)
                default:
                    let count = Int.random(in: 0...6, using: &random)
                    let safe = Bool.random(using: &random)
                    let text = (0..<count).map { _ in
                        (safe ? ["a", "元大", "0050", "x y"] : pieces).randomElement(using: &random) ?? ""
                    }
                    cell = batch.append(text: text.joined())
                }
                batch.cells.append(cell)
            }
            batch.origins.append(RecordOrigin(record: record + 1, line: record + 1, byte: 0))
        }
        return batch
    }

    /// The records of a batch, each in a batch whose bytes end with its last cell: the kernel takes none with text in
    /// it.
    private func singles(_ batch: RecordBatch) -> [RecordBatch] {
        (0..<batch.count).map { record in
            var one = RecordBatch(columns: batch.columns)
            for column in 0..<batch.columns.count {
                let cell = batch[record, column]
                switch cell.kind {
                case .text, .number, .json:
                    one.cells.append(one.append(text: batch.text(of: cell)).with(kind: cell.kind))
                default: one.cells.append(cell)
                }
            }
            one.origins = [batch.origins[record]]
            return one
        }
    }

    @Test("what the kernel writes is what the encoder writes cell by cell", arguments: 0..<24)
    func differential(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let columns = seed % 4 == 0 ? 1 : Int.random(in: 2...9, using: &random)
        let batch = batch(&random, records: 300, columns: columns)
        let fields = (0..<columns).map { Field("c\($0)", sourceNames: [], type: .any) }
        for delimiter in [CSVRecordEncoder.Delimiter.comma, .tab] {
            let whole = EncoderFixtures.bytes(CSVRecordEncoder(delimiter), fields, [batch])
            let single = EncoderFixtures.bytes(CSVRecordEncoder(delimiter), fields, singles(batch))
            #expect(whole == single)
            // Into an array that is empty, as behind the first batch.
            var (encoder, header, rest) = (CSVRecordEncoder(delimiter), [UInt8](), [UInt8]())
            encoder.begin(fields, into: &header)
            encoder.write(batch, into: &rest)
            #expect(header + rest == single)
        }
    }

    @Test("a text of each length, with what is quoted at each place") func places() {
        let fields: [Field] = [.text("a"), .text("b")]
        for length in 1...40 {
            for special in [",", "\"", "\n", "\r", "\t", " "] {
                var batch = RecordBatch(columns: Columns(["a", "b"]))
                for place in 0..<length {
                    let text =
                        String(repeating: "x", count: place) + special
                        + String(repeating: "y", count: length - place - 1)
                    batch.cells += [batch.append(text: text), batch.append(text: "z")]
                    batch.origins.append(RecordOrigin(record: place + 1, line: place + 1, byte: 0))
                }
                // So that the last cell, too, has bytes behind it; what stands there is not to be looked at.
                batch.bytes += Array(repeating: UInt8(ascii: "\""), count: 64)
                let whole = EncoderFixtures.bytes(CSVRecordEncoder(), fields, [batch])
                let single = EncoderFixtures.bytes(CSVRecordEncoder(), fields, singles(batch))
                #expect(whole == single, "\(length) \(special.debugDescription)")
            }
        }
    }

    @Test("nothing but quotes, which need twice the room") func quotes() {
        let quotes = String(repeating: "\"", count: 3000)
        var batch = RecordBatch(columns: Columns(["a"]))
        for record in 0..<60 {
            batch.cells.append(batch.append(text: quotes))
            batch.origins.append(RecordOrigin(record: record + 1, line: 1, byte: 0))
        }
        var (encoder, header, text) = (CSVRecordEncoder(), [UInt8](), [UInt8]())
        encoder.begin([.text("a")], into: &header)
        encoder.write(batch, into: &text)
        let line = "\"" + quotes + quotes + "\"\n"
        #expect(text == Array(String(repeating: line, count: 60).utf8))
    }

    @Test("long cells, long records and many of them") func long() {
        let long = String(repeating: "長\"", count: 30_000)
        var batch = RecordBatch(columns: Columns(["a", "b"]))
        for record in 0..<50 {
            batch.cells += [batch.append(text: record % 7 == 0 ? long : "short"), batch.append(text: "x")]
            batch.origins.append(RecordOrigin(record: record + 1, line: 1, byte: 0))
        }
        let text = EncoderFixtures.bytes(CSVRecordEncoder(), [.text("a"), .text("b")], [batch])
        let quoted = "\"" + String(repeating: "長\"\"", count: 30_000) + "\""
        let expected = "a,b\n" + (0..<50).map { "\($0 % 7 == 0 ? quoted : "short"),x\n" }.joined()
        #expect(text == Array(expected.utf8))
    }
}
