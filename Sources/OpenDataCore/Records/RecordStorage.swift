/// What the records of one batch share.
///
/// Bytes and cells are those of the batch, not copies. Nothing is changed once the storage is made, which is what makes
/// it fit to be shared by threads.
@safe @usableFromInline
final class RecordStorage: @unchecked Sendable {
    @usableFromInline let columns: Columns
    @usableFromInline let names: FieldNames
    @usableFromInline let width: Int
    @usableFromInline let count: Int
    /// The cells, record after record.
    @usableFromInline let cells: [Cell]
    /// The bytes that cells point at.
    @usableFromInline let bytes: [UInt8]
    /// See ``RecordBatch/numbers``.
    @usableFromInline let numbers: [NumberNote]
    let origins: [RecordOrigin]
    /// See ``RecordBatch/hasPlaces``.
    let hasPlaces: Bool

    init(_ batch: RecordBatch) {
        precondition(batch.cells.count == batch.count * batch.columns.count, "a batch has a cell for each column")
        columns = batch.columns
        names = FieldNames(batch.columns)
        (width, count, origins) = (batch.columns.count, batch.count, batch.origins)
        (cells, bytes, hasPlaces) = (batch.cells, batch.bytes, batch.hasPlaces)
        precondition(batch.numbers.isEmpty || batch.numbers.count >= cells.count, "a cell has a note if one has")
        numbers = batch.numbers
    }

    deinit { names.deallocate() }

    /// A cell by the numbers of its record and column, which have to be those of one.
    @inlinable @inline(__always)
    func cell(_ record: Int, _ column: Int) -> Cell { cells[record &* width &+ column] }

    /// What has been noted of the number of a cell.
    @inlinable @inline(__always)
    func number(_ record: Int, _ column: Int) -> NumberNote {
        let place = record &* width &+ column
        return UInt(bitPattern: place) < UInt(bitPattern: numbers.count) ? numbers[place] : .none
    }

    /// The text of a text, number or JSON cell.
    func text(of cell: Cell) -> String { String(decoding: bytes[cell.range], as: UTF8.self) }
}

extension RecordBatch {
    /// The records of a batch, which share its storage.
    public struct Records: RandomAccessCollection, Sendable {
        @usableFromInline let storage: RecordStorage

        init(_ batch: RecordBatch) { storage = RecordStorage(batch) }

        /// 0.
        @inlinable public var startIndex: Int { 0 }
        /// The number of records.
        @inlinable public var endIndex: Int { storage.count }
        /// The record at an index.
        @inlinable public subscript(index: Int) -> Record { Record(storage: storage, index) }
    }

    /// The records, read by field name.
    ///
    /// - Complexity: O(number of columns), once for all of them.
    public var records: Records { Records(self) }
}
