import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct JSONEncoderKernelTests {
    /// Records of cells of every kind, in the proportions that make the kernel stop and go on.
    private func batch(_ random: inout SeededGenerator, records: Int, columns: Int, plain: Double) -> RecordBatch {
        var batch = RecordBatch(columns: Columns((0..<columns).map { "c\($0)" }))
        for record in 0..<records {
            for _ in 0..<columns {
                let cell: Cell
                if Double.random(in: 0..<1, using: &random) < plain {
                    let length = Int.random(in: 0...40, using: &random)
                    let text = String(String(repeating: "中文a0b1", count: 8).prefix(length))
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: cell = batch.append(text: text)
                    case 1:
                        cell = batch.append(text: "\(Int.random(in: -999_999...99_999_999, using: &random)).50").with(
                            kind: .number)
                    case 2: cell = .null
                    default:
                        cell =
                            CalendarDate(daysSince1970: Int.random(in: 0..<40_000, using: &random)).map(Cell.date)
                            ?? .null
                    }
                } else {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: cell = batch.append(text: "a\"b\\c\nd")
                    case 1: cell = .absent
                    case 2: cell = .boolean(true)
                    default: cell = batch.append(text: "[1]").with(kind: .json)
                    }
                }
                batch.cells.append(cell)
            }
            batch.origins.append(RecordOrigin(record: record + 1, line: record + 1, byte: 0))
        }
        return batch
    }

    @Test("what the kernel writes is what the encoder writes cell by cell", arguments: 0..<24)
    func differential(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let columns = Int.random(in: 1...9, using: &random)
        let batch = batch(&random, records: 300, columns: columns, plain: [1, 0.999, 0.95, 0.5][Int(seed % 4)])
        let names = (0..<columns).map {
            String(repeating: "name", count: Int.random(in: 1...6, using: &random)) + "\($0)"
        }
        let fields = names.map { Field($0, sourceNames: [], type: .any) }
        for framing in [JSONRecordEncoder.Framing.array, .lines] {
            var whole: [UInt8] = []
            var encoder = JSONRecordEncoder(framing)
            encoder.begin(fields, into: &whole)
            encoder.write(batch, into: &whole)
            encoder.finish(into: &whole)
            // One record at a time: a batch of its own, whose bytes end with its last cell, is never the kernel's.
            var single: [UInt8] = []
            encoder.begin(fields, into: &single)
            for record in 0..<batch.count {
                var one = RecordBatch(columns: batch.columns)
                for column in 0..<columns {
                    let cell = batch[record, column]
                    switch cell.kind {
                    case .text, .number, .json:
                        one.cells.append(one.append(text: batch.text(of: cell)).with(kind: cell.kind))
                    default: one.cells.append(cell)
                    }
                }
                one.origins = [batch.origins[record]]
                encoder.write(one, into: &single)
            }
            encoder.finish(into: &single)
            #expect(whole == single)
        }
    }

    @Test("long cells, long records and many of them") func long() {
        let long = String(repeating: "長", count: 30_000)
        var batch = RecordBatch(columns: Columns(["a", "b"]))
        for record in 0..<50 {
            batch.cells += [batch.append(text: record % 7 == 0 ? long : "short"), batch.append(text: "x")]
            batch.origins.append(RecordOrigin(record: record + 1, line: 1, byte: 0))
        }
        var output: [UInt8] = []
        var encoder = JSONRecordEncoder(.lines)
        encoder.begin([.text("a"), .text("b")], into: &output)
        encoder.write(batch, into: &output)
        let expected = (0..<50).map { "{\"a\":\"\($0 % 7 == 0 ? long : "short")\",\"b\":\"x\"}\n" }.joined()
        #expect(output == Array(expected.utf8))
    }
}
