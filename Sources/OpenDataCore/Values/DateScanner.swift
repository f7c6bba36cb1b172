/// Reads the parts of days, months and times from UTF-8, left to right.
///
/// It holds the place only; each call is given the same bytes.
struct DateScanner {
    private var index = 0

    func isAtEnd(of bytes: Span<UInt8>) -> Bool { index == bytes.count }

    /// The byte at the scanner, or 0 at the end.
    func next(in bytes: Span<UInt8>) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// What `read` finds, if it is all that the bytes hold but white space around it.
    static func whole<Value>(
        _ bytes: Span<UInt8>, _ read: (inout DateScanner, Span<UInt8>) -> Value?
    ) -> Value? {
        var scanner = DateScanner()
        scanner.skipSpaces(in: bytes)
        guard let value = read(&scanner, bytes) else { return nil }
        scanner.skipSpaces(in: bytes)
        return scanner.isAtEnd(of: bytes) ? value : nil
    }

    mutating func skip() { index += 1 }

    mutating func skipSpaces(in bytes: Span<UInt8>) {
        while next(in: bytes) == UInt8(ascii: " ") || next(in: bytes) == UInt8(ascii: "\t") { index += 1 }
    }

    /// Steps over the text if it stands here.
    mutating func skip(_ text: String, in bytes: Span<UInt8>) -> Bool {
        var end = index
        for byte in text.utf8 {
            guard end < bytes.count, bytes[end] == byte else { return false }
            end += 1
        }
        index = end
        return true
    }

    /// Up to nine digits and how many there were; at least one, or `nil`.
    mutating func digits(in bytes: Span<UInt8>) -> (value: Int, count: Int)? {
        var value = 0
        let start = index
        while index < bytes.count, index - start < 9, bytes[index] &- 48 < 10 {
            value = value * 10 + Int(bytes[index] &- 48)
            index += 1
        }
        return index > start ? (value, index - start) : nil
    }

    /// One or two digits.
    mutating func oneOrTwoDigits(in bytes: Span<UInt8>) -> Int? {
        guard let (value, count) = digits(in: bytes), count <= 2 else { return nil }
        return value
    }

    /// A year as written, made Gregorian: four digits are Gregorian, fewer are ROC.
    mutating func year(in bytes: Span<UInt8>) -> Int? {
        let saysROC = skip("民國", in: bytes)
        guard let (value, count) = digits(in: bytes) else { return nil }
        switch count {
        case 4 where !saysROC: return value
        case 1...3: return value + 1911
        default: return nil
        }
    }

    mutating func day(in bytes: Span<UInt8>) -> CalendarDate? {
        let start = index
        if let (value, count) = digits(in: bytes) {
            // Only digits: the count of them says which calendar.
            switch count {
            case 8: return CalendarDate(year: value / 10_000, month: value / 100 % 100, day: value % 100)
            case 6, 7: return CalendarDate(year: value / 10_000 + 1911, month: value / 100 % 100, day: value % 100)
            default: index = start
            }
        }
        guard let year = year(in: bytes) else { return nil }
        if skip("年", in: bytes) {
            guard let month = oneOrTwoDigits(in: bytes), skip("月", in: bytes), let day = oneOrTwoDigits(in: bytes),
                skip("日", in: bytes)
            else { return nil }
            return CalendarDate(year: year, month: month, day: day)
        }
        let separator = next(in: bytes)
        guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") || separator == UInt8(ascii: ".") else {
            return nil
        }
        skip()
        guard let month = oneOrTwoDigits(in: bytes), next(in: bytes) == separator else { return nil }
        skip()
        guard let day = oneOrTwoDigits(in: bytes) else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    mutating func month(in bytes: Span<UInt8>) -> YearMonth? {
        let start = index
        if let (value, count) = digits(in: bytes) {
            switch count {
            case 6: return YearMonth(year: value / 100, month: value % 100)
            case 5: return YearMonth(year: value / 100 + 1911, month: value % 100)
            default: index = start
            }
        }
        guard let year = year(in: bytes) else { return nil }
        if skip("年", in: bytes) {
            guard let month = oneOrTwoDigits(in: bytes), skip("月", in: bytes) else { return nil }
            return YearMonth(year: year, month: month)
        }
        guard
            next(in: bytes) == UInt8(ascii: "-") || next(in: bytes) == UInt8(ascii: "/")
                || next(in: bytes) == UInt8(ascii: ".")
        else { return nil }
        skip()
        guard let month = oneOrTwoDigits(in: bytes) else { return nil }
        return YearMonth(year: year, month: month)
    }
}
