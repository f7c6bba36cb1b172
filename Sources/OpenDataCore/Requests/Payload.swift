/// An answer with its body: bytes in memory or in a file, read as often as needed.
public struct Payload: Sendable {
    /// The answer's status, headers and address.
    public var response: Response
    /// The bytes.
    public var body: Body
    /// Where the bytes come from, if whoever handed them out keeps record of it.
    public var provenance: Provenance?

    /// Where the bytes are.
    public enum Body: Sendable {
        /// In memory.
        case bytes([UInt8])
        /// In a file that somebody else owns.
        case file(path: String)
        /// In a file that is removed with the last copy of the payload.
        case temporary(TemporaryFile)
        /// Bytes read ahead of an open descriptor that can be read once, and what it still holds.
        case stream(head: [UInt8], descriptor: Int32)
    }

    /// Makes a payload.
    public init(response: Response, body: Body) {
        self.response = response
        self.body = body
        provenance = nil
    }

    /// Whether the bytes can be read more than once.
    public var isRepeatable: Bool {
        if case .stream = body { false } else { true }
    }

    /// Throws ``OpenDataError/Code/badArgument`` unless the bytes can be read more than once, as whoever looks for
    /// evidence has to.
    package func checkRepeatable() throws(OpenDataError) {
        guard isRepeatable else {
            throw OpenDataError(.badArgument, "a stream that is read once has to be copied before it is looked at")
        }
    }

    /// The number of bytes, where it is known without reading them.
    public var size: Int? {
        switch body {
        case .bytes(let bytes): bytes.count
        case .file(let path): try? FileSource(path: path).length
        case .temporary(let file): FileSource(file).length
        case .stream: nil
        }
    }

    /// Opens the bytes for reading from the start.
    ///
    /// Throws ``OpenDataError/Code/unreadable``.
    public func open() throws(OpenDataError) -> any ByteSource {
        switch body {
        case .bytes(let bytes): ByteArraySource(bytes)
        case .file(let path): try FileSource(path: path)
        case .temporary(let file): FileSource(file)
        case .stream(let head, let descriptor):
            PrefixedSource(head, FileSource(descriptor: descriptor, name: "standard input"))
        }
    }

    /// Opens the bytes for reading from an offset, which may be the end.
    ///
    /// Throws ``OpenDataError/Code/unreadable``, for what can only be read in order too.
    package func open(at offset: Int) throws(OpenDataError) -> any ByteSource {
        switch body {
        case .bytes(let bytes):
            if let source = ByteArraySource(bytes).reading(at: offset) { return source }
        case .file(let path):
            if let source = try FileSource(path: path).reading(at: offset) { return source }
        case .temporary(let file):
            if let source = FileSource(file).reading(at: offset) { return source }
        case .stream: break
        }
        throw OpenDataError(.unreadable, "the bytes can only be read in order")
    }

    /// Hands out all bytes from the start, in pieces of at most a mebibyte.
    ///
    /// Throws ``OpenDataError/Code/unreadable``, and what `body` throws.
    package func forEachPiece(_ body: ([UInt8]) throws(OpenDataError) -> Void) throws(OpenDataError) {
        var source = try open()
        var buffer: [UInt8] = []
        while try source.read(1 << 20, into: &buffer) > 0 {
            try body(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// The first bytes, at most `count` of them.
    ///
    /// Throws ``OpenDataError/Code/unreadable``.
    public func head(_ count: Int) throws(OpenDataError) -> [UInt8] {
        if case .stream(let head, _) = body { return Array(head.prefix(count)) }
        var source = try open()
        var bytes: [UInt8] = []
        while bytes.count < count, try source.read(count - bytes.count, into: &bytes) > 0 {}
        return bytes
    }
}

extension Payload {
    /// A saved payload: its file name is taken for the one that the publisher gave.
    ///
    /// Throws ``OpenDataError/Code/unreadable`` if the file cannot be opened.
    public static func file(_ path: String) throws(OpenDataError) -> Payload {
        _ = try FileSource(path: path)
        return Payload(response: Response(fileName: path, url: "file:" + path), body: .file(path: path))
    }

    /// What an open descriptor holds, read once; 64 KiB are read ahead to tell what it is.
    ///
    /// Throws ``OpenDataError/Code/unreadable``.
    public static func stream(descriptor: Int32) throws(OpenDataError) -> Payload {
        var source = FileSource(descriptor: descriptor, name: "standard input")
        var head: [UInt8] = []
        while head.count < 1 << 16, try source.read(1 << 16 - head.count, into: &head) > 0 {}
        return Payload(response: Response(url: "stdin:"), body: .stream(head: head, descriptor: descriptor))
    }

    /// The same payload in a form that can be read more than once: a stream is copied to a temporary file.
    ///
    /// Throws ``OpenDataError/Code/tooLarge`` for a stream of more bytes than the limit, so that one without an end
    /// does not fill the disk; ``OpenDataError/Code/unreadable``, ``OpenDataError/Code/unwritable`` and
    /// ``OpenDataError/Code/cancelled``.
    public func repeatable(maximumBytes: Int = .max) throws(OpenDataError) -> Payload {
        guard !isRepeatable else { return self }
        let file = try TemporaryFile()
        var count = 0
        try forEachPiece { piece throws(OpenDataError) in
            if Task.isCancelled { throw OpenDataError(.cancelled, "the reading was called off") }
            count += piece.count
            guard count <= maximumBytes else {
                throw OpenDataError(.tooLarge, "there are more than the \(maximumBytes) bytes that are allowed")
            }
            try file.append(piece)
        }
        var copy = self
        copy.body = .temporary(file)
        return copy
    }
}

extension Payload {
    /// The payload that a connector carries.
    public init(_ sample: Sample) {
        self.init(response: Response(fileName: sample.fileName, url: "sample:"), body: .bytes(sample.bytes))
    }
}
