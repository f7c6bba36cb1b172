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
