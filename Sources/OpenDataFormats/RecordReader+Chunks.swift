public import OpenDataCore

extension RecordReader {
    /// A part of a payload's text that begins with a record and seems to end with one.
    public struct Chunk: Sendable {
        /// The text, not yet checked to be UTF-8.
        public var bytes: [UInt8]
        /// The offset of the first byte in the payload's text.
        public var byteOffset: Int
        /// The offset of the text's first byte in the payload.
        public var textOffset: Int
        /// Whether the payload ends here.
        public var isLast: Bool
    }

    /// The decoder for chunks of what is left, or `nil` if it has to be read in order.
    public var chunkDecoder: (any ChunkDecoder)? {
        guard source is UTF8Source, !isFinished else { return nil }
        return (decoder as? any ChunkDecoder)?.forChunks()
    }

    /// The next chunk, or `nil` at the end.
    ///
    /// Its records are the caller's to decode.
    ///
    /// Throws what ``next()`` throws, but for what decoding finds.
    /// - Parameter careful: See ``ChunkDecoder/likelyEnd(of:careful:)``.
    public mutating func nextChunk(_ decoder: some ChunkDecoder, careful: Bool) throws(OpenDataError) -> Chunk? {
        guard !isFinished, let text = source as? UTF8Source else { return nil }
        var wanted = windowSize
        var end = 0
        while true {
            try fill(to: wanted, unchecked: true)
            end = isAtEnd ? pending.count : decoder.likelyEnd(of: pending, careful: careful)
            if end > 0 || isAtEnd { break }
            try growWindow(&wanted)
        }
        isFinished = isAtEnd
        if pending.isEmpty { return nil }
        var bytes = pending
        pending = Array(bytes[end...])
        bytes.removeLast(bytes.count - end)
        defer { byteOffset += end }
        return Chunk(bytes: bytes, byteOffset: byteOffset, textOffset: text.textOffset, isLast: isFinished)
    }
}
