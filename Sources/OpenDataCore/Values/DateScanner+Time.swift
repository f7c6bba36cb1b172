extension DateScanner {
    /// The number that fourteen digits are, if there is nothing else but spaces behind them.
    func fourteenDigits(in bytes: Span<UInt8>) -> Int? {
        var (rest, number) = (self, 0)
        for _ in 0..<14 {
            let byte = rest.next(in: bytes)
            guard byte &- 48 < 10 else { return nil }
            number = number * 10 + Int(byte &- 48)
            rest.skip()
        }
        rest.skipSpaces(in: bytes)
        return rest.isAtEnd(of: bytes) ? number : nil
    }

    /// `13:00`, `13:00:05` or `13:00:05.25`.
    mutating func clock(in bytes: Span<UInt8>) -> (hour: Int, minute: Int, second: Int, millisecond: Int)? {
        guard let hour = oneOrTwoDigits(in: bytes), next(in: bytes) == UInt8(ascii: ":") else { return nil }
        skip()
        guard let (minute, minuteDigits) = digits(in: bytes), minuteDigits == 2 else { return nil }
        guard next(in: bytes) == UInt8(ascii: ":") else { return (hour, minute, 0, 0) }
        skip()
        guard let (second, secondDigits) = digits(in: bytes), secondDigits == 2 else { return nil }
        guard next(in: bytes) == UInt8(ascii: ".") else { return (hour, minute, second, 0) }
        skip()
        guard var (fraction, fractionDigits) = digits(in: bytes) else { return nil }
        while fractionDigits < 3 { (fraction, fractionDigits) = (fraction * 10, fractionDigits + 1) }
        while fractionDigits > 3, fraction % 10 == 0 {
            (fraction, fractionDigits) = (fraction / 10, fractionDigits - 1)
        }
        return fractionDigits == 3 ? (hour, minute, second, fraction) : nil
    }

    /// Nothing, `Z`, `+08:00` or `+0800`, in minutes.
    mutating func offset(in bytes: Span<UInt8>, default minutes: Int) -> Int? {
        if isAtEnd(of: bytes) { return minutes }
        if next(in: bytes) == UInt8(ascii: "Z") {
            skip()
            return 0
        }
        guard next(in: bytes) == UInt8(ascii: "+") || next(in: bytes) == UInt8(ascii: "-") else { return nil }
        let sign = next(in: bytes) == UInt8(ascii: "+") ? 1 : -1
        skip()
        guard let (value, count) = digits(in: bytes) else { return nil }
        if count == 4 { return sign * (value / 100 * 60 + value % 100) }
        guard count == 2 else { return nil }
        guard next(in: bytes) == UInt8(ascii: ":") else { return sign * value * 60 }
        skip()
        guard let (rest, restCount) = digits(in: bytes), restCount == 2 else { return nil }
        return sign * (value * 60 + rest)
    }
}
