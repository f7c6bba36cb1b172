import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct TextTests {
    /// The text that a payload opens to, or the error.
    private func text(
        _ bytes: [UInt8], _ encodings: [TextEncoding] = [.utf8], step: Int = 7
    ) -> Result<String, OpenDataError> {
        do {
            let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
            var source = try TextSource.open(payload, encodings: encodings).source
            var buffer: [UInt8] = []
            while try source.read(step, into: &buffer) > 0 {}
            return .success(String(decoding: buffer, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }

    @Test("every scalar's neighbourhood passes, in pieces of any size", arguments: 1...9)
    func valid(_ step: Int) throws {
        let sample = "a\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{D7FF}\u{E000}\u{10000}\u{10FFFF}中文abcdefghijk資料😀"
        #expect(try text(Array(sample.utf8), step: step).get() == sample)
    }

    @Test(
        "B086, B138, B053: what is not UTF-8 is refused with its offset",
        arguments: [
            ([0x61, 0x80], 1), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x9F, 0xBF], 1), ([0xED, 0xA0, 0x80], 1),
            ([0xF0, 0x8F, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF5], 0), ([0x61, 0xFF], 1),
            ([0xE4, 0xB8], 2),
            ([0x5B, 0x22, 0xA5, 0x78, 0x22, 0x5D], 2), ([0xA5, 0x78, 0xA5, 0x5F, 0x2C, 0x31, 0x0D, 0x0A], 0),
        ] as [([UInt8], Int)])
    func invalid(_ bytes: [UInt8], _ offset: Int) {
        for step in 1...4 {
            #expect(throws: OpenDataError.self) { try text(bytes, step: step).get() }
            if case .failure(let error) = text(bytes, step: step) {
                #expect(error.code == .invalidText && error.position?.byte == offset)
            }
        }
    }

    @Test("B137: a bad byte far behind a clean beginning") func late() {
        let bytes = [UInt8](repeating: 0x61, count: 5000) + [0xE2]
        if case .failure(let error) = text(bytes) {
            #expect(error.position?.byte == 5001)
        } else {
            Issue.record("accepted")
        }
        #expect((try? text([UInt8](repeating: 0x61, count: 2000) + Array("ā".utf8)).get())?.hasSuffix("ā") == true)
    }

    @Test("B135: UTF-16 by its mark; NULs without one are told") func utf16() throws {
        #expect(try text([0xFF, 0xFE, 0x31, 0, 0x2C, 0, 0x2D, 0x4E, 0x0A, 0]).get() == "1,中\n")
        #expect(try text([0xFE, 0xFF, 0, 0x31, 0x4E, 0x2D]).get() == "1中")
        if case .failure(let error) = text([0x31, 0, 0x2C, 0, 0x32, 0, 0x0A, 0]) {
            #expect(error.message.contains("UTF-16"))
        } else {
            Issue.record("accepted")
        }
    }

    @Test("B117, B119: Big5 by the system's converter, in pieces of any size", arguments: 1...5)
    func big5(_ step: Int) throws {
        #expect(try text([0xA5, 0x78, 0xA5, 0x5F, 0x2C, 0x31], [.cp950], step: step).get() == "台北,1")
        // The second byte of 功 is a backslash, that of 育 a vertical bar.
        #expect(try text([0xA5, 0x5C, 0xA8, 0x7C], [.cp950], step: step).get() == "功育")
    }

    @Test("encodings are tried in order over the whole payload") func candidates() throws {
        #expect(try text([0xA5, 0x78], [.utf8, .cp950]).get() == "台")
        #expect(try text(Array("台".utf8), [.utf8, .cp950]).get() == "台")
        if case .failure(let error) = text([0xFF, 0xFF], [.utf8, .cp950]) {
            #expect(error.code == .invalidText && error.message.contains("utf-8, cp950"))
        } else {
            Issue.record("accepted")
        }
        if case .failure(let error) = text([0x61], [TextEncoding(rawValue: "no-such")]) {
            #expect(error.code == .badArgument)
        } else {
            Issue.record("accepted")
        }
        if case .failure(let error) = text([0x61, 0x62, 0xA5], [.cp950]) {
            #expect(error.code == .invalidText && error.position?.byte == 2)
        } else {
            Issue.record("accepted")
        }
    }

    @Test(
        "B004, B155: the first bytes say what a payload is",
        arguments: [
            ("", .blank), (" \r\n", .blank), ("{}", .blank), ("{\"a\":1}", .json), ("\n [1]", .json),
            ("\u{FEFF}{", .json), ("a,b", .text),
            ("<!DOCTYPE html>\n<html lang=\"zh\">", .html), ("<html><body>因為您的連線數過多</body></html>", .html),
            ("<?xml version=\"1.0\"?><a/>", .xml), ("<p style= color:green>x", .xml), ("<head><script>", .html),
            ("%PDF-1.7", .pdf),
            ("PK\u{03}\u{04}x", .zip), ("API金鑰錯誤", .text),
        ] as [(String, ContentKind)])
    func kinds(_ text: String, _ kind: ContentKind) {
        #expect(ContentKind(head: Array(text.utf8)) == kind)
        if kind != .zip, kind != .pdf, !text.hasPrefix("\u{FEFF}") {
            let wide = text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            #expect(ContentKind(head: [0xFF, 0xFE] + wide) == kind)
        }
    }

    @Test("random bytes, against the standard library", arguments: 0..<20)
    func differential(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            Array("abcdefgh".utf8), Array("台積電".utf8), Array("é".utf8), Array("😀".utf8), Array("퟿".utf8),
            Array("가".utf8),
            Array("\u{FFFF}".utf8), Array("\u{0800}".utf8), [0x41], [0x2C, 0x0A],
        ]
        for _ in 0..<200 {
            // No byte order mark at the start: it would be dropped.
            var bytes: [UInt8] = [0x78]
            for _ in 0..<Int.random(in: 1...30, using: &random) { bytes += pieces.randomElement(using: &random) ?? [] }
            if Bool.random(using: &random) {
                bytes[Int.random(in: 1..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
            for step in [1, 5, 64] {
                if case .success(let decoded) = text(bytes, step: step) {
                    #expect(isValid && Array(decoded.utf8) == bytes)
                } else {
                    #expect(!isValid, "\(bytes)")
                }
            }
        }
    }
}
