import OpenDataCore
import OpenDataFormats
import Testing

@Suite("XML: what is refused")
struct XMLGrammarTests {
    /// A broken document, what is said of it, and the byte at which.
    struct Case: CustomTestStringConvertible {
        let xml: String
        let code: OpenDataError.Code
        let says: String
        let byte: Int?
        var testDescription: String { String(xml.prefix(60)) }

        init(_ xml: String, _ says: String, _ byte: Int?, _ code: OpenDataError.Code = .malformed) {
            (self.xml, self.says, self.byte, self.code) = (xml, says, byte, code)
        }

        static let all: [Case] = [
            // B148: tags that do not match.
            Case("<a><b>x</a>", "'</a>' ends '<b>'", 7), Case("<t></T>", "'</T>' ends '<t>'", 3),
            Case("<t></t></t>", "no element is open", 7), Case("</t>", "no element is open", 0),
            Case("<t/><t/>", "second element at the top", 4),
            Case("<t/>x", "expected the end of the document, found 'x'", 4),
            Case("x<t/>", "expected the root element, found 'x'", 0),
            Case("<t/><![CDATA[x]]>", "expected '<!--', found '['", 6),
            Case("<t/>&#32;", "expected the end of the document", 4),
            // Ends too early.
            Case("<t><r>", "before its root element does", 6, .truncated),
            Case("<t>", "before its root element does", 3, .truncated),
            Case("<t><r/><r>1</r>", "in the middle of a record", 15, .truncated),
            Case("<t><r/><g><r/></g>", "before its root element does", 18, .truncated),
            Case("<t><r/><!-- -->", "before its root element does", 15, .truncated),
            Case("<t><r/>\n", "before its root element does", 8, .truncated),
            Case("<t", "before its root element does", 2, .truncated),
            Case("<!-- x", "before its root element does", 6, .truncated),
            Case("<t><r><![CDATA[x]]</r></t>", "in the middle of a record", 26, .truncated),
            Case("<t><r a='1></r></t>", "'<' stands in the value", 11),
            Case("<?xml version='1.0'?>", "before its root element does", 21, .truncated),
            Case(" \n", "nothing but white space", nil, .emptyBody), Case("", "nothing", nil, .emptyBody),
            // Names.
            Case("<1/>", "the name of an element", 1), Case("< t/>", "found a space", 1), Case("<-t/>", "found '-'", 1),
            Case("<t><r/>< /t>", "found a space", 8), Case("<t a·='1'·/>", "expected white space", 10),
            Case("<a:b:c/>", "two colons", 4), Case("<a:/>", "found '/'", 3), Case("<:a/>", "found ':'", 1),
            Case("<a:1/>", "found '1'", 3), Case("<×/>", "found '×'", 1), Case("<a×/>", "expected white space", 2),
            Case("<p:t/>", "prefix 'p' is not declared", 1), Case("<t p:a='1'/>", "prefix 'p' is not declared", 3),
            Case("<t><r xmlns:p='u'/><p:r/></t>", "prefix 'p' is not declared", 20),
            Case("<t xmlns:p=''/>", "declared as nothing", 9), Case("<t xmlns:xmlns='u'/>", "cannot be declared", 9),
            // Attributes.
            Case("<t a='1' a='2'/>", "attribute 'a' twice", 9), Case("<t a=1/>", "in quotes", 5),
            Case("<t a/>", "'=' behind", 4),
            Case("<t a='1'b='2'/>", "white space, '/>' or '>'", 8), Case("<t a='<'/>", "'<' stands in the value", 6),
            Case("<t a='&'/>", "name of an entity", 7), Case("<t / >", "'>' behind '/'", 4),
            Case("<t></t a='1'>", "'>' of an end tag", 7),
            // Characters and references.
            Case("<t>\u{1}</t>", "control character 0x1", 3), Case("<t>\u{FFFE}</t>", "U+FFFE", 3),
            Case("<t a='\u{FFFF}'/>", "U+FFFF", 6),
            Case("<t>]]></t>", "']]>' stands in text", 3), Case("<t>a & b</t>", "found a space", 6),
            Case("<t>&nbsp;</t>", "'&nbsp;' is none of XML's own", 3), Case("<t>&amp</t>", "';' behind", 7),
            Case("<t>&#0;</t>", "number of a character", 3), Case("<t>&#xD800;</t>", "number of a character", 3),
            Case("<t>&#x110000;</t>", "number of a character", 3),
            Case("<t>&#99999999999999999999;</t>", "number of a character", 3),
            Case("<t>&#;</t>", "a digit", 5), Case("<t>&#x;</t>", "a digit", 6), Case("<t>&#X41;</t>", "a digit", 5),
            Case("<t>&#a;</t>", "a digit", 5),
            // Comments, instructions, declarations.
            Case("<t><!-- a -- b --></t>", "'--' stands in a comment", 10),
            Case("<!-- a ---><t/>", "'--' stands in a comment", 7),
            Case("<t><!x></t>", "expected '<!--'", 5),
            Case("<t><?xml version='1.0'?></t>", "elsewhere than at the start", 3),
            Case(" <?xml version='1.0'?><t/>", "elsewhere than at the start", 1),
            Case("<t><?XmL?></t>", "elsewhere", 3),
            Case("<?xml version='2.0'?><t/>", "version is not 1.0", 15),
            Case("<?xml encoding='x'?><t/>", "expected 'version'", 6),
            Case("<?xml version='1.0'encoding='x'?><t/>", "expected '?>'", 19),
            Case("<?xml version='1.0' standalone='x'?><t/>", "neither yes nor no", 32),
            Case("<?xml version='1.0' encoding=''?><t/>", "has no name", 30), Case("<?p:x?><t/>", "has a colon", 3),
            Case("<?xml version='1.0' encoding='UTF 8'?><t/>", "no name that one can have", 30),
            // B152: document types.
            Case("<!DOCTYPE a [<!ENTITY x \"v\">]><a>&x;</a>", "declares an entity", 13),
            Case("<!DOCTYPE a [<!ENTITY % x \"v\"> %x;]><a/>", "declares an entity", 13),
            Case("<!DOCTYPE a [ %x; ]><a/>", "refers to an entity", 14),
            Case("<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", "value of attributes", 13),
            Case("<!DOCTYPE a [<!X a>]><a/>", "'X'", 13),
            Case("<!DOCTYPE a SYSTEM 'x'><!DOCTYPE a><a/>", "elsewhere than before", 23),
            Case("<a/><!DOCTYPE a>", "elsewhere than before", 4),
            Case("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a>&x;</a>", "none of XML's own", 43),
            Case("<!doctype a><a/>", "expected '<!--'", 2),
        ]

    }

