/// Where a kernel that writes records stopped.
package struct EncoderProgress {
    /// The number of the first record not taken.
    package var record: Int
    /// The number of bytes written.
    package var written: Int

    /// Makes a place.
    @inlinable
    package init(record: Int, written: Int) {
        self.record = record
        self.written = written
    }
}
