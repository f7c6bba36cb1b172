import Foundation
import OpenDataCore
import OpenDataFormats
import TestSupport
import Testing

@Suite("XML: against the system's parser")
struct XMLDifferentialTests {
    private static let layout = XMLLayout(records: ["t/r", "t/g/r"])

    @Test("Random documents give the same records", arguments: 0..<20)
    func records(_ seed: UInt64) throws {
        var generator = XMLGenerator(seed: seed)
        for _ in 0..<60 {
            let document = generator.document()
            let root = try #require(XMLReference.root(of: Array(document.utf8)), "\(document)")
            let outcome = DocumentOutcome.decode(document.utf8, XMLDifferentialTests.layout)
            let cut = DocumentOutcome.decode(
                document.utf8, XMLDifferentialTests.layout, window: generator.number(1...90))
            #expect(outcome == cut)
            #expect(outcome.failure == nil || outcome.failure == .schemaChanged, "\(outcome.message) \(document)")
            let rows = zip(outcome.columns, outcome.records).map { columns, values in
                Dictionary(
                    uniqueKeysWithValues: zip(columns, values).filter { $0.1 != .absent }.map { ($0, $1.description) })
            }
            #expect(rows == XMLReference.records(of: root), "\(document)")
        }
    }

    @Test(
        "Broken documents are refused where they are there, decode alike at two window sizes, and never trap",
        arguments: 0..<20)
    func broken(_ seed: UInt64) {
        var generator = XMLGenerator(seed: seed + 1000, hasPrefixes: seed % 4 == 0)
        var codes: Set<String> = []
        var checked = 0
        for _ in 0..<150 {
            let bytes = generator.breaking(Array(generator.document().utf8))
            let whole = DocumentOutcome.decode(bytes, XMLDifferentialTests.layout)
            let cut = DocumentOutcome.decode(bytes, XMLDifferentialTests.layout, window: generator.number(1...90))
            codes.insert(whole.failure?.rawValue ?? "none")
            guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                // The text is checked as it is read, so that a larger window finds the fault before more is decoded.
                #expect(whole.failure != nil && cut.failure != nil)
                continue
            }
            #expect(whole == cut)
            // (Of the others some end the process within the system's parser.)
            guard whole.failure == nil || whole.failure == .schemaChanged else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            // What it makes of addresses of namespaces and of names of encodings is not alike on all systems.
            let isAlike = !text.contains("encoding") || text.contains("encoding='UTF-8'")
            if !isAlike || text.contains("<!D")
                || text.contains("xmlns") && !text.contains("xmlns:p='http://example.org/p'")
            {
                continue
            }
            #expect(XMLReference.root(of: bytes) != nil, "\(text)")
            checked += 1
        }
        #expect(checked > 0)
        #expect(codes.isSuperset(of: ["none", "malformed", "truncated"]))
    }

    @Test("The finder neither traps nor hangs on broken documents, and what it finds decodes", arguments: 0..<8)
    func finder(_ seed: UInt64) {
        var generator = XMLGenerator(seed: seed + 5000)
        for _ in 0..<100 {
            let bytes = generator.breaking(Array(generator.document().utf8))
            let payload = Payload(response: Response(url: "test:"), body: .bytes(bytes))
            guard let found = try? XMLFinder.find(in: payload) else { continue }
            #expect(Decoded.decode(bytes, as: found.format).failure == nil)
        }
    }

    @Test("Memory stays flat over a long document")
    func memory() throws {
        struct Endless: ByteSource {
            var rows = 80_000
            var isOpen = false
            mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
                let piece =
                    rows == 80_000
                    ? "<t>" : rows > 0 ? "<r><a>台積電</a><b x='1'>2</b><b>3</b></r>\n" : rows == 0 ? "</t>" : ""
                rows -= 1
                buffer += Array(piece.utf8)
                return piece.utf8.count
            }
        }
        // The process is shared with tests that need memory of their own: one quiet moment of a few has to do.
        var least = Int.max
        for _ in 0..<5 where least >= 16 << 20 {
            var reader = RecordReader(
                Endless(), decoder: XMLRecordDecoder(XMLDifferentialTests.layout), windowSize: 1 << 16)
            var count = 0
            var early = 0
            while let batch = try reader.next() {
                count += batch.count
                if count < 10_000 { early = try Memory.resident() }
            }
            #expect(count == 79_999)
            least = min(least, try Memory.resident() - early)
        }
        if Memory.isMeasurable { #expect(least < 16 << 20) }
    }
}
