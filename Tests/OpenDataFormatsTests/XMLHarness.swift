import OpenDataCore
import OpenDataFormats
import Testing

/// What a document decodes to, with what a failure says and with the members that it leaves.
struct XMLOutcome: Equatable, CustomStringConvertible {
    var header: [String] = []
    /// The columns that each record's batch had.
    var columns: [[String]] = []
    var records: [[Value]] = []
    var origins: [RecordOrigin] = []
    var members: [String: String] = [:]
    var failure: OpenDataError.Code?
    var message = ""
    var position: Position?

    var description: String {
        "\(header) \(records) members \(members) \(failure?.rawValue ?? "") \(message) \(position?.description ?? "")"
    }

    /// Each record as `column=value`, absent ones left out.
    var lines: [String] {
        zip(columns, records).map { columns, record in
            zip(columns, record).filter { $0.1 != .absent }
                .map { name, value in value == .null ? "\(name) null" : "\(name)=\(value)" }.joined(separator: "; ")
        }
    }

    static func decode(
        _ bytes: some Sequence<UInt8>, _ layout: XMLLayout, window: Int = RecordReader.defaultWindowSize
    ) -> XMLOutcome {
        var outcome = XMLOutcome()
        let payload = Payload(response: Response(url: "test:"), body: .bytes(Array(bytes)))
        do throws(OpenDataError) {
            let source = try TextSource.open(payload, encodings: [.utf8]).source
            var reader = RecordReader(source, decoder: XMLRecordDecoder(layout), windowSize: window)
            // Members are to be complete when an error is thrown, so they are read whatever happens.
            defer { outcome.members = reader.members }
            while let batch = try reader.next() {
                outcome.header = batch.columns.names
                for index in 0..<batch.count {
                    let record = Record(batch, index)
                    outcome.columns.append(batch.columns.names)
                    outcome.records.append(batch.columns.names.indices.map { record.value(at: $0) })
                }
                outcome.origins += batch.origins
                if !batch.rejects.isEmpty { Issue.record("XML has no rejects") }
            }
        } catch {
            outcome.failure = error.code
            outcome.message = error.message
            outcome.position = error.position
        }
        return outcome
    }

    /// Decodes a document at every window size, expects the same of each, and returns it.
    static func everywhere(
        _ text: String, _ layout: XMLLayout, sourceLocation: SourceLocation = #_sourceLocation
    ) -> XMLOutcome {
        let bytes = Array(text.utf8)
        let whole = decode(bytes, layout)
        for window in Decoded.windows(for: bytes.count) {
            let outcome = decode(bytes, layout, window: window)
            #expect(outcome == whole, "windows of \(window) bytes", sourceLocation: sourceLocation)
            if outcome != whole { break }
        }
        return whole
    }
}
