import OpenDataCore

extension CSVDecoder {
    /// After so many bytes the transcriber is asked again, even where it has written next to nothing.
    private static let mostRest = 1 << 16
    /// So many records have to be written at a time, or it is not worth while.
    private static let leastRun = 32

    /// Has records of quoted cells written, and returns whether it took any.
    @discardableResult
    mutating func transcribe(_ bytes: [UInt8], from start: inout Int, into batch: inout RecordBatch) -> Bool {
        guard var transcriber, columns != nil, usesKernels, start < bytes.count, start >= restEnd,
            bytes[start] == UInt8(ascii: "\"")
        else { return false }
        // Where it is used is where it is kept.
        self.transcriber = nil
        defer { self.transcriber = transcriber }
        let (first, record) = (start, batch.recordOffset + batch.readCount + 1)
        var (records, written, isPoor) = (0, batch.transcript.bytes.count, false)
        var left: [Transcriber.Left] = []
        // In bounds: the transcriber's own terms, which are those of the window and the output.
        unsafe bytes.withUnsafeBytes { window in
            let room = unsafe written == 0 ? transcriber.room(for: window, from: start) : 0
            start = unsafe KernelOutput.write(
                from: start, count: bytes.count, room: room, into: &batch.transcript.bytes
            ) { place, output in
                let progress =
                    unsafe isPoor
                    ? Transcriber.Progress(end: place)
                    : transcriber.write(window, from: place, delimiter: dialect.delimiter, into: output)
                for var one in progress.left {
                    one.record += records
                    one.written += written
                    left.append(one)
                }
                batch.cells += progress.cells
                records += progress.records
                written += progress.written
                isPoor = progress.isPoor
                return EncoderProgress(record: progress.end, written: progress.written)
            }
        }
        var next = 0
        for one in left {
            batch.transcript.note(one.record - next, from: record + next, end: one.written)
            batch.origins.append(
                RecordOrigin(record: record + one.record, line: line + one.record, byte: batch.byteOffset + one.start))
            next = one.record + 1
        }
        batch.transcript.note(records - next, from: record + next, end: written)
        line += records
        // Few, unless there are no more in the window.
        let isAtEnd = records > 0 && bytes.count - start <= 2 * (start - first) / records
        if !isPoor, records >= CSVDecoder.leastRun || isAtEnd {
            (quotedRoom, mixedRoom, rest) = (CSVDecoder.leastRoom, CSVDecoder.leastRoom, CSVDecoder.leastRest)
        } else {
            (restEnd, rest) = (start + rest, min(rest * 2, CSVDecoder.mostRest))
        }
        return records > 0
    }
}
