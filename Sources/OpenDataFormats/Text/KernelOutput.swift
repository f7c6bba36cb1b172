import OpenDataCore

/// The output of kernels that write records into a buffer.
enum KernelOutput {
    /// Has a kernel write records for as long as it takes them, and returns the first that it does not.
    ///
    /// - Parameters:
    ///   - first: The first record to write, of `count`.
    ///   - room: The bytes that nearly every batch gets by with.
    ///   - kernel: Writes from a record on, into a buffer.
    static func write(
        from first: Int, count: Int, room: Int, into output: inout [UInt8],
        _ kernel: (Int, UnsafeMutableRawBufferPointer) -> EncoderProgress
    ) -> Int {
        var progress = EncoderProgress(record: first, written: 0)
        if output.isEmpty {
            output = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, written in
                progress = unsafe kernel(first, UnsafeMutableRawBufferPointer(buffer))
                written = progress.written
            }
        }
        while progress.record < count {
            // A buffer that stays in the processor's cache, so that the copy out of it is cheap.
            unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                progress = unsafe kernel(progress.record, buffer)
                unsafe output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<progress.written]))
            }
            if progress.written == 0 { break }
        }
        return progress.record
    }
}
