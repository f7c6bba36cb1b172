import OpenDataCore
import OpenDataFormats
import Testing

@Suite("XML: records found by evidence")
struct XMLFinderTests {
    static func find(_ text: String, records: String? = nil) -> Result<FoundFormat, OpenDataError> {
        let payload = Payload(response: Response(url: "test:"), body: .bytes(Array(text.utf8)))
        var hints = FormatHints()
        hints.records = records
        do throws(OpenDataError) { return .success(try XMLFinder.find(in: payload, hints)) } catch {
            return .failure(error)
        }
    }

    /// A document, and the layout found.
    struct Case: CustomTestStringConvertible {
        let name: String
        let xml: String
        let layout: XMLLayout
        let says: String
        var hint: String?
        var testDescription: String { name }

        static let all: [Case] = [
            Case(
                name: "rows", xml: "<?xml version='1.0'?><t><r><a>1</a></r><r><b>2</b></r></t>",
                layout: XMLLayout(records: ["t/r"], columns: ["a", "b"]), says: "records are at t/r (2)"),
            Case(
                name: "rows deep within, beside single values",
                xml: "<x><head><a>1</a><b/></head><body><rows><r k='1'/><r k='2'/></rows></body></x>",
                layout: XMLLayout(records: ["x/body/rows/r"], columns: ["@k"]), says: "x/body/rows/r (2)"),
            Case(
                name: "a list within some records",
                xml: "<x><r><p><u>1</u></p><p><u>2</u></p></r><r><n>1</n></r><r><n>1</n></r></x>",
                layout: XMLLayout(records: ["x/r"], columns: ["p", "n"]), says: "x/r (3)"),
            Case(
                name: "a list of values within every record", xml: "<x><r><p>1</p><p>2</p></r><r><p>3</p><p/></r></x>",
                layout: XMLLayout(records: ["x/r"], columns: ["p"]), says: "x/r (2)"),
            Case(
                name: "texts", xml: "<x><i>1</i><i>2</i></x>", layout: XMLLayout(records: ["x/i"], columns: ["#text"]),
                says: "x/i (2)"),
            Case(
                name: "names in attributes",
                xml: "<x><r><c1 n='a'>1</c1><c2 n='b'>2</c2></r><r><c1 n='a'>3</c1></r></x>",
                layout: XMLLayout(records: ["x/r"], columns: ["a", "b"], columnNames: "n"),
                says: "'n' names the columns"),
            Case(
                name: "fields by name",
                xml: "<x><row><field name='a'>1</field><field name='b'/></row><row><field name='a'>2</field></row></x>",
                layout: XMLLayout(records: ["x/row"], columns: ["a", "b"], columnNames: "name"), says: "x/row (2)"),
            Case(
                name: "attributes that name nothing",
                xml: "<x><r><a u='C'>1</a><b u='C'>2</b></r><r><a u='C'>1</a></r></x>",
                layout: XMLLayout(records: ["x/r"], columns: ["a", "a.@u", "b", "b.@u"]), says: "x/r (2)"),
            Case(
                name: "a schema before the data",
                xml: "<D><xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element n='1'><xs:e/></xs:element>"
                    + "<xs:element n='2'><xs:e/></xs:element></xs:schema><Table><a>1</a></Table><Table><a>2</a></Table></D>",
                layout: XMLLayout(records: ["D/Table"], columns: ["a"]), says: "D/Table (2)"),
            Case(
                name: "a description of fields beside many records",
                xml: "<x><f id='a'/><f id='b'/>" + String(repeating: "<r><a>1</a></r>", count: 40) + "</x>",
                layout: XMLLayout(records: ["x/r"], columns: ["a"]), says: "x/f (2) beside the records are left out"),
            Case(
                name: "a single record", xml: "<x><y><r><a>1</a><b>2</b></r></y></x>",
                layout: XMLLayout(records: ["x/y/r"], columns: ["a", "b"]), says: "a single record"),
            Case(
                name: "KML without its root",
                xml: "<?xml version='1.0'?>\n<Document><Style id='a'/><Style id='b'/><Folder><Placemark><name>1</name>"
                    + "<ExtendedData><Data name='k'><value>v</value></Data></ExtendedData></Placemark><Folder><Placemark>"
                    + "<gx:Track/></Placemark></Folder></Folder></Document><Style id='c'/>",
                layout: XMLLayout(
                    records: ["Document/Folder/Placemark", "Document/Folder/Folder/Placemark"],
                    columns: ["name", "ExtendedData.k.value", "Track"], columnNames: "name", includesSurroundings: true,
                    isFragment: true),
                says: "the <kml> element around the document is missing"),
            Case(
                name: "a hint", xml: "<x><g><n>k</n><s>1</s><s>2</s></g><g><s>3</s></g></x>",
                layout: XMLLayout(records: ["x/g/s"], columns: ["#text", "g.n"], includesSurroundings: true),
                says: "x/g/s (3)", hint: "x/g/s"),
            Case(
                name: "the end of a path for a hint",
                xml: "<p:x xmlns:p='u'><g><s><a/></s></g><h><p:s><b/></p:s></h><other-s/></p:x>",
                layout: XMLLayout(records: ["x/g/s", "x/h/s"], columns: ["a", "b"]), says: "x/g/s (1) and x/h/s (1)",
                hint: "s"),
            Case(
                name: "several hints", xml: "<x><a><v>1</v></a><b><v>2</v></b></x>",
                layout: XMLLayout(records: ["x/a", "x/b"], columns: ["v"]), says: "x/a (1) and x/b (1)",
                hint: "/x/a,/x/b"),
        ]
    }

