/// Turns the bytes of one format into records, a window at a time.
///
/// A decoder is a state machine without input or output of its own, so that it can be tested without either. The caller
/// puts a window of UTF-8 text into `batch.bytes` and calls ``decode(_:isLast:)``; the decoder adds the records that
/// are whole and says how many bytes they took. What is left is the beginning of the next window, which has more bytes.
///
/// Conforming: the records and errors must not depend on where windows are cut.
public protocol RecordDecoder: Sendable {
    /// Adds every whole record of `batch.bytes` to the batch and returns the number of bytes that are done with.
    ///
    /// The decoder sets `batch.columns`, and adds to `cells`, `origins` and `rejects`. It may rewrite the bytes of a
    /// finished record, to undo escapes in place, and must leave those after the returned count as they are. It may
    /// stop before the window's end, for example where columns change. 0 without records means: more bytes are needed.
    /// - Parameter isLast: Whether the payload ends with this window. Then everything is to be consumed or refused.
    /// - Throws: ``OpenDataError`` with a position, where the bytes break the format's rules.
    mutating func decode(_ batch: inout RecordBatch, isLast: Bool) throws(OpenDataError) -> Int

    /// What was found beside the records so far: see ``Preamble/members``.
    var members: [String: String] { get }
}
