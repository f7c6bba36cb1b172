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
/// Bytes go to a file beside the target, which takes its place in one step. Whatever ends the work before that, the
/// earlier file stays as it was. A symbolic link is followed; the permissions of the earlier file are kept.
package struct AtomicFile: ~Copyable, Sendable {
    private let file: SystemFile
    private let target: String
    private var isCommitted = false

    /// Starts a file for the target.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    package init(_ path: String) throws(OpenDataError) {
        let end = AtomicFile.resolved(path)
        let target = end ?? path
        self.target = target
        if end == nil { throw OpenDataError(.unwritable, "'\(path)' is a link that leads round in a circle") }
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
        do {
            file = try SystemFile(creating: temporary, permissions: UInt32(permissions))
        } catch {
            // The person knows the target, not the file beside it.
            var error = error
            error.message = error.message.pieces(between: temporary).joined(separator: path)
            throw error
        }
        _ = fchmod(file.descriptor, permissions)
    }

    /// Adds bytes.
    ///
    /// Throws ``OpenDataError/Code/unwritable``, for example when the disk is full.
    package func append(_ bytes: [UInt8]) throws(OpenDataError) { try file.write(bytes) }

    /// Puts the file in its place, once its bytes are on the disk.
    package mutating func commit() throws(OpenDataError) {
        try file.synchronize()
        guard unsafe rename(file.path, target) == 0 else {
            throw SystemFile.error(.unwritable, "cannot be replaced", target)
        }
        isCommitted = true
    }

    /// Takes a file away, if it is there.
    package static func remove(_ path: String) { _ = unsafe unlink(path) }

    deinit {
        if !isCommitted { _ = unsafe unlink(file.path) }
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
