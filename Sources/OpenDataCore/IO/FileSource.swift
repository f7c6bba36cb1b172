/// Bytes of a file or an open descriptor.
public struct FileSource: ByteSource, SeekableSource {
    private let file: SystemFile
    private let owner: TemporaryFile?
    // The place of the next read; `nil` for a descriptor that can only be read on.
    private var offset: Int?

    /// Opens a file for reading.
    ///
    /// Throws ``OpenDataError/Code/unreadable``, for a directory too.
    public init(path: String) throws(OpenDataError) {
        file = try SystemFile(reading: path)
        owner = nil
        offset = file.isRegular ? 0 : nil
    }

    /// Reads a temporary file from its start; any number of sources can read one file at once.
    public init(_ temporary: TemporaryFile) {
        file = temporary.file
        owner = temporary
        offset = 0
    }

    /// Reads on from a descriptor, which stays open.
    ///
    /// `name` is what errors call it.
    public init(descriptor: Int32, name: String) {
        file = SystemFile(descriptor: descriptor, path: name, closes: false)
        file.widenPipe()
        owner = nil
        offset = nil
    }

    package var place: Int? { offset }

    package func reading(at offset: Int) -> FileSource? {
        guard self.offset != nil, offset >= 0 else { return nil }
        var copy = self
        copy.offset = offset
        return copy
    }

    /// The length in bytes; `nil` for what has none, such as a pipe.
    package var length: Int? { file.length }

    /// Adds the next bytes.
    public mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        let received = try file.read(count, at: offset, into: &buffer)
        offset = offset.map { $0 + received }
        return received
    }
}
