/// How long a download of a data set stays current, so that it need not be asked for again.
///
/// When in doubt, declare less: a host that is asked whether something has changed sends next to nothing if it has not.
/// Publishers seldom keep to the minute, so publication is a window, not a moment: within it the host is always asked.
public struct Freshness: Sendable, Hashable {
    private enum Rule: Sendable, Hashable {
        case never
        case age(milliseconds: Int)
        // Minutes of the day in the zone; the end may lie on the next day.
        case window(start: Int, end: Int, zone: TimeZoneOffset)
    }

    private let rule: Rule

    private init(_ rule: Rule) { self.rule = rule }

    /// Never current: the host is asked each time.
    public static let revalidated = Freshness(.never)

    /// Current for so long after the download.
    public static func age(_ age: Duration) -> Freshness {
        let (seconds, attoseconds) = age.components
        return Freshness(.age(milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)))
    }

    /// Published once a day at some time between two, each a clock time such as `"13:30"`; current from the end of that
    /// window to the beginning of the next.
    ///
    /// - Precondition: both are times from 00:00 to 24:00, and the first is the earlier one.
    public static func daily(from start: String, to end: String, zone: TimeZoneOffset = .taipei) -> Freshness {
        guard let start = minutes(start), let end = minutes(end), start < end else {
            preconditionFailure("a window of publication is two clock times in order")
        }
        return Freshness(.window(start: start, end: end, zone: zone))
    }

    /// Whether what was current at one time still is at another; both in milliseconds since 1970.
    ///
    /// What comes from the future is not current: some clock is wrong.
    public func covers(from then: Int, to now: Int) -> Bool {
        guard then <= now else { return false }
        switch rule {
        case .never: return false
        case .age(let milliseconds): return now - then <= milliseconds
        case .window(let start, let end, let zone):
            let (day, minute) = (86_400_000, 60_000)
            // Times of day on the publisher's clock, counted from the end of a window.
            let shift = zone.minutes * minute - end * minute
            let (since, until) = (then + shift, now + shift)
            let isSamePause = floor(since, day) == floor(until, day)
            return isSamePause && until - floor(until, day) * day < day - (end - start) * minute
        }
    }

    /// The rule in words, for descriptions.
    public var summary: String {
        switch rule {
        case .never: return "asked each time"
        case .age(let milliseconds):
            let seconds = milliseconds / 1000
            return seconds % 3600 == 0 ? "for \(seconds / 3600) h" : "for \(seconds) s"
        case .window(let start, let end, let zone):
            return "from \(Freshness.clock(end)) to \(Freshness.clock(start)), \(zone.name) time"
        }
    }

    private func floor(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }

    private static func clock(_ minutes: Int) -> String {
        "\(String(padding: minutes / 60, to: 2)):\(String(padding: minutes % 60, to: 2))"
    }

    private static func minutes(_ clock: String) -> Int? {
        let parts = clock.split(separator: ":").map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], 0...24 ~= hour, 0...59 ~= minute,
            hour * 60 + minute <= 1440
        else { return nil }
        return hour * 60 + minute
    }
}
