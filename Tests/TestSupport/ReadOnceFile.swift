import Foundation

/// Bytes at a descriptor, to be read on from it as from a pipe.
public final class ReadOnceFile {
    private let handle: FileHandle

    /// Opens a file with the bytes, which has no name any more.
    public init(_ bytes: [UInt8]) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("once-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        handle = try FileHandle(forReadingFrom: file)
        try FileManager.default.removeItem(at: file)
    }

    /// Open as long as the object lives.
    public var descriptor: Int32 { handle.fileDescriptor }
}
