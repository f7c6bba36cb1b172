/// Whether a host is this machine or its local network, judged by the text of its name.
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
