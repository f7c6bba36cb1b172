/// Bytes in order, in pieces.
public protocol ByteSource: Sendable {
    /// Adds up to `count` bytes to `buffer` and returns how many; 0 only at the end.
    ///
    /// Throws ``OpenDataError/Code/unreadable`` if the bytes cannot be read, or whatever a conversion on the way throws.
    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int
}

/// Bytes in memory.
public struct ByteArraySource: ByteSource {
    private let bytes: [UInt8]
    private var index = 0

    /// Reads the bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Adds the next bytes.
    public mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
        let end = min(index + count, bytes.count)
        buffer += bytes[index..<end]
        defer { index = end }
        return end - index
    }
}
