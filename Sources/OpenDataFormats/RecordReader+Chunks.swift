public import OpenDataCore

extension RecordReader {
    /// A part of a payload's text that begins with a record and seems to end with one.
    public struct Chunk: Sendable {
        /// Where the text is.
        private enum Text {
            case here([UInt8])
            case first(Int, of: any SeekableSource)
        }

        private let text: Text
        /// The offset of the first byte in the payload's text.
        public let byteOffset: Int
        /// The offset of the text's first byte in the payload.
        public let textOffset: Int

        fileprivate init(_ bytes: [UInt8], at byteOffset: Int, textOffset: Int) {
            text = .here(bytes)
            (self.byteOffset, self.textOffset) = (byteOffset, textOffset)
        }

        fileprivate init(first count: Int, of source: any SeekableSource, at byteOffset: Int, textOffset: Int) {
            text = .first(count, of: source)
            (self.byteOffset, self.textOffset) = (byteOffset, textOffset)
        }

        /// The number of bytes.
        public var count: Int {
            switch text {
            case .here(let bytes): bytes.count
            case .first(let count, _): count
            }
        }

        /// The text, not yet checked to be UTF-8: read now, by the thread that asks for it, where it can be.
        ///
        /// Fewer bytes than there are to be if the file has been cut short. Throws ``OpenDataError/Code/unreadable``.
        public func bytes() throws(OpenDataError) -> [UInt8] {
            switch text {
            case .here(let bytes): return bytes
            case .first(let count, var source): return try source.readAll(count)
            }
        }

        /// Decodes the chunk's bytes, which a batch has been given, and returns how many were consumed; those are
        /// checked to be UTF-8.
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
            try UTF8Source.validate(batch.bytes[...], at: textOffset + byteOffset)
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
    /// Its records are the caller's to decode; ``resume(_:recordOffset:left:consumed:)`` has to be called before any
    /// other is read in order.
    ///
    /// Throws what the source throws.
    public mutating func nextChunk(_ decoder: some ChunkDecoder) throws(OpenDataError) -> Chunk? {
        guard let text = source as? UTF8Source else { return nil }
        if let chunk = try nextPlace(text, decoder) { return chunk }
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
        return Chunk(bytes, at: byteOffset, textOffset: text.textOffset)
    }

    /// The next chunk where only its place has to be known, for which its last bytes are read.
    ///
    /// The thread that decodes it then reads it, so that no other one has had all bytes before.
    private mutating func nextPlace(
        _ text: UTF8Source, _ decoder: some ChunkDecoder
    ) throws(OpenDataError) -> Chunk? {
        let start = text.textOffset + byteOffset
        guard chunkMisses == 0, !isAtEnd, let source = text.seekable, source.place == start + pending.count else {
            return nil
        }
        for part in [256, 16] {
            let tail = windowSize / part
            guard tail > 0, var end = source.reading(at: start + windowSize - tail) else { return nil }
            let bytes = try end.readAll(tail)
            // The end of the payload is near.
            guard bytes.count == tail else { return nil }
            let length = decoder.likelyEnd(ofTail: bytes)
            guard length > 0 else { continue }
            let count = windowSize - tail + length
            guard let here = source.reading(at: start), let next = source.reading(at: start + count) else { return nil }
            let chunk = Chunk(first: count, of: here, at: byteOffset, textOffset: text.textOffset)
            byteOffset += count
            // What was read of it is read again with the rest.
            pending = []
            self.source = text.reading(next, at: byteOffset)
            return chunk
        }
        return nil
    }

    /// Goes on in order behind chunks.
    ///
    /// - Parameters:
    ///   - decoder: The decoder as it stands behind the last record taken.
    ///   - recordOffset: The number of records up to there.
    ///   - left: The chunks from there on, where one has ended elsewhere than was thought.
    ///   - consumed: How many bytes of the first of them have been taken.
    ///
    /// Throws what the source throws.
    public mutating func resume(
        _ decoder: some ChunkDecoder, recordOffset: Int, left: [Chunk] = [], consumed: Int = 0
    ) throws(OpenDataError) {
        self.decoder = decoder
        self.recordOffset = recordOffset
        guard let text = source as? UTF8Source else { return }
        if let first = left.first {
            chunkMisses += 1
            byteOffset = first.byteOffset + consumed
        }
        var bytes: [UInt8] = []
        for chunk in left { bytes += try chunk.bytes() }
        bytes.removeFirst(min(consumed, bytes.count))
        // What nobody has checked yet is read once more, by the source that checks it.
        source = text.unread(bytes + pending, at: byteOffset, isAtEnd: isAtEnd)
        (pending, isAtEnd) = ([], false)
    }
}

extension ByteSource {
    /// The next `count` bytes, or as many as there are.
    fileprivate mutating func readAll(_ count: Int) throws(OpenDataError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, try read(count - bytes.count, into: &bytes) > 0 {}
        return bytes
    }
}
