import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct CSVShapesTests {
    /// Records with something odd now and then: blank cells, doubled quotes, formulas, other widths, blank lines.
    private func text(_ seed: UInt64, _ count: Int) -> String {
        var random = SeededGenerator(seed: seed)
        let width = Int.random(in: 1...6, using: &random)
        let odd = Int(seed % 4) * 40
        return (0..<count).map { number in
            if odd > 0, Int.random(in: 0..<odd, using: &random) == 0 {
                return [
                    "\n", "x\n", ",,\n", "1,2,3,4,5,6,7,8\n", "\"a\nb\"\n", " , \n", "=\"0050\",\"=\"\"0051\"\"\"\n",
                    "\"q\"\"q\",\"\"\n", "a\"b,c\r\n",
                ].randomElement(using: &random) ?? ""
            }
            let cells = (0..<width).map { cell in
                Int.random(in: 0..<9, using: &random) == 0 ? "" : cell == 0 ? "\(number)" : "\"台\(number),\(cell)\""
            }
            return cells.joined(separator: ",") + "\n"
        }.joined()
    }

    @Test("all records are counted as a second reading has them, at any window", arguments: 0..<16)
    func counts(_ seed: UInt64) throws {
        let text = text(seed, 3000)
        let records = try #require(
            ReferenceCSV.records(text.replacing("=\"0050\"", with: "F").replacing("\"=\"\"0051\"\"\"", with: "F")))
        var expected: [CSVShapes.Key: Int] = [:]
        for record in records {
            let isBlank = record.allSatisfy { $0.allSatisfy { $0 == " " } }
            let used = isBlank ? 0 : (record.lastIndex { !$0.isEmpty } ?? -1) + 1
            expected[CSVShapes.Key(width: record.count, used: used), default: 0] += 1
        }
        let formulas = records.joined().filter { $0 == "F" }.count
        for window in [50, 3000, 1 << 14, 1 << 18] {
            var shapes = CSVShapes(delimiter: UInt8(ascii: ","), headRoom: 20)
            try shapes.read(ByteArraySource(Array(text.utf8)), window: window)
            #expect(shapes.failure == nil && shapes.isWhole)
            #expect(shapes.head.count == 20 && shapes.tail.count == 256)
            var found = shapes.middle.mapValues(\.count)
            for shape in shapes.head + shapes.tail {
                found[CSVShapes.Key(width: shape.width, used: shape.used), default: 0] += 1
            }
            #expect(found == expected, "window of \(window)")
            #expect(shapes.formulas == formulas, "window of \(window)")
            #expect(
                shapes.tail.map { $0.cells.first }
                    == records.suffix(256).map { record in
                        CSVHead.name(record[0] == "F" ? "=\"0050\"" : record[0]).replacing("\"", with: "\"\"")
                            .replacing("=\"\"0050\"\"", with: "=\"0050\"").replacing("a\"\"b", with: "a\"b")
                    })
            let lines = shapes.tail.map(\.line)
            #expect(zip(lines, lines.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("how cells look")
    func looks() {
        let numbers = ["0", "0050", "-1,234.50", "+3%", "(5)", "１２", "1 000"]
        let times = ["2020/1/2", "2020-01-02", "109年04月", "1月1日", "08:20", "2020-01-02T08:20:00Z"]
        let missing = ["", "-", "--", "N/A", "…", "－", " - "]
        let texts = ["甲", "00632R", "PM2.5", "T", "1E10", "https://a", "O3", "月"]
        #expect(numbers.allSatisfy { CSVCellLook($0) == .number })
        #expect(times.allSatisfy { CSVCellLook($0) == .time })
        #expect(missing.allSatisfy { CSVCellLook($0) == .missing })
        #expect(texts.allSatisfy { CSVCellLook($0) == .text })
    }
}
