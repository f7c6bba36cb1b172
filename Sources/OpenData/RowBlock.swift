import OpenDataCore

/// The rows of one batch on their way into an array, moved there and not copied.
///
/// Made by one thread, emptied by another, used by one at a time.
@safe final class RowBlock<Row: OpenDataCore.Row>: @unchecked Sendable {
    private let start: UnsafeMutablePointer<Row>
    private var count = 0

    /// Maps the records of a batch.
    ///
    /// Throws what the row's initialiser throws.
    init(_ batch: RecordBatch) throws {
        let records = batch.records
        unsafe start = .allocate(capacity: max(records.count, 1))
        // In bounds: there is room for each record.
        for index in 0..<records.count {
            unsafe (start + index).initialize(to: try Row(records[index]))
            count += 1
        }
    }

    deinit {
        unsafe start.deinitialize(count: count)
        unsafe start.deallocate()
    }

    /// Moves the rows to the end of an array; none are left.
    func move(to rows: inout [Row]) {
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
