import OpenDataCore
import OpenDataFormats
import Testing

/// What a payload decodes to, in a form that is easy to compare.
struct Decoded: Equatable, CustomStringConvertible {
    var header: [String] = []
    /// Values by record, in the order of the columns that their batch had.
    var records: [[Value]] = []
    /// Where each record begins.
    var origins: [RecordOrigin] = []
    var rejects: [Reject] = []
    var members: [String: String] = [:]
    /// The code of the error that ended the decoding, if one did.
    var failure: OpenDataError.Code?
    /// Its position.
    var position: Position?

    /// The records as texts, for payloads without nulls and numbers.
    var texts: [[String]] { records.map { $0.map(\.description) } }

    var description: String {
        "\(header) \(records) rejects \(rejects.map { "\($0.code.rawValue)@\($0.origin.line)" }) \(failure?.rawValue ?? "")"
    }

    /// Decodes a payload with windows of a size.
    static func decode(
        _ bytes: some Sequence<UInt8>, as format: Format, window: Int = RecordReader.defaultWindowSize
    ) -> Decoded {
        var decoded = Decoded()
        do {
            let payload = Payload(response: Response(url: "test:"), body: .bytes(Array(bytes)))
            let text = try TextSource.open(payload, encodings: format.encodings)
            let decoder = try FormatRegistry.standard.decoder(for: format)
            var reader = RecordReader(text.source, decoder: decoder, windowSize: window)
            // Kept current, since an error ends the reader.
            while let batch = try reader.next() {
                decoded.header = batch.columns.names
                for cell in batch.cells where cell.isPlain {
                    let isPlain = batch.bytes[cell.range].allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
                    if !isPlain { Issue.record("'\(batch.text(of: cell))' is called plain") }
                }
                for index in 0..<batch.count {
                    let record = Record(batch, index)
                    decoded.records.append(batch.columns.names.indices.map { record.value(at: $0) })
                }
                decoded.origins += batch.origins
                decoded.rejects += batch.rejects
                decoded.members = reader.members
            }
            decoded.members = reader.members
        } catch {
            decoded.failure = error.code
            decoded.position = error.position
        }
        return decoded
    }

    /// The window sizes that cut a payload at every place, or at every place near its ends if it is long.
    static func windows(for count: Int) -> [Int] {
        count <= 400 ? Array(1...max(count, 1)) : Array(1...200) + Array((count - 200)...count)
    }
}
