import OpenDataCore
import OpenDataFormats
import Testing

/// What a transcriber writes of a value must be what conforming and encoding it comes to.
@Suite struct TranscriberTests {
    /// The record of a single cell as the transcriber writes it, `nil` if it does not, and as it is written in steps.
    private func written(_ cell: String, _ field: Field) throws -> (at: String?, steps: String?) {
        let columns = Columns(["c"])
        var conformer = Conformer([field])
        try conformer.check(columns)
        var encoder = JSONRecordEncoder(.lines)
        var steps: [UInt8] = []
        encoder.begin([field], into: &steps)
        let layout = try #require(encoder.layout)
        var transcriber = try #require(conformer.transcriber(of: columns, layout))
        let bytes = Array("\"\(cell)\"\n".utf8)
        var records = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: 1000) { output, count in
            unsafe bytes.withUnsafeBytes { window in
                let progress = unsafe transcriber.write(
                    window, from: 0, delimiter: UInt8(ascii: ","), into: UnsafeMutableRawBufferPointer(output))
                (records, count) = (progress.records - progress.left.count, progress.written)
                // A quote behind a comma of its own cell is not for the transcriber at all.
                let isTaken = !cell.hasSuffix(",")
                #expect(progress.end == (isTaken ? bytes.count : 0) && progress.cells.count == progress.left.count)
            }
        }
        var batch = RecordBatch(bytes: bytes, columns: columns)
        batch.cells = [Cell(.text, offset: 1, length: cell.utf8.count, quoted: true, plain: true)]
        batch.origins = [RecordOrigin(record: 1, line: 1, byte: 0)]
        let conformed = try conformer.conform(batch)
        encoder.write(conformed, into: &steps)
        return (
            records == 1 ? String(decoding: output, as: UTF8.self) : nil,
            conformed.count == 1 ? String(decoding: steps, as: UTF8.self) : nil
        )
    }

    private func check(_ cell: String, _ field: Field) throws {
        let (at, steps) = try written(cell, field)
        #expect(at == steps, "'\(cell)' as \(field.type)")
    }

    @Test("every short text as a number and as a whole one", arguments: [false, true])
    func shortNumbers(_ isWhole: Bool) throws {
        let field = isWhole ? Field.integer("c") : .number("c")
        var texts = [""]
        for _ in 0..<5 {
            texts = [""] + texts.flatMap { text in ["0", "7", "-", ".", ","].map { text + $0 } }
            for text in texts { try check(text, field) }
        }
    }

    @Test("numbers about as long as a block", arguments: 12...20) func longNumbers(_ length: Int) throws {
        let digits = String(repeating: "1234567890", count: 2).prefix(length)
        for place in 0...length {
            for sign in ["", "-", "+"] {
                try check("\(sign)\(digits.prefix(place)).\(digits.dropFirst(place))", .number("c"))
                try check("\(sign)\(digits.prefix(place))x\(digits.dropFirst(place))", .number("c"))
                try check("\(sign)\(digits.prefix(place)),\(digits.dropFirst(place))", .integer("c"))
            }
        }
        try check(String(digits), .integer("c"))
    }

    @Test("texts of every length, with white space at their ends", arguments: ["", " ", "　", "\u{A0}", "\u{80}", "、"])
    func texts(_ edge: String) throws {
        for length in 0..<70 {
            let inside = String(repeating: "x", count: length)
            for text in [edge + inside, inside + edge, edge + inside + edge] {
                try check(text, .text("c"))
                try check(text, .text("c", missing: []))
                try check(text, .text("c", missing: ["", "xx"]))
                try check(text, .text("c", required: true))
                try check(text, Field("c", sourceNames: [], type: .any))
            }
        }
    }

    @Test("days, times, and what is none") func days() throws {
        for text in [
            "1150708", "115/07/08", "2026-07-08", "2026-07-08 ", "民國115年07月08日", "115.7.8", "", "-", "1159999", "x",
            "2026-07-08T13:00:00+08:00", "115/07/08 13:00",
        ] {
            try check(text, .date("c"))
            try check(text, .date("c", required: true))
            try check(text, .dateTime("c"))
            try check(text, .boolean("c"))
        }
        try check("true", .boolean("c"))
    }
}
