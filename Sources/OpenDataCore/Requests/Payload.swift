/// An answer with its body: bytes in memory or in a file, read as often as needed.
public struct Payload: Sendable {
    /// The answer's status, headers and address.
    public var response: Response
    /// The bytes.
    public var body: Body

    /// Where the bytes are.
    public enum Body: Sendable {
        /// In memory.
        case bytes([UInt8])
        /// In a file that somebody else owns.
        case file(path: String)
        /// In a file that is removed with the last copy of the payload.
        case temporary(TemporaryFile)
        /// Still to come, on an open descriptor that can be read once.
        case stream(descriptor: Int32)
    }

    /// Makes a payload.
    public init(response: Response, body: Body) {
        self.response = response
        self.body = body
    }

    /// Whether the bytes can be read more than once.
    public var isRepeatable: Bool {
        if case .stream = body { false } else { true }
    }

    /// Opens the bytes for reading from the start. Throws ``OpenDataError/Code/unreadable``.
    public func open() throws(OpenDataError) -> any ByteSource {
        switch body {
        case .bytes(let bytes): ByteArraySource(bytes)
        case .file(let path): try FileSource(path: path)
        case .temporary(let file): FileSource(file)
        case .stream(let descriptor): FileSource(descriptor: descriptor, name: "standard input")
        }
    }
}
