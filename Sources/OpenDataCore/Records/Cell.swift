/// One value of a ``RecordBatch``, in eight bytes.
///
/// Text, numbers and JSON point into the batch's bytes; days and times are held in the cell itself.
/// Shape, from the lowest bit: 32 bits of offset, 26 bits of length, 3 bits of kind, 3 bits of flags; a packed value
/// takes the place of offset and length.
@frozen
public struct Cell: Sendable, Hashable {
    @usableFromInline var bits: UInt64

    /// What a cell holds.
    @frozen
    public enum Kind: UInt8, Sendable {
        /// The record does not have the member at all.
        case absent
        /// The record says that there is no value.
        case null
        /// UTF-8 text, unescaped.
        case text
        /// A number as a literal of JSON: `-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?`.
        case number
        /// True or false.
        case boolean
        /// A ``CalendarDate``.
        case date
        /// A ``DateTime``.
        case dateTime
        /// An object or array, as a text of JSON on one line.
        case json
    }

    /// The most bytes a single cell can have: 64 MiB less one.
    public static let maximumLength = 1 << 26 - 1

    @inlinable
    init(bits: UInt64) { self.bits = bits }

    private init(_ kind: Kind, payload: UInt64) { bits = payload | UInt64(kind.rawValue) << 58 }

    /// A cell that points at bytes of its batch.
    ///
    /// - Parameters:
    ///   - offset: The first byte, below 2^32.
    ///   - length: The number of bytes, at most ``maximumLength``.
    ///   - quoted: Whether the value stood in quotes, where the format tells.
    ///   - escaped: Whether a decoder still has to undo escapes; never set in a finished batch.
    ///   - plain: Whether the text is known to have no quote, backslash or control, so that it needs no escapes; a
    ///     number always is.
    @inlinable
    public init(
        _ kind: Kind, offset: Int, length: Int, quoted: Bool = false, escaped: Bool = false, plain: Bool = false
    ) {
        precondition(UInt(bitPattern: length) >> 26 == 0, "a cell has 64 MiB at most")
        precondition(UInt(bitPattern: offset) >> 32 == 0, "a cell lies in the first 4 GiB of its batch")
        let place = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32
        let flags: UInt64 = (quoted ? 1 << 61 : 0) | (escaped ? 1 << 62 : 0) | (plain || kind == .number ? 1 << 63 : 0)
        bits = place | UInt64(kind.rawValue) << 58 | flags
    }

    /// A plain text in a window, for kernels that have checked that offset and length are in range.
    @inlinable @inline(__always)
    package init(plainTextAt offset: Int, length: Int, quoted: Bool) {
        let flags: UInt64 = UInt64(Kind.text.rawValue) << 58 | 1 << 63
        bits =
            UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32 | flags
            | (quoted ? 1 << 61 : 0)
    }

    /// No member.
    @inlinable
    public static var absent: Cell { Cell(bits: 0) }
    /// No value.
    @inlinable
    public static var null: Cell { Cell(bits: UInt64(Kind.null.rawValue) << 58) }
    /// True or false.
    public static func boolean(_ value: Bool) -> Cell { Cell(.boolean, payload: value ? 1 : 0) }
    /// A day.
    public static func date(_ day: CalendarDate) -> Cell {
        Cell(.date, payload: UInt64(day.year) << 9 | UInt64(day.month) << 5 | UInt64(day.day))
    }
    /// A time.
    public static func dateTime(_ time: DateTime) -> Cell { Cell(.dateTime, payload: time.packed) }

    /// The same bytes as a value of another kind.
    @inlinable
    public func with(kind: Kind) -> Cell {
        Cell(bits: bits & ~(7 << 58) | UInt64(kind.rawValue) << 58 | (kind == .number ? 1 << 63 : 0))
    }

    /// The same as `with(kind: .number)`, of a text.
    @inline(__always)
    var textAsNumber: Cell { Cell(bits: bits | 1 << 58 | 1 << 63) }

    /// What the cell holds.
    @inlinable @inline(__always)
    public var kind: Kind {
        switch bits >> 58 & 7 {
        case 0: .absent
        case 1: .null
        case 2: .text
        case 3: .number
        case 4: .boolean
        case 5: .date
        case 6: .dateTime
        default: .json
        }
    }
    /// The first byte of a text, number or JSON.
    @inlinable @inline(__always)
    public var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    /// The number of bytes of a text, number or JSON.
    @inlinable @inline(__always)
    public var length: Int { Int(truncatingIfNeeded: bits >> 32 & 0x3FF_FFFF) }
    /// The bytes of a text, number or JSON.
    @inlinable @inline(__always)
    public var range: Range<Int> { offset..<(offset &+ length) }
    /// Whether the value stood in quotes.
    @inlinable @inline(__always)
    public var isQuoted: Bool { bits >> 61 & 1 == 1 }
    /// Whether escapes remain to be undone.
    @inlinable @inline(__always)
    public var isEscaped: Bool { bits >> 62 & 1 == 1 }
    /// Whether the text is known to have no quote, backslash or control.
    @inlinable @inline(__always)
    public var isPlain: Bool { bits >> 63 == 1 }
    /// Whether the cell is a text or a number.
    @inlinable @inline(__always)
    package var isTextOrNumber: Bool { bits >> 58 & 6 == 2 }
    /// Whether there is no value: the member is absent or null.
    @inlinable @inline(__always)
    public var isEmpty: Bool { bits >> 58 & 7 <= 1 }

    /// The truth of a ``Kind/boolean`` cell.
    @inlinable @inline(__always)
    public var boolean: Bool { bits & 1 == 1 }
    /// The day of a ``Kind/date`` cell.
    @inlinable @inline(__always)
    public var date: CalendarDate {
        precondition(kind == .date, "not a cell of a day")
        return CalendarDate(packed: Int32(truncatingIfNeeded: bits & 0x7F_FFFF))
    }
    /// The time of a ``Kind/dateTime`` cell.
    @inlinable @inline(__always)
    public var dateTime: DateTime { DateTime(packed: bits & 0x3FF_FFFF_FFFF_FFFF) }
}
