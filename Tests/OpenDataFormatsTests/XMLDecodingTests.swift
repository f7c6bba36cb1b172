import OpenDataCore
import OpenDataFormats
import Testing

@Suite("XML: what records become")
struct XMLDecodingTests {
    /// A document whose records are at `t/r`, and what each is.
    struct Case: CustomTestStringConvertible {
        let name: String
        let xml: String
        let lines: [String]
        var layout = XMLLayout(records: ["t/r"])
        var testDescription: String { name }

        static let all: [Case] = [
            Case(name: "leaves", xml: "<t><r><a>1</a><b>x y</b></r></t>", lines: ["a=1; b=x y"]),
            Case(
                name: "attributes behind elements", xml: "<t><r n='1'><a u=\"C\">2</a></r></t>",
                lines: ["a=2; a.@u=C; @n=1"]),
            Case(
                name: "nothing but attributes", xml: "<t><r a='1' b='2'/><r a='3'></r></t>",
                lines: ["@a=1; @b=2", "@a=3"]),
            Case(name: "nested", xml: "<t><r><n><z>1</z><e>2</e></n><x>3</x></r></t>", lines: ["n.z=1; n.e=2; x=3"]),
            Case(
                name: "attributes of what is nested",
                xml: "<t><r><n i='7'><z>1</z></n><x>3</x></r></t>", lines: ["n.z=1; n.@i=7; x=3"]),
            Case(
                name: "nested as JSON", xml: "<t><r><n i='7'><z>1</z><e/></n><x u='k'>3</x></r></t>",
                lines: [#"n={"z":"1","e":"","@i":"7"}; x=3; x.@u=k"#],
                layout: XMLLayout(records: ["t/r"], nested: .json)),
            Case(name: "a list", xml: "<t><r><a>1</a><a>2</a><b/></r></t>", lines: [#"a=["1","2"]; b="#]),
            Case(
                name: "a list with others between",
                xml: "<t><r><a>1</a><b>x</b><a>2</a><c>y</c><b>z</b><a>3</a></r></t>",
                lines: [#"a=["1","2","3"]; b=["x","z"]; c=y"#]),
            Case(
                name: "a list of objects",
                xml: "<t><r><a><k>1</k><k>2</k><m v='w'/></a><a>t</a><a q='1'>\"\\\n</a></r></t>",
                lines: [##"a=[{"k":["1","2"],"m":{"@v":"w"}},"t",{"#text":"\"\\\n","@q":"1"}]"##]),
            Case(
                name: "lists within lists", xml: "<t><r><a><b><c>1</c></b><b><c>2</c><c>3</c></b></a><a/></r></t>",
                lines: [#"a=[{"b":[{"c":"1"},{"c":["2","3"]}]},""]"#]),
            Case(
                name: "a list behind a nested element, then more",
                xml: "<t><r><n><k/><k/></n><n2><l>5</l></n2><z>9</z></r></t>",
                lines: [#"n.k=["",""]; n2.l=5; z=9"#]),
            Case(
                name: "B059: empty and missing", xml: "<t><r><a/><b>1</b></r><r><b></b></r></t>",
                lines: ["a=; b=1", "b="]),
            Case(
                name: "null",
                xml:
                    "<t xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><r><a i:nil='true'/><b i:nil='false'>1</b></r></t>",
                lines: ["a null; b=1"]),
            Case(
                name: "null in JSON",
                xml:
                    "<t xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><r><a xsi:nil='1'/><a xsi:type='x'>1</a></r></t>",
                lines: [#"a=[null,"1"]"#]),
            Case(
                name: "B152: references", xml: "<t><r><a>A&amp;B&lt;&#x9F8D;&#65;&apos;</a></r></t>",
                lines: ["a=A&B<龍A'"]),
            Case(
                name: "B147: CDATA",
                xml: "<t><r><a><![CDATA[甲<b>]]></a><b>x<![CDATA[]]]]><![CDATA[>&amp;]]></b></r></t>",
                lines: ["a=甲<b>; b=x]]>&amp;"]),
            Case(
                name: "comments and instructions", xml: "<t><!-- <r> --><r><a>1<!--2-->3<?p q?>4</a><?x?></r></t>",
                lines: ["a=134"]),
            Case(
                name: "line ends", xml: "<t><r><a>1\r\n2\r3\n4</a><b v='1\r\n2\t3'/></r></t>",
                lines: ["a=1\n2\n3\n4; b.@v=1 2 3"]),
            Case(
                name: "written line ends stay", xml: "<t><r><a>&#13;&#10;</a><b v='&#10;x'/></r></t>",
                lines: ["a=\r\n; b.@v=\nx"]),
            Case(
                name: "white space as published", xml: "<t>\n <r>\n  <a> 1 </a>\n  <b> </b></r></t>",
                lines: ["a= 1 ; b= "]),
            Case(
                name: "text and elements mixed", xml: "<t><r><a>x <b c='1'>y</b> &amp; z</a></r></t>",
                lines: ["a=x <b c='1'>y</b> &amp; z"]),
            Case(
                name: "text of the record", xml: "<t><r>one</r><r/><r>t<a>1</a>u</r></t>",
                lines: ["#text=one", "#text=", "#text=tu; a=1"]),
            Case(
                name: "prefixes",
                xml: "<p:t xmlns:p='u' xmlns='v'><p:r><p:a q='1' p:w='2'>1</p:a></p:r><r><a>2</a></r></p:t>",
                lines: ["a=1; a.@q=1; a.@w=2", "a=2"]),
            Case(
                name: "attributes of one local name", xml: "<t xmlns:p='u'><r><a w='1' p:w='2'>3</a></r></t>",
                lines: ["a=3; a.@w=1; a.@p:w=2"]),
            Case(name: "space in tags", xml: "<t ><r\n><sender >x</sender ></r ></t >", lines: ["sender=x"]),
            Case(
                name: "paths that look alike", xml: "<t><r><a.b>1</a.b><a><b>2</b></a></r></t>",
                lines: ["a.b=1; a.b_2=2"]),
            Case(
                name: "columns named by an attribute",
                xml:
                    "<t><r><C name='月份'>1</C><C name='a&amp;b' x='2'>3</C><D>4</D></r><r><E name='月份'>5</E><E name='月份'>6</E></r></t>",
                lines: ["月份=1; a&b=3; a&b.@x=2; D=4", #"月份=["5","6"]"#],
                layout: XMLLayout(records: ["t/r"], columnNames: "name")),
            Case(
                name: "the values around",
                xml: "<t v='0'><x>9</x><g k='1'><n>a</n><n>b&amp;c</n><e/><s><q>no</q></s><r><a>1</a></r><r n='2'/></g>"
                    + "<g><h z='3'><r/><m>m</m><r/></h><r/></g></t>",
                lines: [
                    "a=1; g.@k=1; g.n=a\nb&c; g.e=", "g.@k=1; g.n=a\nb&c; g.e=; @n=2", "g.h.@z=3", "g.h.@z=3; g.h.m=m",
                    "",
                ], layout: XMLLayout(records: ["t/g/r", "t/g/h/r"], includesSurroundings: true)),
            Case(
                name: "columns known beforehand", xml: "<t><r><a>1</a></r><r><c>2</c><b>3</b></r></t>",
                lines: ["a=1", "b=3; c=2"], layout: XMLLayout(records: ["t/r"], columns: ["b", "a"])),
            Case(
                name: "records at several depths",
                xml: "<t><f><r><a>1</a></r><f><r><a>2</a></r></f></f><r><a>3</a></r></t>",
                lines: ["a=1", "a=2", "a=3"], layout: XMLLayout(records: ["t/f/r", "t/f/f/r", "t/r"])),
            Case(
                name: "the root is the record", xml: "<?xml version='1.0'?><t><r>1</r></t>\n<!-- -->", lines: ["r=1"],
                layout: XMLLayout(records: ["t"])),
            Case(name: "no records", xml: "<t><x/></t>", lines: []),
            Case(
                name: "a fragment", xml: "<s/><t><r><g:a>1</g:a></r></t><t><r xsi:nil='true'/></t>",
                lines: ["a=1", ""],
                layout: XMLLayout(records: ["t/r"], isFragment: true)),
            Case(
                name: "a plain document type",
                xml:
                    "<!DOCTYPE t PUBLIC \"-//x\" 'http://127.0.0.1/x.dtd' [<!ELEMENT t (r)*> <!-- > --> <!ATTLIST r a CDATA #IMPLIED><?p?>] ><t><r><a>1</a></r></t>",
                lines: ["a=1"]),
            Case(name: "names beyond ASCII", xml: "<t><r><測站·1 名稱='x'>甲</測站·1></r></t>", lines: ["測站·1=甲; 測站·1.@名稱=x"]),
        ]
    }

    @Test("Each document gives its records at every window size", arguments: Case.all)
    func records(_ expected: Case) {
        let outcome = DocumentOutcome.everywhere(expected.xml, expected.layout)
        #expect(outcome.failure == nil, "\(outcome.message)")
        #expect(outcome.lines == expected.lines)
    }

    @Test("Columns join as they occur, and no earlier record has them")
    func growth() {
        let outcome = DocumentOutcome.everywhere(
            "<t><r><a>1</a></r><r><b>2</b></r><r><a>3</a></r></t>", XMLLayout(records: ["t/r"]))
        #expect(outcome.columns == [["a"], ["a", "b"], ["a", "b"]])
        #expect(outcome.records[2] == [.text("3"), .absent])
    }

    @Test("Where records begin")
    func origins() {
        let outcome = DocumentOutcome.everywhere(
            "<t>\r\n<r/>\r<r>\n</r><r/>\n\n  <r/></t>", XMLLayout(records: ["t/r"]))
        #expect(outcome.origins.map(\.line) == [2, 3, 4, 6])
        #expect(outcome.origins.map(\.byte) == [5, 10, 18, 26])
        #expect(outcome.origins.map(\.record) == [1, 2, 3, 4])
    }

    @Test("What is around the records")
    func members() {
        let outcome = DocumentOutcome.everywhere(
            "<t version='1' xmlns='u'><head><time >2026</time><n>a</n><n>b&amp;c</n><deep><x>1</x></deep></head><empty/>"
                + "<data kind='k'><r><a>1</a></r></data><stat><![CDATA[OK]]></stat></t>",
            XMLLayout(records: ["t/data/r"]))
        #expect(
            outcome.members == [
                "@version": "1", "head.time": "2026", "head.n": "a\nb&c", "head.deep.x": "1", "empty": "",
                "data.@kind": "k", "stat": "OK",
            ])
        let sentence = DocumentOutcome.everywhere("<error>no data</error>", XMLLayout(records: ["t/r"]))
        #expect(sentence.members == ["error": "no data"] && sentence.failure == .schemaChanged)
    }

    @Test("B149: a document of a megabyte, and a text of one")
    func large() {
        let small = "<t>" + String(repeating: "<r><a>台積電</a><b>2,510.00</b></r>\n", count: 30_000) + "</t>"
        let outcome = DocumentOutcome.decode(small.utf8, XMLLayout(records: ["t/r"]))
        #expect(outcome.failure == nil && outcome.records.count == 30_000)
        #expect(outcome.records.last == [.text("台積電"), .text("2,510.00")])
        let text = String(repeating: "字&amp;\n", count: 200_000)
        let single = DocumentOutcome.decode(
            "<t><r><a>\(text)</a></r></t>".utf8, XMLLayout(records: ["t/r"]), window: 1000)
        #expect(single.records == [[.text(String(repeating: "字&\n", count: 200_000))]])
    }

    @Test("A record of more than 16 MiB is refused")
    func tooLarge() {
        let long = "<t><r><a>" + String(repeating: "x", count: 17 << 20) + "</a></r></t>"
        #expect(DocumentOutcome.decode(long.utf8, XMLLayout(records: ["t/r"])).failure == .tooLarge)
    }

    @Test("More columns than there may be are refused, and as many as there may be are not")
    func manyColumns() {
        func document(_ count: Int) -> String {
            "<t><r>" + (0..<count).map { "<c\($0)/>" }.joined() + "</r></t>"
        }
        #expect(DocumentOutcome.decode(document(2048).utf8, XMLLayout(records: ["t/r"])).header.count == 2048)
        #expect(DocumentOutcome.decode(document(2049).utf8, XMLLayout(records: ["t/r"])).failure == .tooLarge)
    }
}
