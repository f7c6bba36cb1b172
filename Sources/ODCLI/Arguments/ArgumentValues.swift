import OpenDataCore
import OpenDataStore

/// Values of flags that are more than a text.
enum ArgumentValues {
    /// A length of time such as `90s`, `30m`, `12h` or `7d`.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    static func age(_ text: String?, of flag: Flag) throws(OpenDataError) -> Duration? {
        guard let text else { return nil }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast()),
            count <= 1_000_000_000 / unit
        else {
            throw OpenDataError(.badArgument, "\(flag.name) takes an age such as 90s, 30m, 12h or 7d, not '\(text)'")
        }
        return .seconds(count * unit)
    }

    /// A number of bytes such as `1000000`, `500M` or `2G`.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    static func size(_ text: String?, of flag: Flag) throws(OpenDataError) -> Int? {
        guard let text else { return nil }
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        guard let count = number(unit == nil ? text[...] : text.dropLast()), count <= Int.max >> 31 else {
            throw OpenDataError(.badArgument, "\(flag.name) takes a size such as 500M or 2G, not '\(text)'")
        }
        return count * (unit ?? 1)
    }

    /// A time with its offset, or a day, which stands for its end in Taipei.
    ///
    /// Throws ``OpenDataError/Code/badArgument``.
    static func time(_ text: String?, of flag: Flag) throws(OpenDataError) -> DateTime? {
        guard let text else { return nil }
        let day = CalendarDate(parsing: text).flatMap { DateTime(endOf: $0, zone: .taipei) }
        if let time = day ?? DateTime(parsing: text, zone: .taipei) { return time }
        throw OpenDataError(
            .badArgument,
            "\(flag.name) takes a day such as 2026-07-08, or a time such as 2026-07-08T13:30+08:00,"
                + " not '\(text)'")
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { $0 &- 48 < 10 } ? Int(text) : nil
    }
}
