/// Percent-encoding of addresses (RFC 3986) that never encodes twice.
///
/// Foundation's `URL(string:)` encodes a whole component again as soon as one of its characters is illegal, so that
/// `%E4` beside raw Chinese becomes `%25E4`.
package enum PercentEncoding {
    /// The text with every byte encoded that a URL cannot hold; escapes and reserved characters stay.
    static func encodingIllegal(in text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isEscape =
                byte == UInt8(ascii: "%") && index + 2 < bytes.count
                && isHexDigit(bytes[index + 1]) && isHexDigit(bytes[index + 2])
            if isEscape || isUnreserved(byte) || reserved.contains(byte) {
                result.append(byte)
            } else {
                append(byte, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with every byte encoded that is not unreserved: a name or value of a query item.
    static func encodingAll(in text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) { result.append(byte) } else { append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The bytes that a text with escapes stands for.
    package static func decoding(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static let reserved = Set("!#$&'()*+,/:;=?@[]".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        if byte &- 48 < 10 { return byte - 48 }
        let letter = (byte | 0x20) &- 97
        return letter < 6 ? letter + 10 : nil
    }
}
