import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The files of a store, by their paths.
///
/// `objects/ab/cdef…` are the bytes of a payload, named by their SHA-256; `objects/ab/cdef….NAME.json` is the record of
/// the snapshot NAME that they belong to; `incoming/` holds what is being written, `partial/` what of interrupted
/// downloads is there.
struct StoreFolder: Sendable, Hashable {
    let path: String

    var index: String { path + "/index.sqlite" }
    var lock: String { path + "/index.lock" }
    var incoming: String { path + "/incoming" }
    var partial: String { path + "/partial" }
    var objects: String { path + "/objects" }

    /// The folder of an object.
    func shelf(_ sha256: String) -> String { objects + "/" + sha256.prefix(2) }

    func object(_ sha256: String) -> String { shelf(sha256) + "/" + sha256.dropFirst(2) }

    func record(_ sha256: String, _ name: String) -> String { "\(object(sha256)).\(name).json" }

    /// A new path for a file being written.
    func newIncoming() -> String { "\(incoming)/\(StoreFolder.randomName()).tmp" }

    static func randomName() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }

    /// Creates the folders that are missing.
    func create() throws(OpenDataError) {
        for folder in [incoming, partial, objects] { try StoreFolder.makeFolder(folder) }
    }

    static func makeFolder(_ path: String) throws(OpenDataError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw SystemFile.error(.unwritable, "cannot be created", path)
    }

    /// Whether files can be created in the folder.
    static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Puts a file in the place of another in one step.
    static func move(_ path: String, to target: String) throws(OpenDataError) {
        guard unsafe rename(path, target) == 0 else {
            throw SystemFile.error(.unwritable, "cannot be created", target)
        }
    }

    /// Writes a file that appears whole or not at all.
    func write(_ text: String, to target: String) throws(OpenDataError) {
        let path = newIncoming()
        do throws(OpenDataError) {
            let file = try SystemFile(creating: path, permissions: 0o600)
            try file.write(Array(text.utf8))
            try StoreFolder.move(path, to: target)
        } catch {
            StoreFolder.remove(path)
            throw error
        }
    }

    /// The names in a folder, sorted; none if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // In bounds: the system ends the name by a zero within the field.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The identity, length and age of a file, if there is one.
    static func status(_ path: String) -> (identity: UInt64, bytes: Int, secondsSince1970: Int)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = status.st_mtimespec.tv_sec
        #else
            let changed = status.st_mtim.tv_sec
        #endif
        return (UInt64(status.st_ino), Int(status.st_size), Int(changed))
    }

    /// The text of a file, if there is one of at most a mebibyte in UTF-8.
    static func text(_ path: String) -> String? {
        guard var source = try? FileSource(path: path) else { return nil }
        var bytes: [UInt8] = []
        while bytes.count <= 1 << 20 {
            guard let count = try? source.read(1 << 16, into: &bytes) else { return nil }
            if count == 0 {
                let text = String(decoding: bytes, as: UTF8.self)
                return text.utf8.elementsEqual(bytes) ? text : nil
            }
        }
        return nil
    }

    /// Runs `body` while no other process is in here.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        let file = try SystemFile.openingLock(lock)
        while flock(file.descriptor, LOCK_EX) != 0, errno == EINTR {}
        // The lock ends with the descriptor.
        return try withExtendedLifetime(file) { try body() }
    }

    /// Milliseconds since the start of 1970.
    static func now() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
    }
}

extension SystemFile {
    fileprivate static func openingLock(_ path: String) throws(OpenDataError) -> SystemFile {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(.unwritable, "cannot be opened", path) }
        return SystemFile(descriptor: descriptor, path: path, closes: true)
    }
}
