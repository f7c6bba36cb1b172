/// A small payload that a connector carries, so that it can be tried without a network.
public struct Sample: Sendable {
    /// The bytes, as the publisher would send them.
    public var bytes: [UInt8]
    /// The arguments that would have asked for them.
    public var arguments: Arguments
    /// The file name that the publisher would give.
    public var fileName: String?

    /// Makes a sample.
    public init(_ bytes: [UInt8], arguments: Arguments = [:], fileName: String? = nil) {
        self.bytes = bytes
        self.arguments = arguments
        self.fileName = fileName
    }
}
