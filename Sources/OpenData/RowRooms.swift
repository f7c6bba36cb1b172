import OpenDataCore

/// Memory for blocks of rows and the texts in them, used again and again: what is given back to the system has to be
/// cleared by it when it is asked for the next time, which costs more than filling it.
///
/// Any number of threads may take and give back.
@safe final class RowRooms<Row: OpenDataCore.Row>: Sendable {
    /// A room that nobody uses.
    @safe private struct Room: @unchecked Sendable {
        let buffer: UnsafeMutableBufferPointer<Row>
    }

    private let free = Locked<[Room]>([])
    private let texts = Locked<[RecentTexts]>([])

    deinit {
        for room in free.withLock({ $0 }) { unsafe room.buffer.deallocate() }
    }

    /// Calls `body`, in which texts are shared with rows made before.
    func sharingTexts<Result>(_ body: () throws -> Result) rethrows -> Result {
        let shared = texts.withLock { $0.popLast() } ?? RecentTexts()
        defer { texts.withLock { $0.append(shared) } }
        return try shared.share(in: body)
    }

    /// Room for so many rows, or more of them, none of which is there yet.
    func take(_ count: Int) -> UnsafeMutableBufferPointer<Row> {
        let room = free.withLock { $0.popLast() }
        if let room {
            if unsafe room.buffer.count >= count { return unsafe room.buffer }
            unsafe room.buffer.deallocate()
        }
        // Batches are of nearly the same size; what is larger by a little fits the next as well.
        return .allocate(capacity: count + count / 8 + 1)
    }

    /// Takes back what was taken, without a row in it.
    func give(back buffer: UnsafeMutableBufferPointer<Row>) {
        let room = unsafe Room(buffer: buffer)
        free.withLock { $0.append(room) }
    }
}
