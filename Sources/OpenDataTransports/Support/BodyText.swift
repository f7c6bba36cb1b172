import OpenDataCore

/// The words of a body, for messages.
enum BodyText {
    /// The first bytes of a body; fewer if it is shorter or cannot be read.
    static func prefix(_ payload: Payload, bytes count: Int = 4096) -> [UInt8] {
        var bytes: [UInt8] = []
        guard payload.isRepeatable, var source = try? payload.open() else { return bytes }
        while bytes.count < count, let added = try? source.read(count - bytes.count, into: &bytes), added > 0 {}
        return bytes
    }

    /// The first `limit` characters of a text or page: tags, scripts and styles left out, white space folded.
    ///
    /// Nothing for bytes that are not text, such as an image.
    static func excerpt(_ bytes: [UInt8], limit: Int) -> String {
        guard !bytes.contains(0) else { return "" }
        var words = withoutTags(String(decoding: bytes, as: UTF8.self)).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for (name, letter) in [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
            words = words.pieces(between: name).joined(separator: letter)
        }
        let readable = words.unicodeScalars.filter {
            $0.value >= 0x20 && !["\u{7F}", "\u{FFFD}", "\u{FEFF}"].contains($0)
        }
        // Mostly undecodable: another encoding, or no text at all.
        guard readable.count * 2 >= words.unicodeScalars.count else { return "" }
        let text = String(String.UnicodeScalarView(readable))
        return text.count > limit ? text.prefix(limit) + "…" : text
    }

    private static func withoutTags(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            let after = rest[rest.index(after: open)...]
            guard let first = after.first, first.isLetter || "/!?".contains(first) else {
                result += rest[...open]
                rest = after
                continue
            }
            result += rest[..<open] + " "
            let name = after.prefix { $0.isLetter }.lowercased()
            rest = after[(after.firstIndex(of: ">").map(after.index(after:)) ?? after.endIndex)...]
            if name == "script" || name == "style" {
                while let next = rest.firstIndex(of: "<") {
                    rest = rest[next...]
                    if rest.prefix(name.count + 2).lowercased() == "</\(name)" { break }
                    rest = rest.dropFirst()
                }
            }
        }
        return result + rest
    }

    /// The first byte that is not white space or a byte order mark.
    static func firstByte(_ bytes: [UInt8]) -> UInt8? {
        bytes.starts(with: [0xEF, 0xBB, 0xBF])
            ? firstByte(Array(bytes.dropFirst(3))) : bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
