import OpenDataCore

extension RecordBatch {
    /// Writes the records in the order of the payload: those that are cells, and between them those of the transcript.
    ///
    /// - Parameter writeCells: Writes some of the records that are cells.
    func writePieces(into output: inout [UInt8], _ writeCells: (Range<Int>, inout [UInt8]) -> Void) {
        // Without a copy, where there is nothing else.
        if count == 0, output.isEmpty, !transcript.runs.isEmpty {
            output = transcript.bytes
            return
        }
        var (first, start) = (0, 0)
        for run in transcript.runs {
            var next = first
            while next < count, origins[next].record < run.record { next += 1 }
            if next > first { writeCells(first..<next, &output) }
            output += transcript.bytes[start..<run.end]
            (first, start) = (next, run.end)
        }
        if first < count { writeCells(first..<count, &output) }
    }
}
