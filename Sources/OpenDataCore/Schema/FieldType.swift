/// The logical type of a field, by its name in the Frictionless Table Schema.
public enum FieldType: String, Sendable, Hashable {
    /// Text, as published but for surrounding white space.
    case string
    /// A whole number of any length.
    case integer
    /// A decimal number of any length; its digits are kept.
    case number
    /// `true` or `false`, as the format itself marks them.
    case boolean
    /// A day.
    case date
    /// A civil time with its offset from UTC.
    case datetime
    /// Whatever the payload holds: text stays text, a number of JSON stays one, nested values stay JSON.
    case any
}
