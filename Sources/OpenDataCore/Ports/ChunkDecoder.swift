/// A decoder whose records can be decoded apart from those before them, given where they begin.
///
/// Chunks of one payload are then decoded at the same time, each by a copy of the decoder as it stood before the first
/// of them. Where a chunk ends is a guess; decoding the chunk before it proves it right or wrong, and behind a wrong
/// one the payload is read on in order.
public protocol ChunkDecoder: RecordDecoder {
    /// The physical line that the next record begins on, from 1.
    var line: Int { get set }

    /// Whether no record can bring a column that is not yet known; true unless declared.
    var hasAllColumns: Bool { get }

    /// A decoder for a chunk that begins with a record, or `nil` as long as more than that has to be known.
    func forChunks() -> Self?

    /// The end of the last record of the bytes, which begin with one; 0 if they seem to have no whole record.
    ///
    /// - Parameter careful: Whether to read all the bytes for it, where looking at the last few has proved wrong.
    func likelyEnd(of bytes: [UInt8], careful: Bool) -> Int

    /// The end of the last record in bytes that begin anywhere; 0 where more of them are needed to tell.
    ///
    /// 0 unless declared.
    func likelyEnd(ofTail bytes: [UInt8]) -> Int

    /// Moves on past a chunk that begins where this decoder stands, given the decoder behind it, whose lines were
    /// counted from 1.
    ///
    /// False if chunks that follow would have been decoded in another way from here than they were from the start.
    /// Unless declared, chunks leave nothing but their lines.
    mutating func follow(_ chunk: Self) -> Bool
}

extension ChunkDecoder {
    /// True: a header has named the columns.
    public var hasAllColumns: Bool { true }

    /// 0: chunks are always read as a whole to find where they end.
    public func likelyEnd(ofTail bytes: [UInt8]) -> Int { 0 }

    /// Adds the chunk's lines.
    public mutating func follow(_ chunk: Self) -> Bool {
        line += chunk.line - 1
        return true
    }
}
