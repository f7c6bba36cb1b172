import Foundation
import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

@Suite struct CSVDecoderTests {
    @Test("every case, whole and cut at every place", arguments: CSVCase.all)
    func cases(_ item: CSVCase) {
        let format = Format.csv(item.dialect)
        let whole = Decoded.decode(item.input, as: format)
        #expect(whole.failure == item.failure)
        #expect(whole.texts == item.records)
        #expect(whole.rejects.map(\.origin.line) == item.rejectedLines)
        if item.failure == nil, !item.records.isEmpty {
            #expect(whole.header.map { Array($0.utf8) } == item.header.map { Array($0.utf8) })
            #expect(whole.members == item.members)
        }
        for window in Decoded.windows(for: item.input.count) {
            let cut = Decoded.decode(item.input, as: format, window: window)
            #expect(cut == whole, "window of \(window)")
        }
    }

    @Test("positions and counts of what is rejected") func positions() {
        let decoded = Decoded.decode("a,b\n\"x\ny\",2\n3\n4,5\n".utf8, as: .csv)
        #expect(decoded.origins == [.init(record: 1, line: 2, byte: 4), .init(record: 3, line: 5, byte: 14)])
        #expect(decoded.rejects.map(\.message) == ["the header names 2 columns, the record has 1 cells"])
        #expect(decoded.rejects.map(\.origin) == [.init(record: 2, line: 4, byte: 12)])
        let unclosed = Decoded.decode("a,b\n1,2\n3,\"4\n5,6\n".utf8, as: .csv)
        #expect(unclosed.position?.line == 3 && unclosed.position?.byte == 10)
    }

    @Test("random text, against a second decoder", arguments: 0..<40)
    func differential(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "\"", "\"\"", ",", "\n", "\r\n", "\r", " ", "=", "=\"", "中", "\t", "0050", "\",\"", "\"\n\"",
        ]
        for _ in 0..<60 {
            let text = "p,q,r\n" + Self.random(pieces, 0..<24, &random)
            check(text, window: Int.random(in: 1...40, using: &random))
        }
    }

    /// Long enough for the kernel, with something for the scanner now and then.
    @Test("mostly regular records, against a second decoder", arguments: 0..<40, [",", "\t"])
    func kernel(_ seed: UInt64, _ delimiter: Character) {
        var random = SeededGenerator(seed: seed)
        let ends = seed % 3 == 0 ? "\r\n" : "\n"
        let regular = [
            "\"1150708\",\"0050\",\"元大台灣50\"", "\"\",\"\",\"\"", "1,2,3", ",,", "a,\"b,c\",d", "\"x\",,y",
            "\"\(String(repeating: "長", count: 30))\",\"\(String(repeating: "q", count: 64))\",\(String(repeating: "z", count: 70))",
        ].map { $0 + ends }
        let rare = [
            "\"a\"\"b\",1,2\n", "a\"b\",\"c,d\n", "1,2\n", "1,2,3,4\n", "1,2,3,,\n", "\n", "\r\n", "x\ry,1,2\n",
            "\"l\nm\",1,2\n",
            "a\tb,\"c\td\",e\n", "a\\b,\"\\\",c\n", "\"a\" ,1,2\n", "=\"0050\",1,2\n", "\u{7},\"\u{1}\",x\r\n",
            "\"a\r\",b,c\n", "\"\"\"\",,\n",
            "\"a\"b\"c\",d,e\n", "\"a\",\"b\",\"c\"\r", "\"a,\"b\",c,d\n",
        ]
        for _ in 0..<10 {
            var text = "p,q,r\n"
            for _ in 0..<60 {
                let isRare = Int.random(in: 0..<(seed % 5 == 0 ? 60 : 8), using: &random) == 0
                if isRare || seed % 2 == 0 {
                    text += (isRare ? rare : regular).randomElement(using: &random) ?? ""
                } else {
                    // Every cell wrapped, of lengths that put every part at every place of a block.
                    let cells = (0..<3).map { _ in
                        "\"\(String(repeating: "w", count: Int.random(in: 0...24, using: &random)))\""
                    }
                    text += cells.joined(separator: ",") + (Int.random(in: 0..<6, using: &random) == 0 ? "\n" : ends)
                }
            }
            if delimiter == "\t" { text = String(text.map { $0 == "," ? "\t" : $0 == "\t" ? "," : $0 }) }
            check(text, delimiter: delimiter, window: Int.random(in: 100...4000, using: &random))
        }
    }

    private static func random(_ pieces: [String], _ count: Range<Int>, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private func check(_ text: String, delimiter: Character = ",", window: Int) {
        let format = Format.csv(CSVDialect(delimiter: delimiter))
        let decoded = Decoded.decode(text.utf8, as: format, window: window)
        guard let reference = ReferenceCSV.records(text, delimiter: delimiter.unicodeScalars.first ?? ",") else {
            #expect(decoded.failure == .malformed, "\(text.debugDescription)")
            return
        }
        #expect(decoded.failure == nil, "\(text.debugDescription)")
        let expected = reference.dropFirst().filter { record in
            record.count == 3 || record.count > 3 && record[3...].allSatisfy(\.isEmpty)
        }.map { Array($0.prefix(3)) }
        #expect(decoded.texts == expected, "\(text.debugDescription)")
        #expect(decoded.rejects.count == reference.count - 1 - expected.count, "\(text.debugDescription)")
        // Lines and bytes, by the text itself.
        let bytes = Array(text.utf8)
        for origin in decoded.origins.suffix(20) {
            var (lines, index) = (1, 0)
            while index < origin.byte {
                if bytes[index] == 10 || bytes[index] == 13 && !(index + 1 < bytes.count && bytes[index + 1] == 10) {
                    lines += 1
                }
                index += 1
            }
            #expect(lines == origin.line, "record \(origin.record) of \(text.debugDescription)")
        }
    }

    static let realFiles = [
        "twse/stock_day_all_open_data_2019.csv", "twse/STOCK_DAY_ALL_20230329.csv",
        "twse/stock_day_all_open_data_202412_nothousands_crlf.csv", "govdata/hsinchu_spots_mixed_quoting.csv",
        "aqi/epa_aqx_p_432_20220623.csv", "datagovtw/catalog_taichung_2018_literal_backslash_rn.csv",
        "govdata/taoyuan_consumer_header_linebreaks.csv", "tpex/SQUOTE_EW_1120329.csv",
    ]

    @Test(
        "recorded files, against a second decoder",
        .enabled(if: SharedData.isPresent, .init(rawValue: SharedData.comment)),
        arguments: realFiles)
    func recorded(_ name: String) throws {
        let bytes = try SharedData.bytes(name)
        var text = String(decoding: bytes, as: UTF8.self)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let reference = try #require(ReferenceCSV.records(text))
        let decoded = Decoded.decode(bytes, as: .csv, window: 4096)
        #expect(decoded.texts == Array(reference.dropFirst()))
    }

    @Test(
        "seeded mutation: no trap, no hang, nothing lost, the same at every window",
        .enabled(if: SharedData.isPresent, .init(rawValue: SharedData.comment)), arguments: realFiles)
    func mutation(_ name: String) throws {
        let original = Array(try SharedData.bytes(name).prefix(6000))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            let bytes = Mutation.mutated(original, using: &random)
            let whole = Decoded.decode(bytes, as: .csv)
            let cut = Decoded.decode(bytes, as: .csv, window: Int.random(in: 1...3000, using: &random))
            // An error ends the reading; how many records came before it depends on the window.
            #expect(cut.failure == whole.failure && cut.position == whole.position)
            if whole.failure == nil { #expect(cut == whole) }
        }
    }
}
