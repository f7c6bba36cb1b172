import OpenDataCore

extension RecordBatch {
    /// Writes the records in the order of the payload: those that are cells, and between them those of the transcript.
    ///
    /// - Parameter writeCells: Writes all records of a batch that has no transcript.
    func writePieces(into output: inout [UInt8], _ writeCells: (RecordBatch, inout [UInt8]) -> Void) {
        if transcript.runs.isEmpty { return writeCells(self, &output) }
        // Without a copy, where there is nothing else.
        if count == 0, output.isEmpty {
            output = transcript.bytes
            return
        }
        var (first, start) = (0, 0)
        for run in transcript.runs {
            let next = origins[first...].firstIndex { $0.record > run.record } ?? count
            if next > first { writeCells(self[first..<next], &output) }
            output += transcript.bytes[start..<run.end]
            (first, start) = (next, run.end)
        }
        if first < count { writeCells(self[first..<count], &output) }
    }
}
