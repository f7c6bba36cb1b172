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

        /// Decodes the records of the chunk, which are checked to be UTF-8, and returns the number of bytes consumed.
        ///
        /// Throws what the decoder throws, and ``OpenDataError/Code/invalidText``.
        public func decode<Decoder: ChunkDecoder>(
            _ batch: inout RecordBatch, by decoder: inout Decoder
        ) throws(OpenDataError) -> Int {
            if var checking = decoder as? any TextCheckingDecoder, checking.checksText {
                let consumed = try checking.decodeUnchecked(&batch, isLast: false, textOffset: textOffset)
                if let after = checking as? Decoder { decoder = after }
                return consumed
            }
            try UTF8Source.validate(bytes[...], at: textOffset + byteOffset)
            return try decoder.decode(&batch, isLast: false)
        }
    }

    /// After so many wrong guesses, a payload is read in order to its end.
    private static let maximumMisses = 16

    /// The decoder for chunks of what is left, or `nil` if it has to be read in order.
    public var chunkDecoder: (any ChunkDecoder)? {
        guard source is UTF8Source, !isFinished, chunkMisses < RecordReader.maximumMisses else { return nil }
        return (decoder as? any ChunkDecoder)?.forChunks()
    }

    /// The next chunk, or `nil` where the rest is to be read in order, at the latest when the payload's end comes in
    /// sight.
    ///
    /// Its records are the caller's to decode; ``resume(_:recordOffset:left:isMiss:)`` has to be called before any
    /// other is read in order.
    ///
    /// Throws what the source throws.
    public mutating func nextChunk(_ decoder: some ChunkDecoder) throws(OpenDataError) -> Chunk? {
        guard let text = source as? UTF8Source else { return nil }
        var wanted = windowSize
        var end = 0
        while true {
            try fill(to: wanted, unchecked: true)
            if isAtEnd { return nil }
            end = decoder.likelyEnd(of: pending, careful: chunkMisses > 0)
            if end > 0 { break }
            guard pending.count < RecordReader.maximumRecord else {
                chunkMisses += 1
                return nil
            }
            wanted = min(max(pending.count * 2, windowSize), RecordReader.maximumRecord)
        }
        var bytes = pending
        pending = Array(bytes[end...])
        bytes.removeLast(bytes.count - end)
        defer { byteOffset += end }
        return Chunk(bytes: bytes, byteOffset: byteOffset, textOffset: text.textOffset)
    }

    /// Goes on in order behind chunks.
    ///
    /// - Parameters:
    ///   - decoder: The decoder as it stands behind the last record taken.
    ///   - recordOffset: The number of records up to there.
    ///   - left: The text of the chunks from there on.
    ///   - isMiss: Whether a chunk has ended elsewhere than was thought.
    public mutating func resume(_ decoder: some ChunkDecoder, recordOffset: Int, left: [UInt8], isMiss: Bool) {
        self.decoder = decoder
        self.recordOffset = recordOffset
        if isMiss { chunkMisses += 1 }
        guard let text = source as? UTF8Source else { return }
        byteOffset -= left.count
        // What nobody has checked yet is read once more, by the source that checks it.
        source = text.unread(left + pending, at: byteOffset, isAtEnd: isAtEnd)
        (pending, isAtEnd) = ([], false)
    }
}
