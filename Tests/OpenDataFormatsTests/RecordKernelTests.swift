@testable import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// The kernels of delimited text: what they take must be what the scanner takes.
@Suite struct RecordKernelTests {
    /// A record as one of the two reads it.
    struct Scanned: Equatable, CustomStringConvertible {
        var start: Int
        var line: Int
        var cells: [[UInt8]]
        var quoted: [Bool]
        var description: String { "\(start), line \(line): \(cells.map { String(decoding: $0, as: UTF8.self) })" }
    }

    /// What a kernel took.
    struct Taken {
        var records: [Scanned] = []
        var end = 0
        var isUTF8 = true
    }

    /// The records up to `end`; fewer where something there is no record of `width` cells.
    static func scanned(_ bytes: [UInt8], to end: Int, delimiter: UInt8, width: Int) -> [Scanned] {
        var records: [Scanned] = []
        var (start, line) = (0, 0)
        while start < end {
            var bytes = bytes
            var cells: [Cell] = []
            var scanner = CSVScanner(delimiter: delimiter, isLast: false)
            let outcome = Self.scan(&scanner, bytes[...], from: start, into: &cells)
            guard outcome == .record, cells.count == width else { return records }
            CSVScanner.unescape(&cells, from: 0, in: &bytes)
            records.append(
                Scanned(
                    start: start, line: line, cells: cells.map { Array(bytes[$0.range]) }, quoted: cells.map(\.isQuoted)
                ))
            line += scanner.lineBreaks
            start = scanner.end
        }
        return start == end ? records : []
    }

    // The slice goes with the call, so that the bytes have one owner again.
    private static func scan(
        _ scanner: inout CSVScanner, _ bytes: ArraySlice<UInt8>, from start: Int, into cells: inout [Cell]
    ) -> CSVScanner.Outcome {
        scanner.scanRecord(of: bytes.span, from: start, into: &cells)
    }

    static func quotedRecords(_ bytes: [UInt8], delimiter: UInt8, width: Int, room: Int = 4096) -> Taken {
        var taken = Taken()
        var starts = [UInt32](repeating: 0, count: room)
        let cells = unsafe [Cell](unsafeUninitializedCapacity: room) { cells, count in
            unsafe starts.withUnsafeMutableBufferPointer { starts in
                unsafe bytes.withUnsafeBytes { window in
                    let progress = unsafe QuotedRecordsKernel.scan(
                        window, from: 0, delimiter: delimiter, width: width, into: cells, starts)
                    (taken.end, taken.isUTF8, count) = (progress.end, progress.isUTF8, progress.records * width)
                }
            }
        }
        for record in 0..<(cells.count / width) {
            let own = cells[(record * width)..<((record + 1) * width)]
            taken.records.append(
                Scanned(
                    start: Int(starts[record]), line: record, cells: own.map { Array(bytes[$0.range]) },
                    quoted: own.map(\.isQuoted)))
            checkPlain(own, in: bytes)
        }
        return taken
    }

    static func mixedRecords(_ bytes: [UInt8], delimiter: UInt8, width: Int, most: Int = 4096) -> Taken {
        var room = MixedRecordsKernel.Room(cells: most, width: width)
        var bytes = bytes
        let progress = unsafe bytes.withUnsafeBytes { window in
            unsafe MixedRecordsKernel.scan(
                window, from: 0, delimiter: delimiter, width: width, most: most, into: &room)
        }
        let (count, behind) = (progress.records * width, Array(bytes[progress.end...]))
        unsafe bytes.withUnsafeMutableBytes { unsafe MixedRecordsKernel.undoubleQuotes(of: count, in: $0, &room) }
        #expect(bytes[progress.end...] == behind[...], "bytes that were not taken have changed")
        var taken = Taken(end: progress.end, isUTF8: progress.isUTF8)
        for record in 0..<progress.records {
            let own = room.cells[(record * width)..<((record + 1) * width)]
            taken.records.append(
                Scanned(
                    start: Int(room.starts[record].offset), line: Int(room.starts[record].line),
                    cells: own.map { Array(bytes[$0.range]) }, quoted: own.map(\.isQuoted)))
            #expect(own.allSatisfy { !$0.isEscaped })
            checkPlain(own, in: bytes)
        }
        return taken
    }

    private static func checkPlain(_ cells: ArraySlice<Cell>, in bytes: [UInt8]) {
        for cell in cells where cell.isPlain {
            let isPlain = bytes[cell.range].allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
            #expect(isPlain, "'\(String(decoding: bytes[cell.range], as: UTF8.self))' is called plain")
        }
    }

