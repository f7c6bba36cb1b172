/// A text encoding by its IANA name, or the name that code page registries use.
public struct TextEncoding: RawRepresentable, Sendable, Hashable {
    /// The name in lower case, `utf-8`.
    public let rawValue: String

    /// Makes an encoding from its name.
    public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

    /// UTF-8.
    public static let utf8 = TextEncoding(rawValue: "utf-8")
    /// UTF-16, big endian unless a byte order mark says otherwise.
    public static let utf16 = TextEncoding(rawValue: "utf-16")
    /// Code page 950, the Big5 of Windows.
    public static let cp950 = TextEncoding(rawValue: "cp950")
}
