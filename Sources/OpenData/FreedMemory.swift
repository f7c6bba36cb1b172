#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Memory that has been given back, and where it goes.
enum FreedMemory {
    /// Has buffers of some hundred kilobytes, which come and go with each batch, stay with the process once they are
    /// freed, to be used again.
    ///
    /// The C library of most Linux systems would hand them to the system and ask for them anew, and each of their pages
    /// would be cleared again. It stops doing so with buffers that are no larger than one that it has seen freed:
    /// https://man7.org/linux/man-pages/man3/mallopt.3.html, under M_MMAP_THRESHOLD. This one is never written to, so
    /// that no memory stands behind it. Elsewhere nothing comes of it.
    static func keep() { _ = kept }

    private static let kept: Void = {
        var room: UnsafeMutableRawPointer?
        // Below the most that counts, 32 MiB. (A plain `malloc` that nothing uses would be left out by the compiler.)
        if unsafe posix_memalign(&room, 64, 24 << 20) == 0 { unsafe free(room) }
    }()
}
