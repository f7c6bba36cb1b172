/// What the records of one batch share.
@usableFromInline
final class RecordStorage: Sendable {
    @usableFromInline let batch: RecordBatch
    // Parts of the batch by themselves, so that reading a value touches nothing else of it.
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let cells: [Cell]
    @usableFromInline let width: Int
    // For each column the length of its name, and the first eight bytes of it, the first in the lowest bits.
    private let lengths: [Int]
    private let beginnings: [UInt64]

    init(_ batch: RecordBatch) {
        self.batch = batch
        (bytes, cells, width) = (batch.bytes, batch.cells, batch.columns.count)
        lengths = batch.columns.names.map(\.utf8.count)
        beginnings = batch.columns.names.map { name in
            name.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The column of a name, or -1.
    ///
    /// - Complexity: O(columns), two comparisons each.
    @usableFromInline
    func column(of name: StaticString) -> Int {
        guard name.hasPointerRepresentation else { return batch.columns.index(of: "\(name)") ?? -1 }
        let count = name.utf8CodeUnitCount
        var beginning: UInt64 = 0
        // In bounds: no more bytes are read than the name has.
        let start = unsafe UnsafeRawPointer(name.utf8Start)
        if count >= 8 {
            beginning = unsafe start.loadUnaligned(as: UInt64.self).littleEndian
        } else {
            for index in 0..<count {
                beginning |= unsafe UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << UInt64(index * 8)
            }
        }
        for column in lengths.indices where lengths[column] == count && beginnings[column] == beginning {
            if count <= 8 { return column }
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
            if unsafe batch.columns.names[column].utf8.elementsEqual(bytes) { return column }
        }
        return -1
    }
}

extension RecordBatch {
    /// The records of a batch, which share its storage.
    public struct Records: RandomAccessCollection, Sendable {
        @usableFromInline let storage: RecordStorage

        init(_ batch: RecordBatch) { storage = RecordStorage(batch) }

        /// 0.
        @inlinable public var startIndex: Int { 0 }
        /// The number of records.
        @inlinable public var endIndex: Int { storage.batch.count }
        /// The record at an index.
        @inlinable public subscript(index: Int) -> Record { Record(storage: storage, index) }
    }

    /// The records, read by field name.
    public var records: Records { Records(self) }
}
