#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The processors of this machine.
enum Processors {
    /// How many are in use.
    static let count = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
}
