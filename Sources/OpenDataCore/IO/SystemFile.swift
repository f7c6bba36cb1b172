#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A descriptor of the operating system, closed with its last reference.
package final class SystemFile: Sendable {
    /// The descriptor.
    package let descriptor: Int32
    /// The path, or what errors call the descriptor.
    package let path: String
    private let closes: Bool

    package init(descriptor: Int32, path: String, closes: Bool) {
        self.descriptor = descriptor
        self.path = path
        self.closes = closes
    }

    /// Opens a file for reading; a directory is refused.
    package convenience init(reading path: String) throws(OpenDataError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFile.error(.unreadable, "cannot be read", path) }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            _ = close(descriptor)
            throw OpenDataError(.unreadable, "'\(path)' is a directory; name a file")
        }
        self.init(descriptor: descriptor, path: path, closes: true)
    }

    /// Creates a file that must not exist yet, with permissions such as 0o600.
    package convenience init(creating path: String, permissions: UInt32) throws(OpenDataError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
        guard descriptor >= 0 else { throw SystemFile.error(.unwritable, "cannot be created", path) }
        self.init(descriptor: descriptor, path: path, closes: true)
    }

    /// Creates a file without a name, which is gone with its last descriptor unless it is given one: ``link(to:)``.
    ///
    /// `nil` where the system or the folder's file system has no such files.
    ///
    /// - Parameter path: What errors call the file.
    package convenience init?(unnamedIn folder: String, as path: String, permissions: UInt32) {
        #if os(Linux)
            // O_TMPFILE, of which the C library's header makes no constant that Swift can see.
            let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
            let descriptor = unsafe open(
                folder.isEmpty ? "." : folder, O_RDWR | unnamed | O_CLOEXEC, mode_t(permissions))
            guard descriptor >= 0 else { return nil }
            self.init(descriptor: descriptor, path: path, closes: true)
            // What gives it a name.
            guard SystemFile.exists(ownPath) else { return nil }
        #else
            return nil
        #endif
    }

    /// Gives a file without a name one that nothing has yet.
    package func link(to name: String) throws(OpenDataError) {
        guard unsafe linkat(AT_FDCWD, ownPath, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            throw SystemFile.error(.unwritable, "cannot be created", path)
        }
    }

    /// Where the system shows the open file.
    private var ownPath: String { "/proc/self/fd/\(descriptor)" }

    deinit {
        if closes { _ = close(descriptor) }
    }

    /// Adds up to `count` bytes to `buffer` and returns how many; 0 at the end.
    ///
    /// With `offset`, reads there and leaves the descriptor's own place alone, so that readers can share it. Without, a
    /// wait for a pipe or a person ends with ``OpenDataError/Code/cancelled`` when the task is cancelled.
    package func read(_ count: Int, at offset: Int? = nil, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        if offset == nil { try waitForBytes() }
        var received = 0
        #if compiler(>=6.3)
            buffer.append(addingCapacity: count) { output in
                unsafe output.withUnsafeMutableBufferPointer { bytes, initialized in
                    // In bounds: there is room for `count` bytes.
                    let room = unsafe UnsafeMutableBufferPointer(rebasing: bytes[initialized...])
                    received = unsafe receive(UnsafeMutableRawBufferPointer(room), count, at: offset)
                    initialized += max(received, 0)
                }
            }
        #else
            let start = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: count))
            unsafe buffer.withUnsafeMutableBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
                received = unsafe receive(room, count, at: offset)
            }
            buffer.removeLast(count - max(received, 0))
        #endif
        if received < 0 { throw SystemFile.error(.unreadable, "cannot be read", path) }
        return received
    }

    /// Reads at most `count` bytes, and no more than there is room for; -1 where that fails.
    private func receive(_ room: UnsafeMutableRawBufferPointer, _ count: Int, at offset: Int?) -> Int {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<min(count, room.count)])
        var received = 0
        repeat {
            received =
                if let offset {
                    unsafe pread(descriptor, room.baseAddress, room.count, off_t(offset))
                } else {
                    unsafe systemRead(descriptor, room)
                }
        } while received < 0 && errno == EINTR
        return received
    }

    /// Has a pipe hold a mebibyte, where the system lets it: whoever writes to it is then seldom kept waiting.
    package func widenPipe() {
        #if os(Linux)
            // F_SETPIPE_SZ, of which the C library's header makes no constant that Swift can see. Refused for anything
            // but a pipe.
            let setPipeSize: Int32 = 1031
            _ = fcntl(descriptor, setPipeSize, 1 << 20)
        #endif
    }

    /// Whether the descriptor is of a regular file, which can be read at any place.
    package var isRegular: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The length of a regular file in bytes.
    package var length: Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private func waitForBytes() throws(OpenDataError) {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wait, 1, 100) == 0 {
            if Task.isCancelled { throw OpenDataError(.cancelled, "the wait for '\(path)' was called off") }
        }
    }

    /// Writes all bytes.
    ///
    /// Throws ``OpenDataError/Code/unwritable`` with a ``SystemError`` beneath, which tells whether a pipe's reader has
    /// gone.
    package func write(_ bytes: [UInt8]) throws(OpenDataError) {
        var written = 0
        while written < bytes.count {
            // In bounds: from what is written to the end.
            let count = unsafe bytes.withUnsafeBytes { all in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: all[written...]))
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&wait, 1, -1)
                    continue
                }
                throw SystemFile.error(.unwritable, "cannot be written", path)
            }
            written += count
        }
    }

    /// Waits until what was written has reached the disk.
    package func synchronize() throws(OpenDataError) {
        if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP {
            throw SystemFile.error(.unwritable, "cannot be written", path)
        }
    }

    /// Whether there is something at a path, or, unless links are followed, a link that leads to nothing.
    package static func exists(_ path: String, followsLinks: Bool = true) -> Bool {
        var status = stat()
        return unsafe followsLinks ? stat(path, &status) == 0 : lstat(path, &status) == 0
    }

    /// Whether two paths lead to one file, which need not exist yet.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        guard let first = place(one), let second = place(other) else { return false }
        return first == second
    }

    /// What tells files apart: the numbers of the file, or those of its folder and its name if there is no file.
    private static func place(_ path: String) -> [String]? {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return ["\(status.st_dev)", "\(status.st_ino)"] }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard unsafe stat(folder, &status) == 0 else { return nil }
        return ["\(status.st_dev)", "\(status.st_ino)", path.split(separator: "/").last.map(String.init) ?? ""]
    }

    /// An error with the system's reason for the last failure.
    package static func error(_ code: OpenDataError.Code, _ what: String, _ path: String) -> OpenDataError {
        let number = errno
        let reason = unsafe String(cString: strerror(number))
        return OpenDataError(code, "'\(path)' \(what): \(reason)", underlying: SystemError(number: number))
    }
}

// The names alone would be found as members of the class first.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, bytes.baseAddress, bytes.count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// A failure of the operating system.
package struct SystemError: Error, Sendable, Hashable {
    /// The `errno`.
    package let number: Int32

    /// Whether the reader of a pipe has gone.
    package var isClosedPipe: Bool { number == EPIPE }
}
