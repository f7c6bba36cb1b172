import OpenDataCore
import OpenDataFormats
import TestSupport

/// Makes random well-formed documents whose records are at `t/r` or `t/g/r`.
struct XMLGenerator {
    private var random: SeededGenerator
    private let hasPrefixes: Bool

    init(seed: UInt64, hasPrefixes: Bool = true) {
        random = SeededGenerator(seed: seed)
        self.hasPrefixes = hasPrefixes
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func one(of choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    /// A document.
    mutating func document() -> String {
        var text = number(0...1) == 0 ? "" : "<?xml version=\"1.0\" encoding='UTF-8'?>" + gap()
        if number(0...4) == 0 { text += "<!DOCTYPE t>" + gap() }
        text += trivia() + (hasPrefixes ? "<t xmlns:p='http://example.org/p'>" : "<t>")
        for _ in 0..<number(0...6) {
            switch number(0...5) {
            case 0: text += "<m>" + characters() + "</m>"
            case 1: text += "<g k='v'>" + record() + gap() + record() + "</g>"
            default: text += record()
            }
            text += gap() + trivia()
        }
        return text + "</t>" + gap() + trivia()
    }

    private mutating func record() -> String {
        var text = "<r" + attributes() + ">"
        for _ in 0..<number(0...5) { text += gap() + element(3) }
        return text + gap() + "</r" + one(of: ["", " ", "\n"]) + ">"
    }

    private mutating func element(_ depth: Int) -> String {
        let name = one(of: ["a", "b", hasPrefixes ? "p:c" : "c", "測站", "d.e", "f"])
        if number(0...5) == 0 { return "<" + name + attributes() + "/>" }
        var text = "<" + name + attributes() + ">"
        if depth > 0, number(0...2) == 0 {
            for _ in 0..<number(1...4) { text += gap() + element(depth - 1) + gap() }
        } else {
            text += characters()
        }
        return text + "</" + name + ">"
    }

    private mutating func attributes() -> String {
        guard number(0...2) == 0 else { return one(of: ["", "", " "]) }
        var text = ""
        for name in ["u", "v", hasPrefixes ? "p:w" : "w"] where number(0...1) == 0 {
            let quote = one(of: ["\"", "'"])
            text += one(of: [" ", "\n", "  "]) + name + one(of: ["=", " = "]) + quote
            for _ in 0..<number(0...3) {
                text += one(of: ["x", "台", "&amp;", "&#65;", " ", "\n", "\t", "\r\n", ">", "&quot;"])
            }
            text += quote
        }
        return text
    }

    private mutating func characters() -> String {
        var text = ""
        for _ in 0..<number(0...4) {
            text += one(of: [
                "x", "1,234", "台灣", "&amp;", "&lt;b&gt;", "&#x9F8D;", "\r\n", "\r", "\n", " ", "\"\\", "]]", "😀", "𠮷",
                "<![CDATA[<i>&]]>", "<![CDATA[]]>", "<!-- no -->", "<?p x?>", "１",
            ])
        }
        return text
    }

    private mutating func gap() -> String { one(of: ["", "", " ", "\n", "\r\n", "\t"]) }

    private mutating func trivia() -> String { one(of: ["", "", "", "<!-- <r/> & -->", "<?x y?>"]) }

    /// The bytes with one to three edits, as an interrupted or mistaken writer would make them.
    mutating func breaking(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let pieces = [
            "<", ">", "/", "&", ";", "=", "\"", "'", "<a>", "</a>", "<r>", "</r>", "]]>", "--", "<!", "<?", "?>", "&#",
            "x", " ", "\u{1}", "\u{FFFF}",
        ]
        for _ in 0..<number(1...3) where !bytes.isEmpty {
            let index = number(0...(bytes.count - 1))
            let end = min(bytes.count, index + number(1...12))
            switch number(0...5) {
            case 0: bytes.removeSubrange(index..<end)
            case 1: bytes.removeSubrange(index...)
            case 2: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
            case 3: bytes[index] = UInt8(number(1...255))
            case 4: bytes.swapAt(index, number(0...(bytes.count - 1)))
            default: bytes.insert(contentsOf: one(of: pieces).utf8, at: index)
            }
        }
        return bytes
    }
}
