import OpenDataCore
import OpenDataFormats
import Testing

extension DocumentOutcome {
    /// Each record as `column=value`, absent ones left out.
    var lines: [String] {
        zip(columns, records).map { columns, record in
            zip(columns, record).filter { $0.1 != .absent }
                .map { name, value in value == .null ? "\(name) null" : "\(name)=\(value)" }.joined(separator: "; ")
        }
    }

    /// Decodes a document of XML, first checked to be UTF-8, with windows of a size.
    static func decode(
        _ bytes: some Sequence<UInt8>, _ layout: XMLLayout, window: Int = RecordReader.defaultWindowSize
    ) -> DocumentOutcome {
        let outcome = decode(bytes, by: XMLRecordDecoder(layout), window: window)
        if !outcome.rejects.isEmpty { Issue.record("XML has no rejects") }
        return outcome
    }

    /// Decodes a document of XML at every window size, expects the same of each, and returns it.
    static func everywhere(
        _ text: String, _ layout: XMLLayout, sourceLocation: SourceLocation = #_sourceLocation
    ) -> DocumentOutcome {
        let outcome = everywhere(text, by: XMLRecordDecoder(layout), sourceLocation: sourceLocation)
        if !outcome.rejects.isEmpty { Issue.record("XML has no rejects", sourceLocation: sourceLocation) }
        return outcome
    }
}
