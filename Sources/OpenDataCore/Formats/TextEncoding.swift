/// A text encoding by its IANA name, or the name that code page registries use.
public struct TextEncoding: RawRepresentable, Sendable, Hashable {
    /// The name in lower case, `utf-8`.
    public let rawValue: String

    /// Makes an encoding from its name; the many names of those that the package decodes itself are made one.
    public init(rawValue: String) {
        let name = rawValue.lowercased()
        self.init(name: TextEncoding.alias(name) ?? name)
    }

    /// Takes the one name of an encoding as it is.
    private init(name: String) { self.rawValue = name }

    /// UTF-8.
    public static let utf8 = TextEncoding(name: "utf-8")
    /// UTF-16, big endian unless a byte order mark says otherwise.
    public static let utf16 = TextEncoding(name: "utf-16")
    /// UTF-16, the low byte first.
    public static let utf16le = TextEncoding(name: "utf-16le")
    /// UTF-16, the high byte first.
    public static let utf16be = TextEncoding(name: "utf-16be")
    /// Code page 950, the Big5 of Windows, user-defined letters included.
    ///
    /// Windows keeps four ranges of double bytes for letters that a person or an office defines: FA40–FEFE, 8E40–A0FE,
    /// 8140–8DFE and C6A1–C8FE. They become the scalars U+E000–F848 of the private use area in that order, as on
    /// Windows.
    public static let cp950 = TextEncoding(name: "cp950")
    /// Big5 with the Hong Kong supplementary character set, which gives letters to what is user-defined in ``cp950``.
    public static let big5hkscs = TextEncoding(name: "big5-hkscs")

    /// What is tried, in this order, for a payload of which nobody has said what it is in.
    ///
    /// A byte order mark comes first, and so does UTF-16 that every other byte gives away. ``big5hkscs`` is not tried:
    /// its letters stand where ``cp950`` has user-defined ones, and the bytes do not tell which are meant.
    public static let undescribed: [TextEncoding] = [.utf8, .cp950]

    /// The name that another one stands for. (A table would be made at each start of a program that asks for one name.)
    private static func alias(_ name: String) -> String? {
        switch name {
        case "utf8", "utf_8": "utf-8"
        case "utf16", "utf_16": "utf-16"
        case "utf16le", "utf_16le": "utf-16le"
        case "utf16be", "utf_16be": "utf-16be"
        case "ms950", "cp-950", "windows-950", "x-windows-950": "cp950"
        case "big5hkscs": "big5-hkscs"
        default: nil
        }
    }
}
