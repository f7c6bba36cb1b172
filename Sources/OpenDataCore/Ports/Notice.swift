/// Something that a person may want to know while the work goes on: a wait, a retry, a guess that was made.
public struct Notice: Sendable, Hashable {
    /// The notice in words, without secrets.
    public var message: String

    /// Makes a notice.
    public init(_ message: String) { self.message = message }

    /// Takes notices as they come, from any task.
    public typealias Handler = @Sendable (Notice) -> Void
}
