/// A day of the Gregorian calendar, without time or zone.
///
/// Publishers in Taiwan write days in ROC years (year 1 is 1912) as often as in Gregorian ones; ``init(parsing:)``
/// reads both.
public struct CalendarDate: Sendable, Hashable {
    @usableFromInline let packed: Int32

    /// The Gregorian year, 1 to 9999.
    public var year: Int { Int(packed >> 9) }
    /// The month, 1 to 12.
    public var month: Int { Int(packed >> 5 & 15) }
    /// The day of the month, from 1.
    public var day: Int { Int(packed & 31) }
    /// The year of the Republic of China: 1 is 1912; 0 and less are before it.
    public var rocYear: Int { year - 1911 }

    /// Makes a day, or `nil` where the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...CalendarDate.days(in: month, of: year) ~= day else { return nil }
        packed = Int32(year << 9 | month << 5 | day)
    }

    /// A day that has been packed as this type packs its own.
    @inlinable @inline(__always)
    init(packed: Int32) { self.packed = packed }

    /// The number of days of a month, from 28 to 31.
    public static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1 January 1970, negative before it.
    public var daysSince1970: Int {
        // Years that start in March put the leap day last; 400 of them are 146,097 days.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that lies a number of days after 1 January 1970, or `nil` outside the years 1 to 9999.
    public init?(daysSince1970 days: Int) {
        guard -719_162...2_932_896 ~= days else { return nil }
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The month that the day lies in.
    public var yearMonth: YearMonth { YearMonth(of: self) }
}

extension CalendarDate: Comparable {
    /// Earlier days come first.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.packed < right.packed }
}

extension CalendarDate: CustomStringConvertible {
    /// The day in ISO 8601, `2026-07-08`.
    public var description: String {
        "\(String(padding: year, to: 4))-\(String(padding: month, to: 2))-\(String(padding: day, to: 2))"
    }
}
