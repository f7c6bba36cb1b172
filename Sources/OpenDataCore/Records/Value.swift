/// A value of a record, free of its batch.
public enum Value: Sendable, Hashable {
    /// The record does not have the member.
    case absent
    /// The record says that there is no value.
    case null
    /// Text.
    case text(String)
    /// A number as the literal it was published with, less separators: `2510.00`.
    case number(String)
    /// True or false.
    case boolean(Bool)
    /// A day.
    case date(CalendarDate)
    /// A time.
    case dateTime(DateTime)
    /// A nested object or array, as JSON.
    case json(String)
}

extension Value: CustomStringConvertible {
    /// The value as a cell of CSV would show it; empty where there is none.
    public var description: String {
        switch self {
        case .absent, .null: ""
        case .text(let text), .number(let text), .json(let text): text
        case .boolean(let truth): String(truth)
        case .date(let day): day.description
        case .dateTime(let time): time.description
        }
    }
}
