import OpenDataCore

/// The rows of one batch on their way into an array, moved there and not copied.
///
/// Made by one thread, emptied by another, used by one at a time.
@safe final class RowBlock<Row: OpenDataCore.Row>: @unchecked Sendable {
    private let room: UnsafeMutableBufferPointer<Row>
    private let rooms: RowRooms<Row>
    private var count = 0

    /// Maps records.
    ///
    /// Throws what the row's initialiser throws.
    init(_ records: RecordBatch.Records, in rooms: RowRooms<Row>) throws {
        self.rooms = rooms
        unsafe room = rooms.take(records.count)
        // In bounds: there is room for each record, and the rows that are there when one fails are counted.
        var rows = unsafe OutputSpan(buffer: room, initializedCount: 0)
        do {
            try Row.append(records, to: &rows)
            count = unsafe rows.finalize(for: room)
        } catch {
            count = unsafe rows.finalize(for: room)
            throw error
        }
    }

    deinit {
        unsafe room.baseAddress?.deinitialize(count: count)
        unsafe rooms.give(back: room)
    }

    /// Moves the rows to the end of an array; none are left.
    func move(to rows: inout [Row]) {
        guard let start = unsafe room.baseAddress else { return }
        #if compiler(>=6.3)
            rows.append(addingCapacity: count) { output in
                unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
                    guard let place = buffer.baseAddress else { return }
                    unsafe (place + initialized).moveInitialize(from: start, count: count)
                    initialized += count
                }
            }
            count = 0
        #else
            unsafe rows.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        #endif
    }
}

extension Array where Element: OpenDataCore.Row {
    /// Maps records to the end of the array.
    ///
    /// Throws what the row's initialiser throws; the rows made up to there stay.
    mutating func append(_ records: RecordBatch.Records, in rooms: RowRooms<Element>) throws {
        #if compiler(>=6.3)
            try append(addingCapacity: records.count) { rows in try Element.append(records, to: &rows) }
        #else
            try RowBlock(records, in: rooms).move(to: &self)
        #endif
    }
}
