/// A decoder that can check text to be UTF-8 while it decodes it, which costs less than a look at it beforehand.
public protocol TextCheckingDecoder: RecordDecoder {
    /// Whether the decoder is ready for text that nobody has checked; once it is, it stays so.
    var checksText: Bool { get }

    /// Decodes like ``RecordDecoder/decode(_:isLast:)``, from bytes that nobody has checked, and checks those that it
    /// consumes.
    ///
    /// Throws, beside what `decode` throws, ``OpenDataError/Code/invalidText``.
    /// - Parameter textOffset: The offset of the text's first byte in the payload, for errors.
    mutating func decodeUnchecked(
        _ batch: inout RecordBatch, isLast: Bool, textOffset: Int
    ) throws(OpenDataError) -> Int
}
