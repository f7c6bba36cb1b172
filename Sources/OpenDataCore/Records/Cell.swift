/// One value of a ``RecordBatch``, in eight bytes.
///
/// Text, numbers and JSON point into the batch's bytes; days and times are held in the cell itself.
/// Shape, from the lowest bit: 32 bits of offset, 26 bits of length, 4 bits of kind, 2 bits of flags; a packed value
/// takes the place of offset and length.
public struct Cell: Sendable, Hashable {
    private var bits: UInt64

    /// What a cell holds.
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

    private init(_ kind: Kind, payload: UInt64, flags: UInt64 = 0) {
        bits = payload | UInt64(kind.rawValue) << 58 | flags << 62
    }

    /// A cell that points at bytes of its batch.
    ///
    /// - Parameters:
    ///   - offset: The first byte, below 2^32.
    ///   - length: The number of bytes, at most ``maximumLength``.
    ///   - quoted: Whether the value stood in quotes, where the format tells.
    ///   - escaped: Whether a decoder still has to undo escapes; never set in a finished batch.
    public init(_ kind: Kind, offset: Int, length: Int, quoted: Bool = false, escaped: Bool = false) {
        precondition(length <= Cell.maximumLength && offset <= Int(UInt32.max), "a cell is out of range of its batch")
        self.init(
            kind, payload: UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32,
            flags: (quoted ? 1 : 0) | (escaped ? 2 : 0))
    }

    /// No member.
    public static let absent = Cell(.absent, payload: 0)
    /// No value.
    public static let null = Cell(.null, payload: 0)
    /// True or false.
    public static func boolean(_ value: Bool) -> Cell { Cell(.boolean, payload: value ? 1 : 0) }
    /// A day.
    public static func date(_ day: CalendarDate) -> Cell {
        Cell(.date, payload: UInt64(day.year) << 9 | UInt64(day.month) << 5 | UInt64(day.day))
    }
    /// A time.
    public static func dateTime(_ time: DateTime) -> Cell { Cell(.dateTime, payload: time.packed) }

    /// What the cell holds.
    public var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits >> 58 & 15)) ?? .null }
    /// The first byte of a text, number or JSON.
    public var offset: Int { Int(bits & 0xFFFF_FFFF) }
    /// The number of bytes of a text, number or JSON.
    public var length: Int { Int(bits >> 32 & 0x3FF_FFFF) }
    /// The bytes of a text, number or JSON.
    public var range: Range<Int> { offset..<(offset + length) }
    /// Whether the value stood in quotes.
    public var isQuoted: Bool { bits >> 62 & 1 == 1 }
    /// Whether escapes remain to be undone.
    public var isEscaped: Bool { bits >> 63 == 1 }
    /// Whether there is no value: the member is absent or null.
    public var isEmpty: Bool { kind == .absent || kind == .null }

    /// The truth of a ``Kind/boolean`` cell.
    public var boolean: Bool { bits & 1 == 1 }
    /// The day of a ``Kind/date`` cell.
    public var date: CalendarDate {
        let packed = Int(bits & 0x7F_FFFF)
        guard let day = CalendarDate(year: packed >> 9, month: packed >> 5 & 15, day: packed & 31) else {
            preconditionFailure("not a cell of a day")
        }
        return day
    }
    /// The time of a ``Kind/dateTime`` cell.
    public var dateTime: DateTime { DateTime(packed: bits & 0x3FF_FFFF_FFFF_FFFF) }
}