    @Test("The layout is found, with all columns, and says what was found", arguments: Case.all)
    func found(_ expected: Case) throws {
        let found = try XMLFinderTests.find(expected.xml, records: expected.hint).get()
        #expect(found.format == .xml(expected.layout))
        #expect(found.findings.contains { $0.contains(expected.says) }, "\(found.findings)")
        let outcome = DocumentOutcome.everywhere(expected.xml, expected.layout)
        #expect(outcome.failure == nil && outcome.columns.allSatisfy { $0 == expected.layout.columns })
    }

    @Test(
        "What the document does not settle is an error that lists the candidates",
        arguments: [
            (
                "<x><l><t><v/></t><t><v/></t></l><l><t><v/></t><t><v/></t></l></x>", nil, .badArgument,
                ["x/l (2)", "x/l/t (4)", "--records"]
            ),
            (
                "<x><a><v/></a><a><v/></a><b><v/></b><b><v/></b></x>", nil, .badArgument,
                ["x/a (2)", "x/b (2)", "--records"]
            ),
            ("<x><a>1</a><b>2</b></x>", nil, .badArgument, ["no element occurs more than once", "x (1)", "--records"]),
            ("<x><a><b>1</b></a><c><d>2</d></c></x>", nil, .badArgument, ["x/a (1)", "x/c (1)"]),
            ("<x/>", nil, .noData, ["nothing is within <x>"]),
            ("<x><records></records></x>", nil, .noData, ["no values"]),
            ("<x><r/><r/></x>", "nothing", .badArgument, ["no elements 'nothing'", "x/r (2)"]),
            ("<x><r/><r/></x>", "/", .badArgument, ["no elements"]),
            ("<!DOCTYPE html><html><body/></html>", nil, .unexpectedContent, ["an HTML page"]),
            ("{\"a\":1}", nil, .unexpectedContent, ["JSON"]), ("a,b\n1,2", nil, .unexpectedContent, ["text"]),
            ("", nil, .emptyBody, []), ("<x><r></x>", nil, .malformed, ["ends '<r>'"]),
            ("<x/><x/>", nil, .malformed, ["second element"]),
            ("<x><g:r/><g:r/></x>", nil, .malformed, ["prefix 'g'"]), ("<x><r/>", nil, .truncated, []),
        ] as [(String, String?, OpenDataError.Code, [String])])
    func refused(_ xml: String, _ hint: String?, _ code: OpenDataError.Code, _ says: [String]) {
        guard case .failure(let error) = XMLFinderTests.find(xml, records: hint) else {
            Issue.record("accepted: \(xml)")
            return
        }
        #expect(error.code == code, "\(error)")
        for text in says { #expect(error.message.contains(text), "\(error)") }
    }

    @Test("The declared encoding is read, and honoured")
    func encoding() throws {
        let big5: [UInt8] = [0xA5, 0x78, 0xA5, 0x5F]
        let bytes =
            Array("<?xml version=\"1.0\" encoding=\"Big5\"?><x><r><a>".utf8) + big5
            + Array("</a></r><r><a/></r></x>".utf8)
        let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
        let found = try XMLFinder.find(in: payload)
        #expect(found.format.encodings == [.cp950] && found.findings.contains { $0.contains("cp950") })
        #expect(Decoded.decode(bytes, as: found.format).texts == [["台北"], [""]])
        var hints = FormatHints()
        hints.encoding = .utf8
        #expect(throws: OpenDataError.self) { try XMLFinder.find(in: payload, hints) }
    }

    @Test(
        "What the first bytes declare",
        arguments: [
            ("<?xml version='1.0' encoding='UTF-8'?>", .utf8), ("<?xml version='1.0'?>", nil),
            ("<t encoding='big5'>", nil),
            ("<?xml version=\"1.0\" encoding = \"GB18030\" ?>", TextEncoding(rawValue: "gb18030")),
            ("<?xml version='1.0' encoding='utf-16'?>", .utf8), ("\u{FEFF}<t/>", .utf8), ("<?xml encoding='", nil),
            ("<?xml encoding", nil), ("", nil),
        ] as [(String, TextEncoding?)])
    func declared(_ head: String, _ encoding: TextEncoding?) {
        #expect(XMLEncoding.declared(in: Array(head.utf8)) == encoding)
    }

    @Test("UTF-16, with and without a byte order mark")
    func wide() throws {
        let units = "<?xml version='1.0' encoding='UTF-16'?><x><r><a>台</a></r><r/></x>".utf16.flatMap {
            [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        for bytes in [[0xFF, 0xFE] + units, units] {
            let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
            let found = try XMLFinder.find(in: payload)
            #expect(Decoded.decode(bytes, as: found.format).records == [[.text("台")], [.absent]])
        }
    }
}
