import OpenData
import OpenDataCore

/// Puts the JSON array of the records into an object, whose other members are known only behind the last record.
struct EnvelopeEncoder: RecordEncoder, TranscribedEncoder {
    private var records: any RecordEncoder

    /// Makes an encoder around that of JSON.
    init(_ records: any RecordEncoder) { self.records = records }

    mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        output += "{\n\"data\": ".utf8
        records.begin(fields, into: &output)
    }

    mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) { records.write(batch, into: &output) }

    mutating func finish(into output: inout [UInt8]) { records.finish(into: &output) }

    func forLaterBatches() -> EnvelopeEncoder? { records.forLaterBatches().map { EnvelopeEncoder($0) } }

    var layout: RecordLayout? { (records as? any TranscribedEncoder)?.layout }

    /// What stands behind the records: the data set, the counts, and where the bytes come from.
    static func end(_ dataset: Dataset, _ summary: FetchSummary) -> String {
        // The members of an object without its first brace and line.
        "," + ProvenanceFile.document(dataset, summary, file: nil).document.dropFirst()
    }
}

/// The record of where the data of a file come from, which lies beside it.
enum ProvenanceFile {
    /// The path of the record of a file.
    static func path(of file: String) -> String { file + ".provenance.json" }

    /// The record.
    static func document(_ dataset: Dataset, _ summary: FetchSummary, file: String?) -> JSONText {
        var members: [(name: String, value: JSONText)] = file.map { [("file", .string($0))] } ?? []
        members += [
            ("dataset", .string(dataset.id)), ("title", .string(dataset.title)),
            ("publisher", .string(dataset.publisher)), ("licence", .string(dataset.licence.id)),
            ("page", .string(dataset.page)), ("read", .integer(summary.read)), ("written", .integer(summary.written)),
            ("rejected", .integer(summary.rejected)),
            ("left_out", .integer(summary.leftOut)), ("provenance", .array(summary.provenance.map(\.document))),
        ]
        return .object(members)
    }

    /// Writes the record of a file that has just been written; without a known origin, takes an earlier one away, which
    /// would tell of other data.
    static func write(_ dataset: Dataset, _ summary: FetchSummary, file: String) throws(OpenDataError) {
        let path = path(of: file)
        guard !summary.provenance.isEmpty else { return AtomicFile.remove(path) }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var output = try AtomicFile(path)
        try output.append(Array(document(dataset, summary, file: name).document.utf8))
        try output.commit()
    }
}
