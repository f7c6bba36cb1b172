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

    /// The time since this machine was started, sleep included; nobody can set it.
    static var sinceBoot: Duration {
        var time = timespec()
        #if canImport(Darwin)
            let clock = CLOCK_MONOTONIC
        #else
            let clock = CLOCK_BOOTTIME
        #endif
        _ = unsafe clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// A name for the time since this machine was started, another after each start; `nil` if the system tells none.
    static let boot: String? = {
        var bytes = [UInt8](repeating: 0, count: 64)
        #if canImport(Darwin)
            var count = bytes.count
            guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
        #else
            let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { _ = close(descriptor) }
            let count = unsafe read(descriptor, &bytes, bytes.count)
        #endif
        let name = bytes.prefix(max(count, 0)).filter { $0 > 0x20 && $0 < 0x7F }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }()

    /// The hour and minute of a moment in the zone of this machine, such as `09:05`.
    static func hourAndMinute(secondsSince1970 seconds: Double) -> String {
        var moment = time_t(seconds)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&moment, &parts)
        func text(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return unsafe "\(text(parts.tm_hour)):\(text(parts.tm_min))"
    }
}
