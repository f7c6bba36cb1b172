import Foundation
import OpenData
import TestSupport
import Testing

/// Texts full of quotes and line breaks, and texts that are not UTF-8: several threads must do what one does.
@Suite struct ParallelCSVTests {
    private let exports = ParallelTests()

    /// Checks one thread against several, at windows of several sizes, and returns what came out.
    @discardableResult
    private func check(_ payload: [UInt8], windows: [Int], _ what: String) async throws -> String {
        let expected = try await exports.export(payload, as: .csv, threads: 1, window: 1 << 20, encoder: "ndjson")
        for window in windows {
            for threads in [1, 2, 5] {
                let other = try await exports.export(
                    payload, as: .csv, threads: threads, window: window, encoder: "ndjson", asStream: threads == 2)
                #expect(other == expected, "\(what), \(threads) threads, window \(window)")
            }
        }
        return expected
    }

    private static let kinds: [(name: String, pieces: [String])] = [
        ("doubled quotes", ["say \"\"hi\"\"", "\"\"\"\"", "word ", "中文", "=\"\"0050\"\"", ","]),
        ("lines in quotes", ["one\n", "\r\n", "two, three\n\n", "\"\"q\"\"\n", "中", "\r", ",\n"]),
        ("records in quotes", ["\n1,2,3\n", "a,\"\"b\"\",c\n", "\nx,\"\"", "\n", "word"]),
        ("everything", ["\"", "\" ", "\"\"", "\n", "\r\n", "\t\\", "中", "word", ",", "\",1,\"", "\"\n\""]),
    ]

    @Test("hostile texts in quotes", arguments: 0..<4, 0..<8) func hostile(_ kind: Int, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed * 4 + UInt64(kind))
        let (name, pieces) = Self.kinds[kind]
        func text() -> String {
            let count = Int.random(in: 0..<10, using: &random) == 0 ? 60 : 6
            return (0..<Int.random(in: 0...count, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }
            .joined()
        }
        var bytes = Array("代號,數量,備註\n".utf8)
        for index in 0..<120 {
            let bare = kind == 3 && Int.random(in: 0..<20, using: &random) == 0 ? "5\" disk" : "c\(index)"
            bytes += Array("\(bare),\(index),\"\(text())\"\(seed % 2 == 0 ? "\n" : "\r\n")".utf8)
        }
        if seed % 4 == 3 { bytes = Mutation.mutated(bytes, using: &random) }
        let windows = [9, 64, 130, 700, 4000].map { $0 + Int.random(in: 0...8, using: &random) }
        try await check(bytes, windows: windows, name)
    }

    @Test("every window size, where a record begins and ends in nearly every window")
    func everyWindow() async throws {
        let text = "代號,數量,備註\n" + ParallelTests.lines(12) { "c\($0),\($0),\"x\n\"\"\($0)\"\"\r\n,y,\n\"\n" }
        let result = try await check(
            Array(text.utf8), windows: Array(1...80) + [150, 200, text.utf8.count], "lines in quotes")
        #expect(result.hasPrefix("12 12 0"))
    }

    @Test("what is not UTF-8 is found at its place", arguments: [false, true], 0..<6)
    func invalid(_ hasMark: Bool, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let lines = [
            "\"中文字\",\"1\",\"plain\"\n", "中文,1,bare\n", "\"a\"\"b\"\"\",2,\"中\n\"\"文\"\"é\"\n",
            "\"ï😀\",\"3\",\"한글\"\r\n",
        ]
        var text = "代號,數量,備註\n"
        for _ in 0..<80 { text += (seed < 4 ? lines[Int(seed)] : lines.randomElement(using: &random)) ?? "" }
        let good = (hasMark ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
        for wrong in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE4, 0xB8], [0], [0xF4, 0x90, 0x80, 0x80]]
            as [[UInt8]]
        {
            // In place of an ASCII letter, so that no other letter becomes wrong before it.
            let places = good.indices.filter { good[$0] < 0x80 && $0 > 30 }
            let place = places.randomElement(using: &random) ?? 40
            var bytes = good
            bytes.replaceSubrange(place...place, with: wrong)
            let result = try await check(bytes, windows: [7, 65, 400, 3000], "\(wrong) at \(place)")
            // A letter that is cut is found by the byte behind it; of a surrogate and what lies past the last letter,
            // the second byte is wrong.
            let offset =
                switch wrong.count {
                case 2 where wrong[0] == 0xE4: 2
                case 3, 4: 1
                default: 0
                }
            #expect(
                result.hasPrefix("invalidText byte \(place + offset)"), "\(wrong) at \(place): \(result.prefix(80))")
        }
        // Cut in the middle of the last letter.
        let cut = good + [0xE4, 0xB8]
        #expect(try await check(cut, windows: [7, 65, 400], "cut").hasPrefix("invalidText byte \(cut.count)"))
    }
}
