import OpenDataCore

extension Response {
    /// The wait that `Retry-After` asks for, in seconds or as a date; a day at most.
    ///
    /// - Parameter now: The time in seconds since 1970.
    func retryAfter(now: Double) -> Duration? {
        guard let text = header("Retry-After")?.filter({ $0 != "\t" }) else { return nil }
        let day = 86_400.0
        if let seconds = Int(text.filter { $0 != " " }), seconds >= 0 { return .seconds(min(seconds, Int(day))) }
        guard let date = HTTPDate.secondsSince1970(text) else { return nil }
        return .seconds(max(0, min(Double(date) - now, day)))
    }
}
