import OpenDataCore
import OpenDataFormats

/// Writes batches in every format, and reads back what can be read.
enum RoundTrip {
    /// Writes a batch in all formats; JSON and CSV have to have its values.
    static func check(_ batch: RecordBatch, _ trial: inout Trial) {
        let names = batch.columns.names
        guard !names.isEmpty, batch.count > 0 else { return }
        let fields = names.map { Field($0, sourceNames: [], type: .any) }
        let values = Self.values(batch)
        for entry in EncoderRegistry.standard.entries {
            var output: [UInt8] = []
            var encoder = entry.make(EncoderOptions())
            encoder.begin(fields, into: &output)
            encoder.write(batch, into: &output)
            encoder.finish(into: &output)
            switch entry.name {
            case "json", "ndjson":
                // Keys that occur twice are no JSON that a decoder takes, and a mark before a key is dropped.
                let isUnique = Set(names.map { Array($0.utf8) }).count == names.count
                guard isUnique, !names.contains(where: { $0.utf8.starts(with: [0xEF, 0xBB, 0xBF]) }) else { continue }
                let format = Format.json(JSONLayout(columns: names))
                compare(output, format, values.map { $0.map(asJSON) }, of: entry.name, &trial)
            case "csv", "tsv":
                var dialect = CSVDialect(delimiter: entry.name == "csv" ? "," : "\t")
                dialect.columnCount = names.count
                dialect.keepsTextFormulas = true
                let texts = values.map { $0.map { Value.text($0.description) } }
                compare(output, .csv(dialect), texts, of: entry.name, &trial)
            default:
                if !String(decoding: output, as: UTF8.self).utf8.elementsEqual(output) {
                    trial.fail("\(entry.name) is no UTF-8")
                }
            }
        }
    }

    /// Conforms what was written of a conforming batch once more: it has to be the same.
    static func conformAgain(
        _ batch: RecordBatch, _ schema: Schema, _ fields: [Field], marks: Bool, _ trial: inout Trial
    ) throws(OpenDataError) {
        guard !marks, batch.count > 0 else { return }
        let first = lines(batch, fields)
        // A text may have had white space within its quotes, and a mark behind its mark.
        var plain = schema
        for index in plain.fields.indices { plain.fields[index].marks = [] }
        let reading = Reading(Payload(first), .json(JSONLayout(columns: fields.map(\.name))), keepsBatches: true)
        var conformer = Conformer(plain)
        var again: [UInt8] = []
        for batch in reading.batches {
            let conformed = try conformer.conform(batch)
            if let reject = conformed.faults.first {
                trial.fail("once more, it is rejected: \(reject.message) \(reject.raw)")
            }
            again += lines(conformed, fields)
        }
        if again != first {
            trial.fail(
                "conforming twice makes \(String(decoding: again, as: UTF8.self))\n  of \(String(decoding: first, as: UTF8.self))"
            )
        }
    }

    private static func lines(_ batch: RecordBatch, _ fields: [Field]) -> [UInt8] {
        var output: [UInt8] = []
        var encoder = JSONRecordEncoder(.lines)
        encoder.begin(fields, into: &output)
        encoder.write(batch, into: &output)
        encoder.finish(into: &output)
        return output
    }

    private static func values(_ batch: RecordBatch) -> [[Value]] {
        (0..<batch.count).map { index in
            let record = Record(batch, index)
            return batch.columns.names.indices.map { record.value(at: $0) }
        }
    }

    private static func asJSON(_ value: Value) -> Value {
        switch value {
        case .date, .dateTime: .text(value.description)
        default: value
        }
    }

    private static func compare(
        _ output: [UInt8], _ format: Format, _ expected: [[Value]], of name: String, _ trial: inout Trial
    ) {
        let reading = Reading(Payload(output), format, keepsBatches: true)
        if let failure = reading.failure { trial.fail("\(name) is refused: \(failure.rawValue) \(reading.message)") }
        if let reject = reading.rejects.first { trial.fail("a record of \(name) is rejected: \(reject.message)") }
        let values = reading.batches.flatMap(values)
        guard values != expected else { return }
        let place = zip(values, expected).enumerated().first { $0.element.0 != $0.element.1 }
        trial.fail(
            "\(name) is read as \(values.count) records, \(expected.count) were written; the first that differs: "
                + "\(place.map { "\($0.element.0) of \($0.element.1)" } ?? "none")\n"
                + String(decoding: output.prefix(2000), as: UTF8.self))
    }
}
