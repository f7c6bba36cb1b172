public import OpenDataCore

/// The text of a payload as UTF-8, checked, without a byte order mark.
public enum TextSource {
    /// Opens a payload's text.
    ///
    /// A byte order mark decides; it is dropped. Without one, each of `encodings` is tried over the whole payload, in
    /// order, and the first that fits is used; a single one is not tried beforehand but checked as it is read. Nothing
    /// is replaced: a byte that does not fit is ``OpenDataError/Code/invalidText`` with its offset.
    /// - Complexity: one pass over the payload for each encoding tried before the one that fits.
    public static func open(
        _ payload: Payload, encodings: [TextEncoding]
    ) throws(OpenDataError) -> (source: any ByteSource, encoding: TextEncoding) {
        var source = try payload.open()
        var head: [UInt8] = []
        while head.count < 4, try source.read(4 - head.count, into: &head) > 0 {}
        if head.starts(with: [0xEF, 0xBB, 0xBF]) {
            return (UTF8Source(PrefixedSource(Array(head[3...]), source), offset: 3), .utf8)
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            let converted = try ConvertedSource(PrefixedSource(head, source), from: .utf16)
            return (UTF8Source(converted), .utf16)
        }
        let rest = PrefixedSource(head, source)
        guard let encoding = encodings.first else { return (UTF8Source(rest), .utf8) }
        if encodings.count == 1 { return (try decoded(rest, from: encoding), encoding) }
        guard payload.isRepeatable else {
            throw OpenDataError(
                .invalidText, "the text may be in \(list(encodings)), which a stream that is read once cannot settle")
        }
        var failures: [OpenDataError] = []
        for encoding in encodings {
            do {
                var trial = try decoded(try payload.open(), from: encoding)
                var buffer: [UInt8] = []
                while try trial.read(1 << 18, into: &buffer) > 0 { buffer.removeAll(keepingCapacity: true) }
                return (try decoded(try payload.open(), from: encoding), encoding)
            } catch {
                guard error.code == .invalidText else { throw error }
                failures.append(error)
            }
        }
        throw OpenDataError(
            .invalidText,
            "the text is in none of \(list(encodings)): " + failures.map(\.message).joined(separator: "; "),
            position: failures.first?.position)
    }

    private static func decoded(_ source: any ByteSource, from encoding: TextEncoding) throws(OpenDataError)
        -> any ByteSource
    {
        encoding == .utf8 ? UTF8Source(source) : UTF8Source(try ConvertedSource(source, from: encoding))
    }

    private static func list(_ encodings: [TextEncoding]) -> String {
        encodings.map(\.rawValue).joined(separator: ", ")
    }
}
