/// A month of the Gregorian calendar.
public struct YearMonth: Sendable, Hashable {
    /// The Gregorian year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int

    /// Makes a month, or `nil` outside the years 1 to 9999 and the months 1 to 12.
    public init?(year: Int, month: Int) {
        guard 1...9999 ~= year, 1...12 ~= month else { return nil }
        self.year = year
        self.month = month
    }

    /// The month that a day lies in.
    public init(of day: CalendarDate) {
        year = day.year
        month = day.month
    }

    /// Reads a month: `2025-03`, `2025/3`, `202503`, `2025年3月`, and in ROC years `114-03`, `114/3`, `11403`, `114年3月`.
    ///
    /// Anything else gives `nil`. White space around the whole is ignored.
    public init?(parsing text: some StringProtocol) {
        let bytes = ContiguousArray(text.utf8)
        self.init(parsing: bytes.span)
    }

    /// Reads a month as ``init(parsing:)-(StringProtocol)`` does, from UTF-8.
    public init?(parsing bytes: Span<UInt8>) {
        guard let month = DateScanner.whole(bytes, { $0.month(in: $1) }) else { return nil }
        self = month
    }

    /// The first day of the month.
    public var firstDay: CalendarDate {
        guard let day = CalendarDate(year: year, month: month, day: 1) else { preconditionFailure("checked by init") }
        return day
    }

    /// Whether a day lies in the month.
    public func contains(_ day: CalendarDate) -> Bool { day.year == year && day.month == month }

    /// The month after this one, or `nil` after December 9999.
    public var next: YearMonth? {
        month < 12 ? YearMonth(year: year, month: month + 1) : YearMonth(year: year + 1, month: 1)
    }
}

extension YearMonth: Comparable {
    /// Earlier months come first.
    public static func < (left: YearMonth, right: YearMonth) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}

extension YearMonth: CustomStringConvertible {
    /// The month in ISO 8601, `2025-03`.
    public var description: String { "\(String(padding: year, to: 4))-\(String(padding: month, to: 2))" }
}
