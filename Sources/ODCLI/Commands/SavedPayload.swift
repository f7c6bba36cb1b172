import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The payload that `--from` names.
enum SavedPayload {
    /// Opens a file, or reads on from standard input for `-`.
    ///
    /// A pipe with a path, such as `<(curl …)`, can be opened and read once only, as standard input can.
    /// Throws ``OpenDataError/Code/unreadable``.
    static func open(_ path: String, standardInput: Int32) throws(OpenDataError) -> Payload {
        if path == "-" { return try Payload.stream(descriptor: standardInput) }
        var status = stat()
        let type = unsafe stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        guard type != S_IFREG, type != S_IFDIR else { return try Payload.file(path) }
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFile.error(.unreadable, "cannot be read", path) }
        return try Payload.stream(descriptor: descriptor)
    }
}

// The name alone would be found as a member of the enumeration first.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }
