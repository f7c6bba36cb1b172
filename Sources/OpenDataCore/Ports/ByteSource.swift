/// Bytes in order, in pieces.
public protocol ByteSource: Sendable {
    /// Adds up to `count` bytes to `buffer` and returns how many; 0 only at the end.
    ///
    /// Throws ``OpenDataError/Code/unreadable`` if the bytes cannot be read, or whatever a conversion on the way
    /// throws.
    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int
}

/// Bytes that may be read from any place on, by several threads at once.
package protocol SeekableSource: ByteSource {
    /// The offset of the next byte, or `nil` where bytes can only be read in order after all.
    var place: Int? { get }

    /// The same bytes from an offset on, which may be the end; `nil` for what can only be read in order.
    func reading(at offset: Int) -> Self?
}

/// Bytes in memory.
public struct ByteArraySource: ByteSource, SeekableSource {
    private let bytes: [UInt8]
    private var index = 0

    /// Reads the bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var place: Int? { index }

    package func reading(at offset: Int) -> ByteArraySource? {
        var copy = self
        copy.index = min(max(offset, 0), bytes.count)
        return copy
    }

    /// Adds the next bytes.
    public mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
        let end = min(index + count, bytes.count)
        buffer += bytes[index..<end]
        defer { index = end }
        return end - index
    }
}

/// Bytes that were read ahead, then the rest of their source.
public struct PrefixedSource: ByteSource {
    private var prefix: ArraySlice<UInt8>
    private var source: any ByteSource

    /// Reads the prefix, then the source.
    public init(_ prefix: [UInt8], _ source: any ByteSource) {
        self.prefix = prefix[...]
        self.source = source
    }

    /// The source, once it alone has anything left.
    package var rest: (any ByteSource)? { prefix.isEmpty ? source : nil }

    /// Adds the next bytes.
    public mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        guard !prefix.isEmpty else { return try source.read(count, into: &buffer) }
        let taken = min(count, prefix.count)
        buffer += prefix.prefix(taken)
        prefix = prefix.dropFirst(taken)
        return taken
    }
}
