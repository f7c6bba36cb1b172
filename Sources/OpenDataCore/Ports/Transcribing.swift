/// How an encoder of JSON writes each record, whatever the ones before it were.
package struct RecordLayout: Sendable {
    /// What stands before the value of each field: its name, and what is between it and what comes before.
    package var names: [[UInt8]]
    /// What stands behind a record.
    package var end: [UInt8]
    /// Writes a value, given the bytes that its cell points at.
    package var write: @Sendable (Cell, [UInt8], inout [UInt8]) -> Void

    /// Makes a layout.
    package init(
        names: [[UInt8]], end: [UInt8], write: @escaping @Sendable (Cell, [UInt8], inout [UInt8]) -> Void
    ) {
        self.names = names
        self.end = end
        self.write = write
    }
}

/// An encoder whose records a ``Transcriber`` may write.
///
/// Conforming: batches for it may have a ``Transcript``, whose records are written in their places.
package protocol TranscribedEncoder: RecordEncoder {
    /// How records are written from here on, or `nil` as long as they depend on those before.
    var layout: RecordLayout? { get }
}

/// A decoder that hands over text of plain records to be written, and has no cells of them.
package protocol TranscribingDecoder: RecordDecoder {
    /// What writes records; batches have a ``Transcript`` only if there is one.
    var transcriber: Transcriber? { get set }
}
