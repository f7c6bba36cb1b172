/// A civil time to the millisecond with its offset from UTC.
///
/// Shape: 14 bits of year, then month, day, hour, minute, second, millisecond and the offset in quarter hours, so that
/// a date-time fits a ``Cell``.
public struct DateTime: Sendable, Hashable {
    @usableFromInline let packed: UInt64

    /// Makes a time of a day, or `nil` where the clock or the zones have no such time.
    ///
    /// `offsetMinutes` is a multiple of 15 from -14 to +14 hours.
    public init?(
        _ day: CalendarDate, hour: Int, minute: Int, second: Int = 0, millisecond: Int = 0, offsetMinutes: Int
    ) {
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999 ~= millisecond,
            -840...840 ~= offsetMinutes, offsetMinutes % 15 == 0
        else { return nil }
        let date = UInt64(day.year) << 9 | UInt64(day.month) << 5 | UInt64(day.day)
        let clock = UInt64(hour) << 22 | UInt64(minute) << 16 | UInt64(second) << 10 | UInt64(millisecond)
        packed = date << 34 | clock << 7 | UInt64(offsetMinutes / 15 + 56)
    }

    @inlinable @inline(__always)
    init(packed: UInt64) { self.packed = packed }

    /// The civil day at the offset.
    public var day: CalendarDate {
        let date = Int(packed >> 34)
        guard let day = CalendarDate(year: date >> 9, month: date >> 5 & 15, day: date & 31) else {
            preconditionFailure("packed by init")
        }
        return day
    }
    /// The hour, 0 to 23.
    public var hour: Int { Int(packed >> 29 & 31) }
    /// The minute, 0 to 59.
    public var minute: Int { Int(packed >> 23 & 63) }
    /// The second, 0 to 59.
    public var second: Int { Int(packed >> 17 & 63) }
    /// The millisecond, 0 to 999.
    public var millisecond: Int { Int(packed >> 7 & 1023) }
    /// The offset from UTC in minutes, positive to the east.
    public var offsetMinutes: Int { (Int(packed & 127) - 56) * 15 }

    /// Milliseconds since 1 January 1970, 00:00 UTC.
    public var millisecondsSince1970: Int {
        let minutes = (day.daysSince1970 * 24 + hour) * 60 + minute - offsetMinutes
        return (minutes * 60 + second) * 1000 + millisecond
    }

    /// Reads a time: a day in any form that ``CalendarDate`` reads, then `T` or spaces, then `13:00`, `13:00:05` or
    /// `13:00:05.250`, then nothing, `Z`, or an offset as `+08:00` or `+0800`; or fourteen digits, `20260708130005`.
    ///
    /// Without an offset, the time is taken in the zone given. `24:00` is midnight of the next day, as publishers of
    /// hourly values mean it. More than milliseconds, and anything else, gives `nil`.
    public init?(parsing text: some StringProtocol, zone: TimeZoneOffset) {
        let bytes = ContiguousArray(text.utf8)
        self.init(parsing: bytes.span, zone: zone)
    }

    /// Reads a time as ``init(parsing:zone:)-(StringProtocol,_)`` does, from UTF-8.
    public init?(parsing bytes: Span<UInt8>, zone: TimeZoneOffset) {
        var scanner = DateScanner()
        scanner.skipSpaces(in: bytes)
        if let digits = scanner.fourteenDigits(in: bytes) {
            guard
                let day = CalendarDate(
                    year: digits / 10_000_000_000, month: digits / 100_000_000 % 100,
                    day: digits / 1_000_000 % 100)
            else { return nil }
            self.init(
                day, hour: digits / 10_000 % 100, minute: digits / 100 % 100, second: digits % 100,
                offsetMinutes: zone.minutes)
            return
        }
        guard var day = scanner.day(in: bytes) else { return nil }
        if scanner.next(in: bytes) == UInt8(ascii: "T") { scanner.skip() } else { scanner.skipSpaces(in: bytes) }
        guard let clock = scanner.clock(in: bytes) else { return nil }
        scanner.skipSpaces(in: bytes)
        guard let offset = scanner.offset(in: bytes, default: zone.minutes) else { return nil }
        scanner.skipSpaces(in: bytes)
        guard scanner.isAtEnd(of: bytes) else { return nil }
        var hour = clock.hour
        if hour == 24 {
            guard clock.minute == 0, clock.second == 0, clock.millisecond == 0,
                let next = CalendarDate(daysSince1970: day.daysSince1970 + 1)
            else { return nil }
            (day, hour) = (next, 0)
        }
        self.init(
            day, hour: hour, minute: clock.minute, second: clock.second, millisecond: clock.millisecond,
            offsetMinutes: offset)
    }
}

extension DateTime: CustomStringConvertible {
    /// The time in ISO 8601 with its offset, `2026-07-08T13:00:00+08:00`; milliseconds only where they are not zero.
    public var description: String {
        var text = "\(day)T\(String(padding: hour, to: 2)):\(String(padding: minute, to: 2)):"
        text += String(padding: second, to: 2)
        if millisecond > 0 { text += ".\(String(padding: millisecond, to: 3))" }
        let offset = abs(offsetMinutes)
        return text + (offsetMinutes < 0 ? "-" : "+")
            + "\(String(padding: offset / 60, to: 2)):\(String(padding: offset % 60, to: 2))"
    }
}
