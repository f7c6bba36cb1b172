/// A decoder whose records can be decoded apart from those before them, given where they begin.
///
/// Chunks of one payload are then decoded at the same time. Where a chunk ends is a guess; decoding the chunk before it
/// proves it right or wrong, and a wrong one is decoded again from the right place.
public protocol ChunkDecoder: RecordDecoder {
    /// The physical line that the next record begins on, from 1.
    var line: Int { get set }

    /// A decoder for a chunk that begins with a record, or `nil` as long as more than that has to be known.
    func forChunks() -> Self?

    /// The end of the last record of the bytes, which begin with one; 0 if they seem to have no whole record.
    ///
    /// - Parameter careful: Whether to read all the bytes for it, where looking at the last few has proved wrong.
    func likelyEnd(of bytes: [UInt8], careful: Bool) -> Int

    /// Decodes like ``RecordDecoder/decode(_:isLast:)``, from bytes that nobody has checked to be UTF-8, and checks those
    /// of the records that it decodes.
    ///
    /// Throws, beside what `decode` throws, ``OpenDataError/Code/invalidText``.
    /// - Parameter textOffset: The offset of the text's first byte in the payload, for errors.
    mutating func decodeUnchecked(
        _ batch: inout RecordBatch, isLast: Bool, textOffset: Int
    ) throws(OpenDataError) -> Int
}
