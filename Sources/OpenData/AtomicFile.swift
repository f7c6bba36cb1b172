import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that appears whole or not at all.
///
/// Bytes go to a file in the target's folder, which takes its place in one step. Whatever ends the work before that,
/// the earlier file stays as it was. On Linux the file has no name before that, so that a process that is killed leaves
/// nothing behind. A symbolic link is followed; the permissions of the earlier file are kept.
package struct AtomicFile: ~Copyable, Sendable {
    private let file: SystemFile
    private let target: String
    // The name that the file has, or will have for a moment.
    private let temporary: String
    // Whether the file has that name.
    private var isNamed: Bool

    /// Starts a file for the target.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    package init(_ path: String) throws(OpenDataError) {
        guard let target = AtomicFile.resolved(path) else {
            throw OpenDataError(.unwritable, "'\(path)' is a link that leads round in a circle")
        }
        var status = stat()
        let exists = unsafe stat(target, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw OpenDataError(.unwritable, "'\(path)' is a directory; name a file in it")
        }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            throw OpenDataError(.unwritable, "'\(path)' is no regular file; use standard output for pipes and devices")
        }
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let name = target.dropFirst(folder.count)
        let suffix = String(UInt64.random(in: 0 ... .max), radix: 36)
        let mask = umask(0)
        _ = umask(mask)
        let permissions = exists ? status.st_mode & 0o777 : 0o666 & ~mask
        let temporary = "\(folder).\(name.prefix(60)).\(suffix).tmp"
        let unnamed = SystemFile(unnamedIn: folder, as: target, permissions: UInt32(permissions))
        let file = if let unnamed { unnamed } else { try AtomicFile.named(temporary, for: path, permissions) }
        _ = fchmod(file.descriptor, permissions)
        self.file = file
        self.target = target
        self.temporary = temporary
        isNamed = unnamed == nil
    }

    /// Creates the file beside the target, where it has to have a name.
    private static func named(
        _ temporary: String, for path: String, _ permissions: mode_t
    ) throws(OpenDataError) -> SystemFile {
        do throws(OpenDataError) {
            return try SystemFile(creating: temporary, permissions: UInt32(permissions))
        } catch {
            // The person knows the target, not the file beside it.
            var error = error
            error.message = error.message.pieces(between: temporary).joined(separator: path)
            throw error
        }
    }

    /// Adds bytes.
    ///
    /// Throws ``OpenDataError/Code/unwritable``, for example when the disk is full.
    package func append(_ bytes: [UInt8]) throws(OpenDataError) { try file.write(bytes) }

    /// Puts the file in its place, once its bytes are on the disk.
    package mutating func commit() throws(OpenDataError) {
        try file.synchronize()
        if !isNamed { try file.link(to: temporary) }
        isNamed = true
        guard unsafe rename(temporary, target) == 0 else {
            throw SystemFile.error(.unwritable, "cannot be replaced", target)
        }
        isNamed = false
    }

    /// Takes a file away, if it is there.
    package static func remove(_ path: String) { _ = unsafe unlink(path) }

    deinit {
        if isNamed { _ = unsafe unlink(temporary) }
    }

    /// The file that a path leads to, which need not exist, through any links; `nil` if they lead round in a circle.
    private static func resolved(_ path: String) -> String? {
        var path = path
        for _ in 0..<40 {
            var buffer = [CChar](repeating: 0, count: 4096)
            // In bounds: no more is written than there is room for.
            let count = unsafe readlink(path, &buffer, 4096)
            guard count > 0 else { return path }
            let link = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = link.hasPrefix("/") ? link : folder + link
        }
        return nil
    }
}
