public import OpenDataCore

/// Finds the text encoding of a payload that nobody has described, by evidence over all of it.
public enum EncodingFinder {
    /// What was found.
    public struct Found: Sendable, Hashable {
        /// The encoding.
        public var encoding: TextEncoding
        /// What a reader should know of, a short sentence each: none for UTF-8.
        public var findings: [String]
    }

    /// So many letters of two bytes tell whether the text is Big5.
    private static let leastLetters = 20

    /// Finds the encoding: by a byte order mark, else UTF-8 if all of the payload is, UTF-16 if NULs give it away, and
    /// code page 950 if all of the payload is.
    ///
    /// Two letters in five of Big5 have a second byte below A1, and none of GB2312, EUC-KR and EUC-JP has, whose bytes
    /// are valid in Big5 otherwise: a text with hardly any such letter is not taken for it.
    ///
    /// Throws ``OpenDataError/Code/invalidText``, with the places where each encoding fails, if none fits or two might;
    /// ``OpenDataError/Code/badArgument`` for a payload that can be read only once.
    /// - Complexity: one pass over the payload for UTF-8, another for what follows.
    public static func find(in payload: Payload) throws(OpenDataError) -> Found {
        try payload.checkRepeatable()
        let head = try payload.head(1 << 16)
        if let (encoding, _) = TextSource.byteOrderMark(head) { return found(encoding) }
        let failure: OpenDataError
        do {
            try TextSource.readThrough(try TextSource.decoded(try payload.open(), from: .utf8, .refused))
            return found(.utf8)
        } catch {
            guard error.code == .invalidText else { throw error }
            failure = error
        }
        if head.contains(0), let order = UTF16Converter.byteOrder(of: head[...]) {
            let encoding = order.isBigEndian ? TextEncoding.utf16be : .utf16le
            do {
                try TextSource.readThrough(try TextSource.decoded(try payload.open(), from: encoding, .refused))
                return found(encoding)
            } catch {
                guard error.code == .invalidText else { throw error }
                throw OpenDataError(
                    .invalidText,
                    "there are NULs, so that the text may be in \(encoding.rawValue), but \(error.message); "
                        + "NULs stand in no other text: --encoding names an encoding, or this is no text",
                    position: failure.position)
            }
        }
        let text = try TextSource.decoded(try payload.open(), from: .cp950, .refused)
        do {
            try TextSource.readThrough(text)
        } catch {
            guard error.code == .invalidText else { throw error }
            throw OpenDataError(
                .invalidText,
                "the text is in none of \(TextEncoding.undescribed.map(\.rawValue).joined(separator: ", ")): "
                    + "\(failure.message); \(error.message); --encoding names another",
                position: failure.position)
        }
        let counts = text.tally.current
        if counts.doubleBytes >= leastLetters, counts.lowTrails * 20 < counts.doubleBytes {
            throw OpenDataError(
                .invalidText,
                "the text is not UTF-8, and hardly Big5, of whose letters more would have a second byte below A1: "
                    + "it may be in gb18030, euc-kr or euc-jp; --encoding names one (cp950 for Big5)",
                position: failure.position)
        }
        return found(.cp950, counts)
    }

    /// The sentences that go with an encoding.
    static func found(_ encoding: TextEncoding, _ counts: TextTally.Counts = TextTally.Counts()) -> Found {
        var findings: [String] = []
        switch encoding {
        case .utf8: break
        case .cp950: findings.append("the text is in cp950 (Big5)")
        default: findings.append("the text is in \(encoding.rawValue)")
        }
        return Found(encoding: encoding, findings: findings + counts.findings)
    }
}