    /// Checks what a kernel took, and returns how many records that was.
    private func check(_ taken: Taken, of bytes: [UInt8], delimiter: UInt8, width: Int, _ what: String) -> Int {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        #expect(
            taken.records == Self.scanned(bytes, to: taken.end, delimiter: delimiter, width: width), "\(what): \(text)")
        if taken.isUTF8 {
            var validator = UTF8Validator()
            let front = bytes[..<taken.end]
            let bad = validator.firstInvalid(in: front.span)
            #expect(bad == nil && validator.isComplete, "\(what) calls this UTF-8: \(text)")
        }
        return taken.records.count
    }

    private func check(_ bytes: [UInt8], delimiter: UInt8, width: Int, room: Int) -> (quoted: Int, mixed: Int) {
        let quoted = Self.quotedRecords(bytes, delimiter: delimiter, width: width, room: room)
        let mixed = Self.mixedRecords(bytes, delimiter: delimiter, width: width, most: room)
        return (
            check(quoted, of: bytes, delimiter: delimiter, width: width, "quoted"),
            check(mixed, of: bytes, delimiter: delimiter, width: width, "mixed")
        )
    }

    /// Letters of every length, and bytes that are none.
    static let letters: [[UInt8]] =
        ["a", "b0", "中", "文字", "é", "ï", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "한글", "😀", "\u{10FFFF}", "　"]
        .map { Array($0.utf8) }
    static let wrongLetters: [[UInt8]] = [
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE4, 0xB8], [0x80], [0xFF],
        [0xC3], [0xF0, 0x9F, 0x98], [0xE4, 0xB8, 0xAD, 0xAD], [0],
    ]

    private static func text(_ random: inout SeededGenerator, _ pieces: [[UInt8]]) -> [UInt8] {
        let count = Int.random(in: 0..<8, using: &random) == 0 ? 60 : 8
        return (0..<Int.random(in: 0...count, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? []
        }
    }

    @Test("wrapped cells, with something odd now and then", arguments: 0..<60)
    func wrapped(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let delimiter = seed % 4 == 3 ? UInt8(ascii: ";") : UInt8(ascii: ",")
        let odd = [
            ",", "\"", "\"\"", "\n", "\r\n", "\r", "\\", "\t", "\u{7}", "\",\"", "\n\"", "=\"", "\" ", "\",,\"",
            "\"\n\"",
        ].map { Array($0.utf8) }
        var taken = (quoted: 0, mixed: 0)
        for round in 0..<40 {
            let width = Int.random(in: 1...6, using: &random)
            var bytes: [UInt8] = []
            let end = [["\n"], ["\r\n"], ["\n", "\r\n"]][Int(seed % 3)]
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let width = Int.random(in: 0..<200, using: &random) == 0 ? width + 1 : width
                for column in 0..<width {
                    if column > 0 { bytes.append(delimiter) }
                    bytes.append(0x22)
                    switch Int.random(in: 0..<200, using: &random) {
                    case 1...20: break
                    case 0: bytes.append(delimiter)
                    default: bytes += Self.text(&random, Self.letters)
                    }
                    if round % 2 == 1, Int.random(in: 0..<100, using: &random) == 0 {
                        bytes += odd.randomElement(using: &random) ?? []
                    }
                    if round % 4 == 2, Int.random(in: 0..<60, using: &random) == 0 {
                        bytes += Self.wrongLetters.randomElement(using: &random) ?? []
                    }
                    bytes.append(0x22)
                }
                bytes += Array((end.randomElement(using: &random) ?? "\n").utf8)
            }
            if round % 4 == 3 { bytes = Mutation.mutated(bytes, using: &random) }
            let count = check(bytes, delimiter: delimiter, width: width, room: [4096, 4096, 200][round % 3])
            taken = (taken.quoted + count.quoted, taken.mixed + count.mixed)
        }
        #expect(taken.quoted > 100 && taken.mixed > 100, "the kernels have taken next to nothing")
    }

    @Test("cells of every kind, with doubled quotes and line breaks in them", arguments: 0..<60)
    func mixed(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let delimiter = [",", "\t", ";", " ", "|"].map { UInt8(ascii: $0) }[Int(seed % 5)]
        let inner =
            Self.letters
            + [
                "\"\"", "\"\"\"\"", "\n", "\r\n", "\r", ",", ";", "\t", "\\", " ", "say \"\"hi\"\" now",
                "=\"\"0050\"\"",
            ].map {
                Array($0.utf8)
            }
        let rare = ["\"", "\" ", "\u{1}", "\"x", "=\"", "\n\n", "\n\r\n", "\r"].map { Array($0.utf8) }
        var taken = 0
        for round in 0..<40 {
            let width = Int.random(in: 1...5, using: &random)
            var bytes: [UInt8] = []
            let ends = [["\n"], ["\r\n"], ["\n", "\r\n"]][Int(seed % 3)]
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                for column in 0..<width {
                    if column > 0 { bytes.append(delimiter) }
                    if Bool.random(using: &random) {
                        bytes += [0x22] + Self.text(&random, inner) + [0x22]
                    } else {
                        let text = Self.text(&random, Self.letters + [Array("\\".utf8)])
                        // A line without a byte is no record.
                        bytes += text.isEmpty && width == 1 ? [0x78] : text
                    }
                    if round % 2 == 1, Int.random(in: 0..<120, using: &random) == 0 {
                        bytes += rare.randomElement(using: &random) ?? []
                    }
                    if round % 4 == 2, Int.random(in: 0..<60, using: &random) == 0 {
                        bytes += Self.wrongLetters.randomElement(using: &random) ?? []
                    }
                }
                bytes += Array((ends.randomElement(using: &random) ?? "\n").utf8)
            }
            if round % 4 == 3 { bytes = Mutation.mutated(bytes, using: &random) }
            taken += check(bytes, delimiter: delimiter, width: width, room: [4096, 4096, 200][round % 3]).mixed
        }
        #expect(taken > 200, "the kernel has taken next to nothing")
    }

    @Test("every text of a few bytes, in front of records and at every place of a block")
    func short() {
        let bytes: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D, 0x61]
        var texts: [[UInt8]] = [[]]
        for _ in 0..<5 { texts = texts.flatMap { text in bytes.map { text + [$0] } } }
        for (number, text) in texts.enumerated() {
            let before = Array(String(repeating: "q", count: number * 7 % 67).utf8)
            let head = number % 2 == 0 ? [0x22] + before + [0x22, 0x2C] : before + [0x2C]
            let body = Array(String(repeating: "\"abc\",\"d\"\ne,\"f\"\n", count: 6).utf8)
            _ = check(head + text + [0x0A] + body, delimiter: 0x2C, width: 2, room: 4096)
            _ = check(body + text + body, delimiter: 0x2C, width: 2, room: 4096)
        }
    }

    @Test("clean records are taken, all that end a block before the end")
    func clean() {
        let line = "\"第一\",\"x \"\"y\"\" z\",3,\"a\nb\"\r\n"
        let bytes = Array(String(repeating: line, count: 100).utf8)
        let taken = Self.mixedRecords(bytes, delimiter: 0x2C, width: 4)
        #expect(bytes.count - taken.end < 64 + line.utf8.count && taken.isUTF8)
        #expect(taken.records.last?.cells == ["第一", "x \"y\" z", "3", "a\nb"].map { Array($0.utf8) })
        #expect(taken.records.last?.line == (taken.records.count - 1) * 2)
        let plain = Array(String(repeating: "\"第一\",\"\",\"3\"\r\n", count: 100).utf8)
        let quoted = Self.quotedRecords(plain, delimiter: 0x2C, width: 3)
        #expect(plain.count - quoted.end < 128 && quoted.isUTF8)
    }

    @Test("texts with doubled quotes of every length", arguments: [0, 1, 2, 3, 15, 16, 17, 64, 4090, 4096, 4097, 9000])
    func doubled(_ length: Int) {
        for quotes in [[0], [length], [length / 2], [0, 0, length], Array(0...min(length, 40))] {
            var cell = Array(String(repeating: "x", count: length).utf8)
            for place in quotes.sorted(by: >) { cell.insert(contentsOf: [0x22, 0x22], at: min(place, cell.count)) }
            let record = [0x22] + cell + [0x22, 0x2C] + Array("\"z\"\"\",y\n".utf8)
            let bytes = record + record + Array(String(repeating: "a,b,c\n", count: 30).utf8)
            let taken = Self.mixedRecords(bytes, delimiter: 0x2C, width: 3)
            #expect(taken.records.count >= 2)
            _ = check(taken, of: bytes, delimiter: 0x2C, width: 3, "mixed")
        }
    }

    @Test("the number of quotes, at every length and place")
    func parity() {
        for count in [0, 1, 15, 63, 64, 65, 127, 128, 200, 300] {
            for place in 0..<count {
                var bytes = [UInt8](repeating: 0x61, count: count)
                bytes[place] = 0x22
                #expect(unsafe bytes.withUnsafeBytes { unsafe QuoteParity.isOdd($0) })
                bytes[(place + count / 2 + 1) % count] = 0x22
                let quotes = bytes.count { $0 == 0x22 }
                #expect(unsafe bytes.withUnsafeBytes { unsafe QuoteParity.isOdd($0) } == (quotes % 2 == 1))
            }
        }
    }
}
