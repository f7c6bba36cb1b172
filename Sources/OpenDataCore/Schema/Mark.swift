/// A sign that a publisher adds to a value: `X0.00`, `115/06/24＊`.
///
/// The sign is taken off before the value is read and kept in the field's companion, `NAME_mark`.
public struct Mark: Sendable, Hashable {
    /// The sign, at the start or at the end of the cell.
    public let text: String
    /// Whether the rest of the cell is the value; if not, the value is null.
    public let keepsValue: Bool

    /// Makes a mark.
    ///
    /// With `keepsValue` false, the value beside the mark means nothing and becomes null.
    public init(_ text: String, keepsValue: Bool = true) {
        self.text = text
        self.keepsValue = keepsValue
    }
}
