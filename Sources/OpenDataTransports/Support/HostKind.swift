/// Whether a host is this machine or its local network, judged by the text of its name or by its address.
enum HostKind {
    /// Loopback, link-local, private and unspecified addresses, and the names that stand for them.
    ///
    /// Addresses may be dotted, one number, octal or hexadecimal: the C library takes all of these forms.
    static func isLocal(_ host: String) -> Bool {
        let host = host.lowercased().hasSuffix(".") ? String(host.lowercased().dropLast()) : host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host.hasSuffix(".local") { return true }
        if host.hasPrefix("[") { return isLocalIPv6(host.dropFirst().prefix { $0 != "]" && $0 != "%" }) }
        guard let address = ipv4(host) else { return false }
        return isLocalIPv4(address)
    }

    /// Whether the host is this very machine.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || ipv4(host).map { $0 >> 24 == 127 } ?? false
    }

    /// The same for the 4 or 16 bytes of an address; `true` for any other count.
    static func isLocal(address bytes: [UInt8]) -> Bool {
        func ipv4(_ start: Int) -> Bool { isLocalIPv4(bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }) }
        switch bytes.count {
        case 4: return ipv4(0)
        case 16: break
        default: return true
        }
        // IPv4 addresses in the clothes of IPv6 ones: mapped, translated (RFC 6052), of a tunnel (RFC 3056).
        let zeros = bytes.prefix { $0 == 0 }.count
        if zeros == 10, bytes[10] == 0xFF, bytes[11] == 0xFF { return ipv4(12) }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return ipv4(12) }
        if bytes.starts(with: [0x20, 0x02]) { return ipv4(2) }
        return zeros >= 8 || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0x80 != 0 || bytes[0] == 0xFF
    }

    /// An address in letters.
    static func text(address bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    private static func isLocalIPv4(_ address: UInt32) -> Bool {
        switch (address >> 24, address >> 16 & 255) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
        case (172, 16...31): true
        case (100, 64...127): true  // shared by carriers (RFC 6598)
        default: address >= 0xE000_0000  // multicast and reserved
        }
    }

    private static func isLocalIPv6(_ text: Substring) -> Bool {
        let text = text.lowercased()
        // An IPv4 address in the clothes of an IPv6 one, such as ::ffff:127.0.0.1.
        if text.contains("."), let last = text.split(separator: ":").last { return isLocal(String(last)) }
        if text.hasPrefix("::") { return true }  // unspecified, loopback, IPv4-mapped in hexadecimal
        guard let first = UInt16(text.prefix { $0 != ":" }, radix: 16) else { return true }
        return first & 0xFE00 == 0xFC00 || first & 0xFFC0 == 0xFE80 || first & 0xFF00 == 0xFF00 || first == 0
            || first == 0x64  // NAT64 of IPv4 addresses
    }

    /// The address that a text of one to four numbers stands for, as `inet_aton` reads it.
    private static func ipv4(_ text: String) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            let isHex = part.hasPrefix("0x")
            let isOctal = !isHex && part.hasPrefix("0") && part.count > 1
            let digits = isHex ? part.dropFirst(2) : part
            guard digits.allSatisfy(\.isHexDigit), let number = UInt64(digits, radix: isHex ? 16 : isOctal ? 8 : 10)
            else { return nil }
            numbers.append(number)
        }
        guard let last = numbers.last, numbers.dropLast().allSatisfy({ $0 < 256 }) else { return nil }
        let room = UInt64(1) << (8 * UInt64(5 - numbers.count))
        guard last < room else { return nil }
        let front = numbers.dropLast().enumerated().reduce(UInt64(0)) {
            $0 | $1.element << (24 - 8 * UInt64($1.offset))
        }
        return UInt32(front | last)
    }
}
