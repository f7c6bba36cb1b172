#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A folder of files that make later work faster or politer, and that may be removed at any time.
///
/// Nothing is created before ``folder(_:)`` is called.
public struct CacheDirectory: Sendable, Hashable {
    /// The path of the folder; empty if this user has no place for one.
    public let path: String

    /// Names a folder, which need not exist yet.
    public init(path: String) { self.path = path }

    /// The folder that all programs of the user share.
    ///
    /// It is `ODCTL_CACHE`, else `XDG_CACHE_HOME/opendata`, else `opendata` in the place that the system has for such
    /// files: `~/.cache` or, on Apple's platforms, `~/Library/Caches`. An `XDG_CACHE_HOME` that is no absolute path is
    /// passed over, as its specification wants.
    /// - Parameter environment: The value of a variable, if it is set; those of the process unless given.
    public static func standard(
        _ environment: (String) -> String? = { CacheDirectory.variable($0) }
    ) -> CacheDirectory {
        if let path = environment("ODCTL_CACHE"), !path.isEmpty { return CacheDirectory(path: path) }
        if let path = environment("XDG_CACHE_HOME"), path.utf8.first == UInt8(ascii: "/") {
            return CacheDirectory(path: path + "/opendata")
        }
        guard let home = environment("HOME"), home.utf8.first == UInt8(ascii: "/") else {
            return CacheDirectory(path: "")
        }
        #if canImport(Darwin)
            return CacheDirectory(path: home + "/Library/Caches/opendata")
        #else
            return CacheDirectory(path: home + "/.cache/opendata")
        #endif
    }

    /// The path of a folder within this one.
    ///
    /// Both are created if they do not exist, for this user alone (0700). Throws ``OpenDataError/Code/unwritable`` if
    /// that cannot be done, and for a name that is empty, begins with a dot
    /// or holds a slash.
    public func folder(_ name: String) throws(OpenDataError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw OpenDataError(
                .unwritable, "there is no place for cached files; name one in the variable ODCTL_CACHE")
        }
        let bytes = Array(name.utf8)
        guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")),
            !bytes.contains(0)
        else {
            throw OpenDataError(.unwritable, "'\(name)' cannot be the name of a folder of cached files")
        }
        let folder = path + "/" + name
        try CacheDirectory.create(folder)
        return folder
    }

    /// Creates a folder and those above it that are missing.
    private static func create(_ path: String) throws(OpenDataError) {
        if makeOne(path) || isFolder(path) { return }
        if errno == ENOENT {
            let bytes = path.utf8
            for index in bytes.indices.dropFirst() where bytes[index] == UInt8(ascii: "/") {
                _ = makeOne(String(path[..<index]))
            }
            // Another process may have been faster.
            if makeOne(path) || isFolder(path) { return }
        }
        throw SystemFile.error(.unwritable, "cannot be created", path)
    }

    private static func makeOne(_ path: String) -> Bool { unsafe mkdir(path, 0o700) == 0 }

    /// Whether there is a folder at the path; the system's number for the last failure stays what it was.
    private static func isFolder(_ path: String) -> Bool {
        let number = errno
        defer { errno = number }
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The value of a variable of the process's environment.
    @usableFromInline static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
