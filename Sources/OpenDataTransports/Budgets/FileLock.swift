import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that this object alone has locked, among all processes.
///
/// The system takes the lock away with the last reference, and when the process ends in whatever way.
final class FileLock: Sendable {
    /// The file, open for reading and writing.
    let file: SystemFile

    private init(_ file: SystemFile) { self.file = file }

    /// Locks a file, which is created if it does not exist; `nil` if somebody else has it locked.
    ///
    /// Throws ``OpenDataError/Code/unwritable`` where there can be no such file or no lock on it.
    static func attempt(_ path: String) throws(OpenDataError) -> FileLock? {
        // Whoever empties the folder leaves us with the lock of a file that nobody else will find: then once more.
        for _ in 0..<16 {
            let file = try opened(path, creating: true)
            var result: Int32
            repeat { result = flock(file.descriptor, LOCK_EX | LOCK_NB) } while result != 0 && errno == EINTR
            if result != 0 {
                if errno == EWOULDBLOCK { return nil }
                throw SystemFile.error(.unwritable, "cannot be locked", path)
            }
            if isAt(path, file) { return FileLock(file) }
        }
        return nil
    }

    /// The same, with several attempts within about so many milliseconds, for locks that are held for an instant.
    static func attempt(_ path: String, milliseconds: Int) throws(OpenDataError) -> FileLock? {
        for _ in 0..<max(milliseconds, 1) {
            if let lock = try attempt(path) { return lock }
            SystemThread.sleep(milliseconds: 1)
        }
        return try attempt(path)
    }

    /// Opens a file for reading and writing; a symbolic link is refused.
    static func opened(_ path: String, creating: Bool) throws(OpenDataError) -> SystemFile {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT : 0)
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemFile.error(.unwritable, "cannot be opened", path) }
        return SystemFile(descriptor: descriptor, path: path, closes: true)
    }

    /// Lets the lock go before the last reference.
    func unlock() { _ = flock(file.descriptor, LOCK_UN) }

    private static func isAt(_ path: String, _ file: SystemFile) -> Bool {
        var (there, here) = (stat(), stat())
        return unsafe stat(path, &there) == 0 && fstat(file.descriptor, &here) == 0
            && there.st_ino == here.st_ino && there.st_dev == here.st_dev
    }
}
