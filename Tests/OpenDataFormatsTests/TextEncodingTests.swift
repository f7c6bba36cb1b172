import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct TextEncodingTests {
    private func payload(_ bytes: [UInt8]) -> Payload {
        Payload(response: Response(url: "test:"), body: .bytes(bytes))
    }

    /// The text that bytes open to, read a few at a time from a source that hands out few at a time.
    private func text(
        _ bytes: [UInt8], _ encoding: TextEncoding, step: Int = 7, invalid: TextSource.InvalidText = .refused
    ) throws(OpenDataError) -> (text: String, tally: TextTally) {
        let tally = TextTally()
        let slow = SlowSource(bytes: ByteArraySource(bytes), step: step)
        var source: any ByteSource = UTF8Source(
            try ConvertedSource(slow, from: encoding, replaces: invalid == .replaced, tally: tally))
        var buffer: [UInt8] = []
        while try source.read(step, into: &buffer) > 0 {}
        return (String(decoding: buffer, as: UTF8.self), tally)
    }

    private struct SlowSource: ByteSource {
        var bytes: ByteArraySource
        let step: Int
        mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
            bytes.read(min(count, step), into: &buffer)
        }
    }

    @Test("names of encodings are made one")
    func names() {
        #expect(TextEncoding(rawValue: "UTF8") == .utf8 && TextEncoding(rawValue: "UTF-16LE") == .utf16le)
        #expect(TextEncoding(rawValue: "MS950") == .cp950 && TextEncoding(rawValue: "BIG5HKSCS") == .big5hkscs)
        #expect(TextEncoding.undescribed == [.utf8, .cp950])
    }

    @Test(
        "B119: user-defined letters at the ends of their ranges, as on Windows",
        arguments: [
            (0xFA40, 0xE000), (0xFEFE, 0xE310), (0x8E40, 0xE311), (0xA0FE, 0xEEB7), (0x8140, 0xEEB8), (0x8DFE, 0xF6B0),
            (0xC6A1, 0xF6B1), (0xC6FE, 0xF70E), (0xC740, 0xF70F), (0xC8FE, 0xF848), (0x8862, 0xF325), (0x95CD, 0xE7C7),
        ] as [(Int, UInt32)])
    func userDefined(_ bytes: Int, _ scalar: UInt32) throws {
        let read = try text([UInt8(bytes >> 8), UInt8(bytes & 255), 0x2C], .cp950)
        #expect(Array(read.text.unicodeScalars.map(\.value)) == [scalar, 0x2C])
        #expect(read.tally.userDefinedCount == 1)
    }

    @Test("every pair of bytes: user-defined ranges count up without a gap, all others are the system's converter's")
    func allPairs() throws {
        var next: [String: UInt32] = ["a": 0xE000, "b": 0xE311, "c": 0xEEB8, "d": 0xF6B1]
        let system = try SystemConverter(from: .cp950)
        for lead in 0x81...0xFE as ClosedRange<UInt8> {
            for trail in 0x00...0xFF as ClosedRange<UInt8> {
                let isTrail = 0x40...0x7E ~= trail || 0xA1...0xFE ~= trail
                let range =
                    switch lead {
                    case 0xFA...0xFE: "a"
                    case 0x8E...0xA0: "b"
                    case 0x81...0x8D: "c"
                    case 0xC7...0xC8: "d"
                    case 0xC6 where trail >= 0xA1: "d"
                    default: ""
                    }
                let read = try? text([lead, trail], .cp950)
                if isTrail, !range.isEmpty {
                    #expect(read?.text.unicodeScalars.map(\.value) == [next[range] ?? 0])
                    next[range]? += 1
                } else {
                    var expected: [UInt8] = []
                    let conversion = system.convert([lead, trail], from: 0, into: &expected)
                    let isLetter = conversion.consumed == 2 && isTrail
                    #expect(read?.text == (isLetter ? String(decoding: expected, as: UTF8.self) : nil))
                    #expect(read.map { $0.tally.userDefinedCount } ?? 0 == 0)
                }
            }
        }
        #expect(next == ["a": 0xE311, "b": 0xEEB8, "c": 0xF6B1, "d": 0xF849])
    }

    @Test("code page 950, UTF-16 and the system's encodings, cut at every place", arguments: 1...11)
    func everySplit(_ step: Int) throws {
        let big5: [UInt8] = [
            0x22, 0xA5, 0x78, 0xA5, 0x5F, 0x22, 0x2C, 0xA5, 0x5C, 0x7C, 0xA8, 0x7C, 0x95, 0xCD, 0x0D, 0x0A, 0x61, 0x62,
            0x63, 0x64,
            0x65, 0x66, 0x67, 0x68, 0x69, 0xA3, 0xE1, 0xA2, 0x46,
        ]
        #expect(try text(big5, .cp950, step: step).text == "\"台北\",功|育\u{E7C7}\r\nabcdefghi€￠")
        let sample = "a,中文\r\n\u{7FF}\u{800}\u{FFFD}😀\u{10FFFF}x"
        let little = sample.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = sample.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(try text(little, .utf16le, step: step).text == sample)
        #expect(try text(big, .utf16be, step: step).text == sample)
        // 88 62 is two scalars, the second of which comes only once the next letter is known.
        #expect(try text([0x61, 0x88, 0x62, 0x2C, 0x88, 0x62], .big5hkscs, step: step).text == "aÊ̄,Ê̄")
        #expect(try text([0xE9, 0x2C, 0x80], TextEncoding(rawValue: "windows-1252"), step: step).text == "é,€")
        // Letters of four bytes, of which GBK has none.
        let gb18030: [UInt8] = [0xD6, 0xD0, 0x2C, 0x81, 0x39, 0xEE, 0x39, 0x95, 0x32, 0x90, 0x31]
        #expect(try text(gb18030, TextEncoding(rawValue: "gb18030"), step: step).text == "中,㐀\u{20087}")
        #expect(try text(Array(sample.utf8), .utf8, step: step, invalid: .replaced).text == sample)
    }

    @Test(
        "B138: what is no letter is an error with its offset, or replaced and counted",
        arguments: [
            (.cp950, [0x61, 0xA5, 0x2C, 0x62], 1, "a\u{FFFD},b"), (.cp950, [0x61, 0x62, 0xA5], 2, "ab\u{FFFD}"),
            (.cp950, [0xA5, 0x78, 0xFF, 0x61], 2, "台\u{FFFD}a"), (.cp950, [0x80, 0x61], 0, "\u{FFFD}a"),
            (.cp950, [0x61, 0x00, 0x62], 1, "a\u{FFFD}b"), (.cp950, [0xA5, 0x90, 0x61], 0, "\u{FFFD}a"),
            (.cp950, [0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x00], 7, "1234567\u{FFFD}"),
            (.utf16le, [0x61, 0, 0x3D, 0xD8, 0x62, 0], 2, "a\u{FFFD}b"),
            (.utf16le, [0x61, 0, 0x00, 0xDE], 2, "a\u{FFFD}"),
            (.utf16le, [0x61, 0, 0x3D, 0xD8], 2, "a\u{FFFD}"), (.utf16be, [0, 0x61, 0x62], 2, "a\u{FFFD}"),
            (.utf16le, [0x61, 0, 0, 0], 2, "a\u{FFFD}"),
            (TextEncoding(rawValue: "windows-1252"), [0x61, 0x81, 0x62], 1, "a\u{FFFD}b"),
            (.utf8, [0x61, 0xE4, 0xB8, 0x62], 1, "a\u{FFFD}b"),
            (.utf8, [0xF0, 0x9F, 0x98, 0xFF, 0x61], 0, "\u{FFFD}\u{FFFD}a"),
            (.utf8, [0x61, 0xE4, 0xB8], 1, "a\u{FFFD}"), (.utf8, [0xC0, 0x80], 0, "\u{FFFD}\u{FFFD}"),
            (.utf8, [0x61, 0x00], 1, "a\u{FFFD}"), (.utf8, [0xED, 0xA0, 0x80], 0, "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ] as [(TextEncoding, [UInt8], Int, String)])
    func invalid(_ encoding: TextEncoding, _ bytes: [UInt8], _ offset: Int, _ replaced: String) throws {
        for step in 1...6 {
            do throws(OpenDataError) {
                _ = try text(bytes, encoding, step: step)
                Issue.record("accepted")
            } catch {
                #expect(error.code == .invalidText && error.position?.byte == offset)
            }
            let read = try text(bytes, encoding, step: step, invalid: .replaced)
            #expect(read.text == replaced)
            #expect(read.tally.replacedCount == replaced.unicodeScalars.filter { $0 == "\u{FFFD}" }.count)
            #expect(read.tally.firstReplacedByte == offset)
        }
    }

    @Test("replacement only where no encoding fits, by the one that needs the least of it") func leastReplaced() throws
    {
        func open(_ bytes: [UInt8]) throws -> (TextSource.Opened, String) {
            let opened = try TextSource.open(payload(bytes), encodings: TextEncoding.undescribed, invalid: .replaced)
            var (source, buffer) = (opened.source, [UInt8]())
            while try source.read(5, into: &buffer) > 0 {}
            return (opened, String(decoding: buffer, as: UTF8.self))
        }
        let (utf8, first) = try open(Array("空氣品質指標".utf8) + [0xFF] + Array("台北".utf8))
        #expect(utf8.encoding == .utf8 && first == "空氣品質指標\u{FFFD}台北" && utf8.tally.firstReplacedByte == 18)
        let (cp950, second) = try open([0xA5, 0x78, 0xA5, 0x5F, 0xFF, 0x2C])
        #expect(cp950.encoding == .cp950 && second == "台北\u{FFFD}," && cp950.tally.replacedCount == 1)
        let (clean, third) = try open([0xA5, 0x78])
        #expect(clean.encoding == .cp950 && third == "台" && clean.tally.replacedCount == 0)
    }

    @Test("B062, B096, B135: byte order marks decide, and are told") func marks() throws {
        let cases: [([UInt8], TextEncoding, String)] = [
            ([0xEF, 0xBB, 0xBF, 0x61], .utf8, "a"), ([0xFF, 0xFE, 0x61, 0], .utf16le, "a"),
            ([0xFE, 0xFF, 0, 0x61], .utf16be, "a"), ([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], .utf8, "\u{FEFF}"),
        ]
        for (bytes, encoding, expected) in cases {
            let opened = try TextSource.open(payload(bytes), encodings: [.cp950])
            var (source, buffer) = (opened.source, [UInt8]())
            while try source.read(1, into: &buffer) > 0 {}
            #expect(opened.encoding == encoding && opened.hasByteOrderMark)
            #expect(String(decoding: buffer, as: UTF8.self) == expected)
        }
        // Behind a mark, offsets are still those of the payload.
        do throws(OpenDataError) {
            try TextSource.readThrough(try TextSource.open(payload([0xFF, 0xFE, 0x61, 0, 0, 0xDC]), encodings: []))
            Issue.record("accepted")
        } catch {
            #expect(error.position?.byte == 4)
        }
    }

    @Test("an encoding's name is a name and nothing else") func injection() {
        for name in ["cp950//IGNORE", "utf-8//TRANSLIT", "", "no-such", "a\0b"] {
            #expect(throws: OpenDataError.self) { try SystemConverter(from: TextEncoding(rawValue: name)) }
        }
    }

    // MARK: Evidence

    private static let chinese = "資料集名稱,提供機關,更新頻率\n空氣品質指標,環境部,每小時\n自來水水質,台水公司,每月\n".unicodeScalars

    /// The text in Big5, by the converter's own table backwards.
    private func big5(_ text: String) throws -> [UInt8] {
        var table: [UInt32: [UInt8]] = [:]
        for lead in 0xA4...0xC5 as ClosedRange<UInt8> {
            for trail in 0x40...0xFE as ClosedRange<UInt8> {
                if let scalar = try? self.text([lead, trail], .cp950).text.unicodeScalars.first {
                    table[scalar.value] = table[scalar.value] ?? [lead, trail]
                }
            }
        }
        return text.unicodeScalars.flatMap { $0.isASCII ? [UInt8($0.value)] : table[$0.value] ?? [0x3F] }
    }

    @Test("B053, B135, B137: the encoding found by evidence") func evidence() throws {
        let text = String(String.UnicodeScalarView(TextEncodingTests.chinese))
        let big5 = try big5(text)
        #expect(try EncodingFinder.find(in: payload(Array(text.utf8))) == .init(encoding: .utf8, findings: []))
        #expect(try EncodingFinder.find(in: payload([])).encoding == .utf8)
        let found = try EncodingFinder.find(in: payload(big5))
        #expect(found.encoding == .cp950 && found.findings == ["the text is in cp950 (Big5)"])
        let defined = try EncodingFinder.find(in: payload(big5 + [0x95, 0xCD]))
        #expect(defined.findings.last == "1 letter is user-defined in cp950, and kept so in the private use area")
        let little = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(try EncodingFinder.find(in: payload(little)).encoding == .utf16le)
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        #expect(try EncodingFinder.find(in: payload(big)).encoding == .utf16be)
        #expect(try EncodingFinder.find(in: payload([0xFF, 0xFE, 0x31, 0])).encoding == .utf16le)
        let late = [UInt8](repeating: 0x61, count: 70000) + Array("ā".utf8)
        #expect(try EncodingFinder.find(in: payload(late)).encoding == .utf8)
    }

    @Test(
        "B138: text of another family is not taken for Big5",
        arguments: [
            // GB2312 and EUC-KR, whose second bytes are A1 and above; Latin-1; a bad byte in UTF-8; NULs without order.
            [UInt8](repeating: 0xB0, count: 60).enumerated().map {
                $0.offset & 1 == 0 ? 0xB0 : 0xA1 + UInt8($0.offset)
            },
            Array("caf".utf8) + [0xE9, 0x2C, 0x31], Array("台北".utf8) + [0xFF], [0x61, 0, 0, 0x61, 0xFF, 0, 0, 0x61],
            // One NUL in ASCII.
            Array("a,b\n1,\u{0}2\n".utf8),
        ])
    func refusal(_ bytes: [UInt8]) {
        #expect(throws: OpenDataError.self) { try EncodingFinder.find(in: payload(bytes)) }
        if case .failure(let error) = Result(catching: { () throws(OpenDataError) in
            try EncodingFinder.find(in: payload(bytes))
        }) {
            #expect(error.code == .invalidText && error.message.contains("--encoding"))
        }
    }
}
