import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct CellTextTests {
    @Test("days and times are written as they describe themselves")
    func sameAsDescription() throws {
        var generator = SeededGenerator(seed: 20_260_708)
        var wrong: [String] = []
        for _ in 0..<5_000 {
            let day = try #require(CalendarDate(daysSince1970: .random(in: -719_162...2_932_896, using: &generator)))
            let time = try #require(
                DateTime(
                    day, hour: .random(in: 0...23, using: &generator), minute: .random(in: 0...59, using: &generator),
                    second: .random(in: 0...59, using: &generator),
                    millisecond: Bool.random(using: &generator) ? 0 : .random(in: 0...999, using: &generator),
                    offsetMinutes: 15 * .random(in: -56...56, using: &generator)))
            var output: [UInt8] = []
            CellText.append(.date(day), of: RecordBatch(), to: &output)
            output.append(UInt8(ascii: " "))
            CellText.append(.dateTime(time), of: RecordBatch(), to: &output)
            let text = String(decoding: output, as: UTF8.self)
            if text != "\(day) \(time)" { wrong.append(text) }
        }
        #expect(wrong.isEmpty)
    }

    @Test("a byte is found wherever it stands in the words and whatever surrounds it")
    func byteScan() {
        var generator = SeededGenerator(seed: 7)
        let alphabet: [UInt8] = [0, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0x9F, 0xA2, 0xDC, 0xFF]
        var wrong: [([UInt8], Range<Int>)] = []
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &generator)
            // Mostly harmless bytes, so that what is looked for is often far away or absent.
            let bytes = (0..<count).map { _ in
                Int.random(in: 0..<12, using: &generator) == 0 ? alphabet.randomElement(using: &generator) ?? 0 : 0xA3
            }
            let start = Int.random(in: 0...count, using: &generator)
            let range = start..<Int.random(in: start...count, using: &generator)
            let quote = ByteScan.firstIndex(in: bytes.span, range) { ByteScan.bytes(of: $0, equalTo: 0x22) }
            let control = ByteScan.firstIndex(in: bytes.span, range) { ByteScan.bytes(of: $0, lessThan: 0x20) }
            let isRight =
                quote == bytes[range].firstIndex(of: 0x22) ?? range.upperBound
                && control == bytes[range].firstIndex { $0 < 0x20 } ?? range.upperBound
            if !isRight { wrong.append((bytes, range)) }
        }
        #expect(wrong.isEmpty)
    }
}
