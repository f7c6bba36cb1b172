import OpenDataCore
import OpenDataFormats
import Testing

/// What a document of JSON or XML decodes to, with what a failure says and with the members that it leaves.
struct DocumentOutcome: Equatable, CustomStringConvertible {
    var header: [String] = []
    /// The columns that each record's batch had.
    var columns: [[String]] = []
    var records: [[Value]] = []
    var origins: [RecordOrigin] = []
    var rejects: [Reject] = []
    var members: [String: String] = [:]
    var failure: OpenDataError.Code?
    var message = ""
    var position: Position?

    var description: String {
        "\(header) \(records) rejects \(rejects.map { "\($0.code.rawValue)@\($0.origin.record)" }) members \(members) "
            + "\(failure?.rawValue ?? "") \(message) \(position?.description ?? "")"
    }

    /// Decodes a document, first checked to be UTF-8, with windows of a size.
    static func decode(
        _ bytes: some Sequence<UInt8>, _ layout: JSONLayout = JSONLayout(), window: Int = RecordReader.defaultWindowSize
    ) -> DocumentOutcome {
        decode(bytes, by: JSONRecordDecoder(layout), window: window)
    }

    /// The same by a decoder.
    static func decode(_ bytes: some Sequence<UInt8>, by decoder: some RecordDecoder, window: Int) -> DocumentOutcome {
        var outcome = DocumentOutcome()
        let payload = Payload(response: Response(url: "test:"), body: .bytes(Array(bytes)))
        do throws(OpenDataError) {
            let source = try TextSource.open(payload, encodings: [.utf8]).source
            var reader = RecordReader(source, decoder: decoder, windowSize: window)
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
                outcome.rejects += batch.rejects
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
        _ text: String, _ layout: JSONLayout = JSONLayout(), sourceLocation: SourceLocation = #_sourceLocation
    ) -> DocumentOutcome {
        everywhere(text, by: JSONRecordDecoder(layout), sourceLocation: sourceLocation)
    }

    /// The same by a decoder.
    static func everywhere(
        _ text: String, by decoder: some RecordDecoder, sourceLocation: SourceLocation = #_sourceLocation
    ) -> DocumentOutcome {
        let bytes = Array(text.utf8)
        let whole = decode(bytes, by: decoder, window: RecordReader.defaultWindowSize)
        for window in Decoded.windows(for: bytes.count) {
            let outcome = decode(bytes, by: decoder, window: window)
            #expect(outcome == whole, "windows of \(window) bytes", sourceLocation: sourceLocation)
            if outcome != whole { break }
        }
        return whole
    }
}
