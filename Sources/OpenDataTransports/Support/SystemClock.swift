#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The time of day, as this machine has it.
enum SystemClock {
    /// The seconds since 1 January 1970, 00:00 UTC.
    static var secondsSince1970: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The hour and minute of a moment in the zone of this machine, such as `09:05`.
    static func hourAndMinute(secondsSince1970 seconds: Double) -> String {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&moment, &parts)
        func text(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return unsafe "\(text(parts.tm_hour)):\(text(parts.tm_min))"
    }
}
