import OpenDataCore

/// The date format of HTTP headers (RFC 9110, 5.6.7).
enum HTTPDate {
    /// The seconds since 1970 of the moment that a text such as `Mon, 30 Nov 2026 03:43:36 GMT` stands for.
    ///
    /// The two obsolete forms are not read.
    static func secondsSince1970(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), let year = Int(parts[3]),
            let month = months.firstIndex(of: String(parts[2])), (1601...9999).contains(year),
            let date = CalendarDate(year: year, month: month + 1, day: day)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
