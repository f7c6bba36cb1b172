public import OpenDataCore

/// The text of a payload as UTF-8, checked, without a byte order mark.
public enum TextSource {
    /// A payload's text, ready to be read.
    public struct Opened: Sendable {
        /// The text as UTF-8, checked as it is read.
        public var source: any ByteSource
        /// What the payload is in.
        public var encoding: TextEncoding
        /// Whether a byte order mark has said so.
        public var hasByteOrderMark = false
        /// What has been noticed in the text that was read so far.
        public var tally = TextTally()
    }

    /// What becomes of bytes that are no letter.
    public enum InvalidText: Sendable, Hashable {
        /// They are an error.
        case refused
        /// U+FFFD stands for them, and is counted.
        case replaced
    }

    /// Opens a payload's text.
    ///
    /// A byte order mark decides; it is dropped. Without one, each of `encodings` is tried over the whole payload, in
    /// order, and the first that fits is used; a single one is not tried beforehand but checked as it is read. Unless
    /// asked for, nothing is replaced: a byte that does not fit is ``OpenDataError/Code/invalidText`` with its offset.
    /// Of several encodings none of which fits, the one that takes the fewest replacements is used.
    /// - Complexity: one pass over the payload for each encoding tried before the one that fits.
    public static func open(
        _ payload: Payload, encodings: [TextEncoding], invalid: InvalidText = .refused
    ) throws(OpenDataError) -> Opened {
        var source = try payload.open()
        var head: [UInt8] = []
        while head.count < 4, try source.read(4 - head.count, into: &head) > 0 {}
        if let (encoding, length) = byteOrderMark(head) {
            let rest = PrefixedSource(Array(head[length...]), source)
            var opened = try decoded(rest, from: encoding, offset: length, invalid)
            opened.hasByteOrderMark = true
            return opened
        }
        let rest = PrefixedSource(head, source)
        let encodings = try encodings.map { encoding throws(OpenDataError) in
            encoding == .utf16 ? try byteOrder(of: payload) : encoding
        }
        guard let first = encodings.first else { return Opened(source: UTF8Source(rest), encoding: .utf8) }
        if encodings.count == 1 { return try decoded(rest, from: first, invalid) }
        guard payload.isRepeatable else {
            throw OpenDataError(
                .invalidText, "the text may be in \(list(encodings)), which a stream that is read once cannot settle")
        }
        var failures: [OpenDataError] = []
        for encoding in encodings {
            do {
                try readThrough(try decoded(try payload.open(), from: encoding, .refused))
                return try decoded(try payload.open(), from: encoding, .refused)
            } catch {
                guard error.code == .invalidText else { throw error }
                failures.append(error)
            }
        }
        if invalid == .replaced {
            var best = (encoding: first, count: Int.max)
            for encoding in encodings {
                let trial = try decoded(try payload.open(), from: encoding, .replaced)
                try readThrough(trial)
                if trial.tally.replacedCount < best.count { best = (encoding, trial.tally.replacedCount) }
            }
            return try decoded(try payload.open(), from: best.encoding, .replaced)
        }
        throw OpenDataError(
            .invalidText,
            "the text is in none of \(list(encodings)): " + failures.map(\.message).joined(separator: "; "),
            position: failures.first?.position)
    }

    /// The encoding that the first bytes name, and how many of them do.
    static func byteOrderMark(_ head: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16le, 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16be, 2) }
        return nil
    }

    /// UTF-16 in the order that its NULs give away, or big endian.
    private static func byteOrder(of payload: Payload) throws(OpenDataError) -> TextEncoding {
        let order = UTF16Converter.byteOrder(of: try payload.head(1 << 16)[...])
        return order?.isBigEndian == false ? .utf16le : .utf16be
    }

    static func decoded(
        _ source: any ByteSource, from encoding: TextEncoding, offset: Int = 0, _ invalid: InvalidText
    ) throws(OpenDataError) -> Opened {
        if encoding == .utf8, invalid == .refused {
            return Opened(source: UTF8Source(source, offset: offset), encoding: .utf8)
        }
        let tally = TextTally()
        let converted = try ConvertedSource(
            source, from: encoding, offset: offset, replaces: invalid == .replaced, tally: tally)
        return Opened(source: UTF8Source(converted), encoding: encoding, tally: tally)
    }

    /// Reads a text to its end, to see whether it is one.
    static func readThrough(_ text: Opened) throws(OpenDataError) {
        var source = text.source
        var buffer: [UInt8] = []
        while try source.read(1 << 18, into: &buffer) > 0 { buffer.removeAll(keepingCapacity: true) }
    }

    private static func list(_ encodings: [TextEncoding]) -> String {
        encodings.map(\.rawValue).joined(separator: ", ")
    }
}
