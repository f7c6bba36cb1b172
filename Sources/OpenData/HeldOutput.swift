import OpenDataCore

/// Bytes on their way to a file or a stream, of which the first wait until many have come together.
struct HeldOutput {
    /// What is to be written next, to be added to.
    var bytes: [UInt8] = []
    // What is to be written before it, piece by piece; `nil` once nothing is held back.
    private var held: [[UInt8]]? = []
    private var heldCount = 0

    /// So many bytes are held back at first.
    private static let most = 4 << 20
    /// So many are written together afterwards.
    private static let piece = 1 << 18

    /// Adds bytes, which are not copied, and writes what is due.
    mutating func append(
        _ more: [UInt8], to write: ([UInt8]) throws(OpenDataError) -> Void
    ) throws(OpenDataError) {
        try flush(least: 1, to: write)
        bytes = more
        try flush(least: 1, to: write)
    }

    /// Writes what is due.
    mutating func flush(to write: ([UInt8]) throws(OpenDataError) -> Void) throws(OpenDataError) {
        try flush(least: HeldOutput.piece, to: write)
    }

    /// Writes all.
    mutating func finish(to write: ([UInt8]) throws(OpenDataError) -> Void) throws(OpenDataError) {
        for piece in held ?? [] { try write(piece) }
        held = nil
        try flush(least: 1, to: write)
    }

    private mutating func flush(
        least: Int, to write: ([UInt8]) throws(OpenDataError) -> Void
    ) throws(OpenDataError) {
        guard bytes.count >= least else { return }
        if held == nil {
            try write(bytes)
            bytes.removeAll(keepingCapacity: true)
            return
        }
        held?.append(bytes)
        heldCount += bytes.count
        bytes = []
        if heldCount >= HeldOutput.most { try finish(to: write) }
    }
}
