/// A type that a field's value can be read as.
///
/// Conforming: return `nil` for a cell that holds no value or a value that the type cannot hold exactly. Types that are
/// `RawRepresentable` by a `String` conform by declaring it.
public protocol CellDecodable {
    /// Reads the cell, or gives `nil`.
    init?(cell: Cell, of batch: RecordBatch)
}

extension String: CellDecodable {
    /// Reads text, and the literal of a number; nothing else is text.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .text || cell.kind == .number else { return nil }
        self = batch.text(of: cell)
    }
}

extension ExactDecimal: CellDecodable {
    /// Reads a number of up to 38 digits.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .number else { return nil }
        self.init(batch.bytes[cell.range].span)
    }
}

extension Int: CellDecodable {
    /// Reads a number without a fraction that fits.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard let integer = ExactDecimal(cell: cell, of: batch)?.integer else { return nil }
        self = integer
    }
}

extension Double: CellDecodable {
    /// Reads a number as the nearest `Double`.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .number else { return nil }
        self.init(batch.text(of: cell))
    }
}

extension Bool: CellDecodable {
    /// Reads true and false.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .boolean else { return nil }
        self = cell.boolean
    }
}

extension CalendarDate: CellDecodable {
    /// Reads a day.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .date else { return nil }
        self = cell.date
    }
}

extension DateTime: CellDecodable {
    /// Reads a time.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard cell.kind == .dateTime else { return nil }
        self = cell.dateTime
    }
}

extension Optional: CellDecodable where Wrapped: CellDecodable {
    /// Reads no value as `nil`; a value that does not fit is still refused.
    public init?(cell: Cell, of batch: RecordBatch) {
        if cell.isEmpty {
            self = nil
        } else if let wrapped = Wrapped(cell: cell, of: batch) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension RawRepresentable where Self: CellDecodable, RawValue == String {
    /// Reads text that the type has a case for.
    public init?(cell: Cell, of batch: RecordBatch) {
        guard let text = String(cell: cell, of: batch) else { return nil }
        self.init(rawValue: text)
    }
}
