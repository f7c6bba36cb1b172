/// A text encoding by its IANA name, or the name that code page registries use.
public struct TextEncoding: RawRepresentable, Sendable, Hashable {
    /// The name in lower case, `utf-8`.
    public let rawValue: String

    /// Makes an encoding from its name; the many names of those that the package decodes itself are made one.
    public init(rawValue: String) {
        let name = rawValue.lowercased()
        self.rawValue = TextEncoding.aliases[name] ?? name
    }

    /// UTF-8.
    public static let utf8 = TextEncoding(rawValue: "utf-8")
    /// UTF-16, big endian unless a byte order mark says otherwise.
    public static let utf16 = TextEncoding(rawValue: "utf-16")
    /// UTF-16, the low byte first.
    public static let utf16le = TextEncoding(rawValue: "utf-16le")
    /// UTF-16, the high byte first.
    public static let utf16be = TextEncoding(rawValue: "utf-16be")
    /// Code page 950, the Big5 of Windows, user-defined letters included.
    ///
    /// Windows keeps four ranges of double bytes for letters that a person or an office defines: FA40–FEFE, 8E40–A0FE,
    /// 8140–8DFE and C6A1–C8FE. They become the scalars U+E000–F848 of the private use area in that order, as on
    /// Windows.
    public static let cp950 = TextEncoding(rawValue: "cp950")
    /// Big5 with the Hong Kong supplementary character set, which gives letters to what is user-defined in ``cp950``.
    public static let big5hkscs = TextEncoding(rawValue: "big5-hkscs")

    /// What is tried, in this order, for a payload of which nobody has said what it is in.
    ///
    /// A byte order mark comes first, and so does UTF-16 that every other byte gives away. ``big5hkscs`` is not tried:
    /// its letters stand where ``cp950`` has user-defined ones, and the bytes do not tell which are meant.
    public static let undescribed: [TextEncoding] = [.utf8, .cp950]

    private static let aliases = [
        "utf8": "utf-8", "utf_8": "utf-8", "utf16": "utf-16", "utf_16": "utf-16", "utf16le": "utf-16le",
        "utf_16le": "utf-16le", "utf16be": "utf-16be", "utf_16be": "utf-16be", "ms950": "cp950", "cp-950": "cp950",
        "windows-950": "cp950", "x-windows-950": "cp950", "big5hkscs": "big5-hkscs",
    ]
}
