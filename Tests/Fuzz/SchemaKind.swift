import OpenData
import OpenDataCore
import OpenDataFormats
import TestSupport

/// A connector with the sample that it carries, or one made up that has fields of every type.
struct SampleSource: Sendable {
    var source: any DataSource
    var bytes: [UInt8]
    var arguments: Arguments
    var formats: [Format]

    /// The first request that the arguments make.
    func request() throws(OpenDataError) -> Request {
        if let request = try source.requests(arguments).first { return request }
        return try source.request(arguments)
    }

    static let all: [SampleSource] = {
        let connectors = Registry.standard.all.compactMap { source in
            source.sample.map { sample in
                SampleSource(
                    source: source, bytes: Array(sample.bytes.prefix(1200)), arguments: sample.arguments,
                    formats: source.formats(sample.arguments))
            }
        }
        let made = EveryType()
        return connectors
            + EveryType.seeds.map { SampleSource(source: made, bytes: $0.bytes, arguments: [:], formats: $0.formats) }
    }()
}

/// A data source with fields of every type.
struct EveryType: DataSource {
    let dataset = Dataset(
        id: "fuzz.every_type", title: "各型", english: "Every type", publisher: "示例", licence: .ogdl1,
        page: "https://example.tw/",
        schema: [
            .text("code", "代號", required: true), .date("day", "日期", marks: [Mark("＊")]),
            .number("price", "價格", marks: [Mark("X", keepsValue: true), Mark("#", keepsValue: false)]),
            .integer("count", "數量", missing: ["", "-", "無"]), .boolean("open", "開放", optionalColumn: true),
            .dateTime("at", "時間", optionalColumn: true), .text("note", "備註", missing: [], optionalColumn: true),
            Field("rest", sourceNames: ["其他"], type: .any, optionalColumn: true),
        ])
    let format = Format.csv

    func request(_ arguments: Arguments) throws(OpenDataError) -> Request { try Request("https://example.tw/data.csv") }

    static let seeds = [
        FuzzSeed(
            "代號,日期,價格,數量,開放,時間,備註,其他\n0050,115/07/08,\"1,198.10\",\"12,345\",,2026-07-08 09:30,,a\n"
                + "0056,2026-07-09＊,X0.00,-,,115/07/08 09:30:15,\"b \"\"c\"\"\",1\n００５８,1150710,#5,無,,,x,\n", .csv),
        FuzzSeed(
            #"[{"代號":"0050","日期":"2026-07-08","價格":198.10,"數量":5,"開放":true,"時間":"2026-07-08T09:30:00+08:00","備註":"\ud83d\ude00","其他":{"a":[1]}},{"代號":"x","日期":null,"價格":"-1.50","數量":"7","其他":2.50}]"#,
            .json),
    ]
}

/// Conforming to a schema, writing, and reading what was written.
struct SchemaKind: FuzzKind {
    let name = "schema"
    let share = 8
    let sources: [SampleSource]

    private static let words =
        CSVSeeds.words + JSONSeeds.words
        + ["115/02/30", "2026-02-29", "１，２３", "1,23", "0x1F", "NaN", "＊", "X", "\u{3000}", "24:00", "true"].map {
            Array($0.utf8)
        }

    func run(_ random: inout SeededGenerator, _ trial: inout Trial) -> Bool {
        guard let sample = sources.randomElement(using: &random), let other = sources.randomElement(using: &random),
            let format = sample.formats.randomElement(using: &random)
        else { return false }
        trial.bytes = Mutator.input(sample.bytes, others: other.bytes, words: Self.words, using: &random)
        if format.encodings == [.utf8] { trial.bytes = Mutator.repaired(trial.bytes) }
        let isPublished = Mutator.chance(1, of: 4, &random)
        let marks = Bool.random(using: &random)
        let nulls = Bool.random(using: &random)
        trial.reading = {
            let way = isPublished ? "as published" : "marks \(marks), nulls \(nulls)"
            return "\(sample.source.dataset.id), \(format), \(way)"
        }
        let reading = trial.read(format, window: Mutator.window(for: trial.bytes.count, &random), keepsBatches: true)
        if isPublished {
            for batch in reading.batches { RoundTrip.check(batch, &trial) }
            return reading.isAccepted
        }
        do throws(OpenDataError) {
            let request = try sample.request()
            let preamble = Preamble(
                response: Response(url: "fuzz:"), members: reading.members,
                recordCount: reading.isAccepted ? reading.count : nil)
            let constants = try sample.source.constants(preamble, request, sample.arguments)
            var conformer = Conformer(sample.source.dataset.schema, constants: constants, marks: marks)
            conformer.nullsMisfits = nulls
            conformer.keepsRawRecords = nulls
            conformer.notesNumbers = true
            for batch in reading.batches {
                let read = batch.readCount
                let conformed = try conformer.conform(batch)
                if conformed.readCount != read { trial.fail("\(read) records became \(conformed.readCount)") }
                if conformed.cells.count != conformed.count * conformer.fields.count {
                    trial.fail(
                        "\(conformed.cells.count) cells in \(conformed.count) records of \(conformer.fields.count)")
                }
                SchemaKind.checkNotes(conformed, &trial)
                RoundTrip.check(conformed, &trial)
                try RoundTrip.conformAgain(
                    conformed, sample.source.dataset.schema, conformer.fields, marks: marks, &trial)
            }
            try sample.source.check(preamble, request, sample.arguments)
        } catch {
            return false
        }
        return reading.isAccepted
    }

    /// Whether what has been noted of numbers is what they are read as from their text.
    private static func checkNotes(_ batch: RecordBatch, _ trial: inout Trial) {
        for (cell, note) in zip(batch.cells, batch.numbers) where note.isThere {
            let text = batch.text(of: cell)
            if cell.kind != .number || note.decimal.description != ExactDecimal(text)?.description {
                trial.fail("'\(text)' was noted as \(note.decimal)")
            }
        }
    }
}