    @Test("B148, B152: each broken document is refused, with the place, at every window size", arguments: Case.all)
    func refused(_ broken: Case) {
        let outcome = DocumentOutcome.everywhere(broken.xml, XMLLayout(records: ["t/r", "a"]))
        #expect(outcome.failure == broken.code, "\(outcome)")
        #expect(outcome.message.contains(broken.says), "\(outcome.message)")
        if let byte = broken.byte { #expect(outcome.position?.byte == byte, "\(outcome)") }
    }

    @Test("B150: a byte that is not UTF-8 in a name is an error")
    func invalidByte() {
        let outcome = DocumentOutcome.decode(
            Array("<r><b".utf8) + [0xFE] + Array("/></r>".utf8), XMLLayout(records: ["r/b"]))
        #expect(outcome.failure == .invalidText && outcome.position?.byte == 5)
    }

    @Test("What stands before the fault is handed on, with the line and column of the fault")
    func position() {
        let outcome = DocumentOutcome.everywhere(
            "<t>\r\n<r><a>1</a></r>\n  <r><a>台&x;</a></r></t>", XMLLayout(records: ["t/r"]))
        #expect(outcome.lines == ["a=1"] && outcome.failure == .malformed)
        #expect(outcome.position == Position(record: 2, line: 3, column: 12, byte: 32))
    }

    @Test("512 levels are read, 513 are refused")
    func depth() {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(DocumentOutcome.decode(nested(512).utf8, XMLLayout(records: ["a/a"])).failure == nil)
        #expect(DocumentOutcome.decode(nested(513).utf8, XMLLayout(records: ["a/a"])).failure == .tooLarge)
        let list = "<a><a><b/><b>" + nested(509) + "</b></a></a>"
        #expect(DocumentOutcome.decode(list.utf8, XMLLayout(records: ["a/a"])).failure == nil)
    }

    @Test("Records that are not where the layout says")
    func missing() {
        let outcome = DocumentOutcome.everywhere("<t><row/><x><y/></x></t>", XMLLayout(records: ["t/rows/r"]))
        #expect(outcome.failure == .schemaChanged && outcome.message.contains("t, t/row, t/x, t/x/y"))
        #expect(DocumentOutcome.decode("<t/>".utf8, XMLLayout(records: [])).failure == .badArgument)
    }
}
