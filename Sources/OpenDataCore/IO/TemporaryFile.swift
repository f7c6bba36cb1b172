#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file without a name: the system takes it away with its last reader, even when the process is killed.
public final class TemporaryFile: Sendable {
    let file: SystemFile

    /// Creates an empty file in `TMPDIR`, or in `/tmp`.
    ///
    /// Throws ``OpenDataError/Code/unwritable``.
    public init() throws(OpenDataError) {
        let folder = TemporaryFile.systemDirectory
        let name = "\(folder)/opendata-\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
        file = try SystemFile(creating: name, permissions: 0o600)
        _ = unsafe unlink(name)
    }

    /// Takes over a file that is open for reading: it stays readable when somebody removes its name.
    package init(opened file: SystemFile) { self.file = file }

    /// Adds bytes at the end.
    ///
    /// Throws ``OpenDataError/Code/unwritable``, for example when the disk is full.
    public func append(_ bytes: [UInt8]) throws(OpenDataError) { try file.write(bytes) }

    private static var systemDirectory: String {
        guard let variable = unsafe getenv("TMPDIR") else { return "/tmp" }
        let path = unsafe String(cString: variable)
        return path.isEmpty ? "/tmp" : path
    }
}
