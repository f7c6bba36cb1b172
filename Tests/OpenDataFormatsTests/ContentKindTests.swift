import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

@Suite("What first bytes say")
struct ContentKindTests {
    @Test(
        "Pages are told from other documents by their first element",
        arguments: [
            ("<?xml version='1.0'?>\n<fifowml><head><title>三十六小時天氣預報</title></head></fifowml>", .xml),
            ("<?xml version='1.0'?><table><row/></table>", .xml),
            ("<kml><description>a<br>b</description></kml>", .xml),
            ("<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'>\n<html>", .html),
            ("<?xml version='1.0'?><!-- <x> --><html xmlns='http://www.w3.org/1999/xhtml'>", .html),
            ("<!-- saved from -->\r\n<HTML>", .html), ("<meta charset=big5>", .html), ("<br>error", .html),
            ("<!DOCTYPE kml><kml/>", .xml), ("<title>1</title>", .html), ("<?xml version='1.0'?><title/>", .xml),
            ("<p>no data", .html), ("<", .xml), ("<!", .xml), ("<!--", .xml),
        ] as [(String, ContentKind)])
    func pages(_ text: String, _ kind: ContentKind) { #expect(ContentKind(head: Array(text.utf8)) == kind) }

    @Test(
        "what is no text is recognised by its first bytes, and none of them is shown",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .image), ([0xFF, 0xD8, 0xFF, 0xE0], .image),
            (Array("GIF89a".utf8), .image), ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0x41], .office),
            (Array("PK\u{3}\u{4}a.csv".utf8), .zip), ([0x1F, 0x8B, 0x61], .gzip), (Array("%PDF-1.4".utf8), .pdf),
        ] as [([UInt8], ContentKind)])
    func binary(_ bytes: [UInt8], _ kind: ContentKind) throws {
        #expect(ContentKind(head: bytes) == kind && !kind.isText)
        let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
        let error = try #require(throws: OpenDataError.self) { _ = try FormatFinder.find(in: payload, FormatHints()) }
        #expect(
            error.code == .unexpectedContent && error.message.hasPrefix("records were due and \(kind.rawValue) came"))
        #expect(!error.message.contains("came:"))
    }

    @Test(
        "a hint that says nothing of the payload's kind is refused, not passed over",
        arguments: [
            ("a,b\n1,2\n", "--records", false), ("a,b\n1,2\n", "--nested", false),
            ("[{\"a\":1}]", "--delimiter", false),
            ("[{\"a\":1}]", "--title-rows", false), ("<r><x><a>1</a></x><x/></r>", "--header-rows", false),
            ("[{\"a\":1}]", "--records", true), ("[{\"a\":1}]", "--nested", true),
            ("[[\"a\"],[1]]", "--header-rows", true),
            ("a;b\n1;2\n", "--delimiter", true),
        ])
    func hints(_ text: String, _ flag: String, _ fits: Bool) {
        var hints = FormatHints()
        if flag == "--records" { hints.records = "$" }
        if flag == "--nested" { hints.nested = .columns }
        if flag == "--delimiter" { hints.delimiter = UInt8(ascii: ";") }
        if flag == "--title-rows" { hints.titleRows = 1 }
        if flag == "--header-rows" { hints.headerRows = 1 }
        do throws(OpenDataError) {
            let payload = Payload(response: Response(url: "test:"), body: .bytes(Array(text.utf8)))
            _ = try FormatFinder.find(in: payload, hints)
            #expect(fits)
        } catch { #expect(error.code == .badArgument && error.message.hasPrefix(flag) && !fits, "\(error)") }
    }

    @Test(
        "a search for the format ends when its task does",
        arguments: ["a,b\n1,2\n", "[{\"a\":1}]", "<r><x><a>1</a></x><x><a>2</a></x></r>"])
    func cancelled(_ text: String) async {
        let code = await Task { () -> OpenDataError.Code? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(OpenDataError) {
                _ = try FormatFinder.find(
                    in: Payload(response: Response(url: "test:"), body: .bytes(Array(text.utf8))), FormatHints())
                return nil
            } catch { return error.code }
        }.value
        #expect(code == .cancelled)
    }

    @Test(
        "B155: a payload whose first bytes contradict its format is told",
        arguments: [
            ("<?xml version='1.0'?><a/>", "csv", "CSV was due and XML came"),
            ("<html>", "csv", "CSV was due and an HTML page came"),
            ("PK\u{3}\u{4}", "csv", "CSV was due and a ZIP archive came"), ("[1]", "xml", "XML was due and JSON came"),
            ("a,b", "json", "JSON was due and text came"), ("{\"a\":1}", "csv", "CSV was due and JSON came"),
            ("a,b", "csv", nil), ("[1]", "json", nil), ("<a/>", "xml", nil), ("%PDF", "parquet", nil),
        ] as [(String, String, String?)])
    func contradictions(_ text: String, _ format: String, _ says: String?) {
        #expect(ContentKind(head: Array(text.utf8)).contradiction(of: format) == says)
    }
}
