/// One record of a batch, read by field name.
///
/// A record shares its storage with the others of its batch: keeping one keeps them all.
@frozen
public struct Record: Sendable {
    @usableFromInline let storage: RecordStorage
    @usableFromInline var index: Int

    /// The record of a batch, from 0.
    ///
    /// For many records of one batch, see ``RecordBatch/records``.
    public init(_ batch: RecordBatch, _ index: Int) { self.init(storage: RecordStorage(batch), index) }

    @inlinable @inline(__always)
    init(storage: RecordStorage, _ index: Int) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: storage.count), "the batch has no such record")
        self.storage = storage
        self.index = index
    }

    /// The names of the fields, in order.
    public var names: [String] { storage.columns.names }

    /// Where the record stands in its payload.
    ///
    /// Where several threads make rows at once, as ``/OpenData/Client/fetch(_:_:options:)`` does of large payloads, only the
    /// byte is known; in errors that a row throws the rest is added later.
    public var position: Position {
        let origin = storage.origins[index]
        return storage.hasPlaces ? origin.position : Position(byte: origin.byte)
    }

    /// The value of a field, or ``Value/absent`` if the record has no such field.
    public func value(_ name: String) -> Value {
        guard let column = storage.columns.index(of: name) else { return .absent }
        return value(at: column)
    }

    /// The value of the field at a place in `names`.
    public func value(at column: Int) -> Value {
        precondition(names.indices.contains(column), "the record has no such field")
        let cell = storage.cell(index, column)
        return switch cell.kind {
        case .absent: .absent
        case .null: .null
        case .text: .text(storage.text(of: cell))
        case .number: .number(storage.text(of: cell))
        case .boolean: .boolean(cell.boolean)
        case .date: .date(cell.date)
        case .dateTime: .dateTime(cell.dateTime)
        case .json: .json(storage.text(of: cell))
        }
    }

    /// The value of a field as a type of Swift; ask for an optional where a record may have no value.
    ///
    /// ```swift
    /// let code: String = try record["code"]
    /// let close: ExactDecimal? = try record["close"]
    /// ```
    ///
    /// Throws ``OpenDataError/Code/valueNotFound`` if the schema has no such field, if there is no value and the type
    /// is not optional, or if the value is not one of the type. Nothing is rounded or cut to fit.
    @inlinable
    public subscript<T: CellDecodable>(_ name: StaticString) -> T {
        // Where the name is a literal and the type is known, what is left of this are a few instructions.
        @inline(__always)
        get throws(OpenDataError) { try read(name, storage.names.column(of: name)) }
    }

    // The same for types of numbers, which may have been read already. They throw what the others throw.

    /// The value of a field as a whole number; throws where it is not one that fits, or there is none.
    @inlinable
    public subscript(_ name: StaticString) -> Int {
        @inline(__always)
        get throws(OpenDataError) {
            let column = storage.names.column(of: name)
            if let number = noted(column).integer { return number }
            return try read(name, column)
        }
    }

    /// The value of a field as a whole number, or `nil` where the record has no value; throws where it is not one that
    /// fits.
    @inlinable
    public subscript(_ name: StaticString) -> Int? {
        @inline(__always)
        get throws(OpenDataError) {
            let column = storage.names.column(of: name)
            if let number = noted(column).integer { return number }
            return try read(name, column)
        }
    }

    /// The value of a field as a number with all its digits; throws where it is none, or has more than 38.
    @inlinable
    public subscript(_ name: StaticString) -> ExactDecimal {
        @inline(__always)
        get throws(OpenDataError) {
            let column = storage.names.column(of: name)
            let note = noted(column)
            if note.isThere { return note.decimal }
            return try read(name, column)
        }
    }

    /// The value of a field as a number with all its digits, or `nil` where the record has no value; throws where it is
    /// none, or has more than 38.
    @inlinable
    public subscript(_ name: StaticString) -> ExactDecimal? {
        @inline(__always)
        get throws(OpenDataError) {
            let column = storage.names.column(of: name)
            let note = noted(column)
            if note.isThere { return note.decimal }
            return try read(name, column)
        }
    }

    /// What has been noted of the number in a column, which may be -1.
    @inlinable @inline(__always)
    func noted(_ column: Int) -> NumberNote { column < 0 ? .none : storage.number(index, column) }

    /// The value in a column, which may be -1, as a type of Swift.
    @inlinable @inline(__always)
    func read<T: CellDecodable>(_ name: StaticString, _ column: Int) throws(OpenDataError) -> T {
        let bytes = storage.bytes
        guard column >= 0, let value = T(cell: storage.cell(index, column), in: bytes.span) else {
            throw failure(name, column, T.self)
        }
        return value
    }

    /// The value of a field whose name is known only at run time; else as the subscript for literal names.
    public subscript<T: CellDecodable>(field name: String) -> T {
        get throws(OpenDataError) {
            guard let column = storage.columns.index(of: name) else { throw missing(name) }
            let bytes = storage.bytes
            guard let value = T(cell: storage.cell(index, column), in: bytes.span) else {
                throw misfit(name, column, T.self)
            }
            return value
        }
    }

    /// Why there is no value of the type in a column, or no such column where that is -1.
    @usableFromInline @inline(never)
    func failure(_ field: StaticString, _ column: Int, _ type: Any.Type) -> OpenDataError {
        column < 0 ? missing("\(field)") : misfit("\(field)", column, type)
    }

    private func missing(_ field: String) -> OpenDataError {
        error(field, "there is no field \(field); the fields are \(names.joined(separator: ", "))")
    }

    private func misfit(_ field: String, _ column: Int, _ type: Any.Type) -> OpenDataError {
        let isEmpty = storage.cell(index, column).isEmpty
        let reason =
            isEmpty ? "the record has no value; read it as an optional" : "\(value(at: column)) is not a \(type)"
        return error(field, reason)
    }

    private func error(_ field: String, _ message: String) -> OpenDataError {
        OpenDataError(.valueNotFound, message, position: position, field: field)
    }
}

extension Record: Row {
    /// Takes the record itself: the row of a data source that declares no other.
    public init(_ record: Record) { self = record }
}
