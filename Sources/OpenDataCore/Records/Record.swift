/// One record of a batch, read by field name.
///
/// A record shares its batch's storage: making one copies nothing, and keeping one keeps its whole batch.
public struct Record: Sendable {
    private let batch: RecordBatch
    private let index: Int

    /// The record of a batch, from 0.
    public init(_ batch: RecordBatch, _ index: Int) {
        self.batch = batch
        self.index = index
    }

    /// The names of the fields, in order.
    public var names: [String] { batch.columns.names }

    /// Where the record stands in its payload.
    public var position: Position { batch.origins[index].position }

    /// The value of a field, or ``Value/absent`` if the record has no such field.
    public func value(_ name: String) -> Value {
        guard let column = batch.columns.index(of: name) else { return .absent }
        return value(at: column)
    }

    /// The value of the field at a place in `names`.
    public func value(at column: Int) -> Value {
        let cell = batch[index, column]
        return switch cell.kind {
        case .absent: .absent
        case .null: .null
        case .text: .text(batch.text(of: cell))
        case .number: .number(batch.text(of: cell))
        case .boolean: .boolean(cell.boolean)
        case .date: .date(cell.date)
        case .dateTime: .dateTime(cell.dateTime)
        case .json: .json(batch.text(of: cell))
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
    public subscript<T: CellDecodable>(_ name: String) -> T {
        get throws(OpenDataError) {
            guard let column = batch.columns.index(of: name) else {
                throw error(name, "there is no field \(name); the fields are \(names.joined(separator: ", "))")
            }
            let cell = batch[index, column]
            guard let value = T(cell: cell, of: batch) else {
                throw error(
                    name,
                    cell.isEmpty
                        ? "the record has no value; read it as an optional"
                        : "\(value(at: column)) is not a \(T.self)")
            }
            return value
        }
    }

    private func error(_ field: String, _ message: String) -> OpenDataError {
        OpenDataError(.valueNotFound, message, position: position, field: field)
    }
}

extension Record: Row {
    /// Takes the record itself: the row of a data source that declares no other.
    public init(_ record: Record) { self = record }
}
