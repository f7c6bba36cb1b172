import OpenDataCore
import OpenDataFormats
import Testing

/// What RFC 8259 allows and what it does not, one small document each, as a value within a record and as an element.
@Suite("JSON: grammar")
struct JSONGrammarTests {
    private static let valid: [(text: String, value: Value)] = [
        ("0", .number("0")), ("-0", .number("-0")), ("10", .number("10")), ("-1.5", .number("-1.5")),
        ("0.0", .number("0.0")), ("1e5", .number("1e5")), ("1E+05", .number("1E+05")), ("0e-0", .number("0e-0")),
        ("123456789012345678901234567890", .number("123456789012345678901234567890")), ("1.0E999", .number("1.0E999")),
        ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
        (#""""#, .text("")), (#""a""#, .text("a")), (#""中文""#, .text("中文")), ("\"\u{7F}\"", .text("\u{7F}")),
        ("\"\u{2028}\"", .text("\u{2028}")), ("\"\u{1F600}\"", .text("\u{1F600}")),
        (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u4E2D""#, .text("A\u{e9}中")),
        (#""\ud83d\ude00x""#, .text("\u{1F600}x")), (#""\uD800\uDC00""#, .text("\u{10000}")),
        (#""\uDBFF\uDFFF""#, .text("\u{10FFFF}")), (#""\u0000""#, .text("\0")), (#""\uFFFF""#, .text("\u{FFFF}")),
        (#""12345678\"12345678""#, .text("12345678\"12345678")), (#""\\\\""#, .text(#"\\"#)),
        (#""a\\""#, .text(#"a\"#)), ("[]", .json("[]")), ("{}", .json("{}")), ("[ ]", .json("[]")),
        ("{\n}", .json("{}")),
        ("[1 , [ 2 ] ]", .json("[1,[2]]")), (#"{ "a b" : " c " , "d" : [ ] }"#, .json(#"{"a b":" c ","d":[]}"#)),
        (#"[ "\" ]" , "\\" , 1 ]"#, .json(#"["\" ]","\\",1]"#)),
        (#"[null,true,false,-1.5e3,""]"#, .json(#"[null,true,false,-1.5e3,""]"#)),
    ]

    @Test("Valid values", arguments: valid)
    func accepted(text: String, value: Value) {
        let within = DocumentOutcome.everywhere(#"[{"a":\#(text),"b":"z"},{"a": \#(text) }]"#)
        #expect(within.failure == nil)
        #expect(within.records == [[value, .text("z")], [value, .absent]])
        let inRow = DocumentOutcome.everywhere(#"{"fields":["a"],"data":[[\#(text)],[ \#(text) ]]}"#, .table)
        #expect(inRow.records == [[value], [value]])
        let element = DocumentOutcome.everywhere("[\(text),\n\(text)]")
        #expect(element.failure == nil)
        #expect(element.records.count + element.rejects.count == 2)
        let beside = DocumentOutcome.everywhere(#"{"a":\#(text),"data":[]}"#, JSONLayout(records: ["data"]))
        #expect(beside.failure == nil)
    }

    private static let invalid = [
        "", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_000", "1,5.", "--1", "1.2.3", "NaN",
        "nan",
        "Infinity", "-Infinity", "True", "TRUE", "tru", "truee", "nul", "nulll", "fals", "undefined", "１",
        "'a'", "a", "\"a", "a\"", #""\""#, #""\a""#, #""\x41""#, #""\u12""#, #""\u12G4""#, #""\U0041""#, #""\uD800""#,
        #""\uDC05""#, #""\uD83Cx""#, #""\uD83C\n""#, #""\uD83C\u0041""#, #""\uD83C\uD83C""#, #""\uDE00\uD83D""#,
        "\"a\nb\"", "\"a\tb\"", "\"a\rb\"", "\"\u{1}\"", "\"12345678\u{1F}\"", "\"a\"\"b\"", "\"a\" \"b\"",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1;2]", "[1}", "[[]", "[]]",
        "{", "}", "{a:1}", "{'a':1}", "{1:1}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#,
        #"{"a"=1}"#, #"{"a":1 "b":2}"#, #"{"a":1;"b":2}"#, #"{"a":1]"#, #"{"a":1"#, #"{"a":"#, #"{"a""#, #"{"a"#,
        #"{"a":1,,"b":2}"#, #"{"a"::1}"#, #"{null:1}"#, "/* c */1", "1 // c", "1#", "\u{FEFF}1", "\u{A0}1", "\u{B}1",
        "@", "<",
    ]

    @Test("Invalid values are refused with their place", arguments: invalid)
    func refused(text: String) throws {
        let documents: [(String, JSONLayout)] = [
            (#"[{"a":\#(text)}]"#, JSONLayout()), ("[\(text) ,1]", JSONLayout()),
            (#"[{"k":[ \#(text) ]}]"#, JSONLayout()),
            (#"{"fields":["a"],"data":[[\#(text)]]}"#, .table),
            (#"{"a":\#(text),"data":[]}"#, JSONLayout(records: ["data"])),
        ]
        for (document, layout) in documents where !JSONReference.isDocument(document) {
            let outcome = DocumentOutcome.everywhere(document, layout)
            #expect(outcome.failure == .malformed || outcome.failure == .truncated, "\(document)")
            let position = try #require(outcome.position)
            #expect((0...document.utf8.count).contains(position.byte ?? -1))
            #expect(outcome.message.contains(outcome.failure == .malformed ? "expected" : "ends in the middle"))
        }
        #expect(documents.contains { !JSONReference.isDocument($0.0) })
    }

    @Test("The place and the wording of errors")
    func places() {
        let outcome = DocumentOutcome.everywhere("[{\"a\":1},\r\n {\"中\":2,\r  \"b\":x}]")
        #expect(outcome.failure == .malformed)
        #expect(outcome.position == Position(record: 2, line: 3, column: 7, byte: 28))
        #expect(outcome.message == "not JSON: expected a value, found 'x'")
        #expect(outcome.records.count == 1)
        let letter = DocumentOutcome.everywhere("[1,2臺]")
        #expect(letter.message == "not JSON: expected ',' or ']', found '臺'")
        let lineFeed = DocumentOutcome.everywhere("[\"a\n\"]")
        #expect(lineFeed.message.hasSuffix("found a line feed"))
        #expect(lineFeed.position == Position(record: 1, line: 1, column: 4, byte: 3))
    }

    @Test("Text after the document", arguments: ["[1]]", "[1] x", "[1][2]", "[] 1", "[1],"])
    func textAfter(text: String) {
        let outcome = DocumentOutcome.everywhere(text)
        #expect(outcome.failure == .malformed)
        #expect(outcome.message.contains("the end of the document"))
        let envelope = DocumentOutcome.everywhere(#"{"data":[]}"# + text.dropFirst(3), JSONLayout(records: ["data"]))
        #expect(envelope.failure == .malformed)
    }

    @Test("A document cut off anywhere is an error, and what is whole before the cut is the same")
    func cut() {
        let text = #"{"stat":"OK","data":[{"a":"\u4e2d","b":[1]},{"a":1.5,"b":null},{"a":true}],"notes":["x"]}"#
        let layout = JSONLayout(records: ["data"])
        let whole = DocumentOutcome.everywhere(text, layout)
        #expect(whole.failure == nil)
        for count in 1..<text.utf8.count {
            let outcome = DocumentOutcome.everywhere(
                String(decoding: Array(text.utf8)[..<count], as: UTF8.self), layout)
            #expect(outcome.failure == .truncated)
            #expect(outcome.position?.byte == count)
            #expect(whole.records.starts(with: outcome.records))
        }
    }
}
