public import OpenDataCore

/// The text encoding that an XML document says it is in.
public enum XMLEncoding {
    /// How many bytes of a payload are enough to find the declaration in.
    public static let headLength = 512

    /// The encoding that the first bytes declare, or show by the shape of their first letters; `nil` if they do
    /// neither.
    ///
    /// `Big5` is read as code page 950, which holds it and is what is meant. A declaration of UTF-16 that is itself
    /// written in bytes of ASCII cannot be true; it stands for UTF-8, as which such text is then checked.
    public static func declared(in head: [UInt8]) -> TextEncoding? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return .utf16 }
        if head.starts(with: [0x3C, 0, 0x3F, 0]) { return TextEncoding(rawValue: "utf-16le") }
        if head.starts(with: [0, 0x3C, 0, 0x3F]) { return TextEncoding(rawValue: "utf-16be") }
        guard let name = declaredName(in: head) else { return nil }
        switch name {
        case "big5", "big-5", "x-x-big5", "csbig5", "ms950", "windows-950": return .cp950
        case "utf8", "us-ascii", "ascii": return .utf8
        default: return name.hasPrefix("utf-16") || name.hasPrefix("ucs-2") ? .utf8 : TextEncoding(rawValue: name)
        }
    }

    /// The name in the declaration, in lower case, as it is written.
    static func declaredName(in head: [UInt8]) -> String? {
        guard head.starts(with: "<?xml".utf8) else { return nil }
        let declaration = head.prefix(headLength).prefix { $0 != UInt8(ascii: ">") && $0 < 0x80 && $0 != 0 }
        let text = String(decoding: declaration, as: UTF8.self)
        guard let rest = text.text(behind: "encoding")?.drop(while: { $0.isWhitespace || $0 == "=" }),
            let quote = rest.first, quote == "\"" || quote == "'"
        else { return nil }
        let name = rest.dropFirst().prefix { $0 != quote }
        return name.isEmpty ? nil : name.lowercased()
    }
}

extension String {
    /// What stands behind the first occurrence of a word that has white space before it.
    fileprivate func text(behind word: String) -> Substring? {
        var rest = self[...]
        while let letter = rest.popFirst() {
            if letter.isWhitespace, rest.hasPrefix(word) { return rest.dropFirst(word.count) }
        }
        return nil
    }
}
