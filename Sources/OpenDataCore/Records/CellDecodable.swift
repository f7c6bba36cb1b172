/// A type that a field's value can be read as.
///
/// Conforming: return `nil` for a cell that holds no value or a value that the type cannot hold exactly. Types that are
/// `RawRepresentable` by a `String` conform by declaring it.
public protocol CellDecodable {
    /// Reads the cell, whose text lies in the bytes of its batch, or gives `nil`.
    init?(cell: Cell, in bytes: Span<UInt8>)
}

extension String: CellDecodable {
    /// Reads text, and the literal of a number; nothing else is text.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard cell.isTextOrNumber else { return nil }
        self = bytes.text(cell.range)
    }
}

extension ExactDecimal: CellDecodable {
    /// Reads a number of up to 38 digits.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard let number = cell.decimal(in: bytes) else { return nil }
        self = number
    }
}

extension Int: CellDecodable {
    /// Reads a number without a fraction that fits.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard let integer = cell.integer(in: bytes) else { return nil }
        self = integer
    }
}

extension Double: CellDecodable {
    /// Reads a number as the nearest `Double`.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard cell.kind == .number else { return nil }
        self.init(bytes.text(cell.range))
    }
}

extension Bool: CellDecodable {
    /// Reads true and false.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard cell.kind == .boolean else { return nil }
        self = cell.boolean
    }
}

extension CalendarDate: CellDecodable {
    /// Reads a day.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard cell.kind == .date else { return nil }
        self = cell.date
    }
}

extension DateTime: CellDecodable {
    /// Reads a time.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard cell.kind == .dateTime else { return nil }
        self = cell.dateTime
    }
}

extension Optional: CellDecodable where Wrapped: CellDecodable {
    /// Reads no value as `nil`; a value that does not fit is still refused.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        if cell.isEmpty {
            self = nil
        } else if let wrapped = Wrapped(cell: cell, in: bytes) {
            self = wrapped
        } else {
            return nil
        }
    }
}

extension RawRepresentable where Self: CellDecodable, RawValue == String {
    /// Reads text that the type has a case for.
    @inlinable @inline(__always)
    public init?(cell: Cell, in bytes: Span<UInt8>) {
        guard let text = String(cell: cell, in: bytes) else { return nil }
        self.init(rawValue: text)
    }
}

extension Span<UInt8> {
    /// The text of a range of bytes.
    @usableFromInline @inline(never)
    func text(_ range: Range<Int>) -> String { RecentTexts.text(self, range) }
}
