import OpenDataCore

/// Text that is checked to be UTF-8 without NULs as it is read.
struct UTF8Source: ByteSource {
    private var source: any ByteSource
    private var validator = UTF8Validator()
    // The offset of the next byte in the payload, for errors.
    private var offset: Int
    private var isFinished = false

    /// The offset of the text's first byte in the payload.
    let textOffset: Int

    init(_ source: any ByteSource, offset: Int = 0) {
        self.source = source
        self.offset = offset
        textOffset = offset
    }

    /// Adds the next bytes without a look at them, for a caller that checks them elsewhere.
    mutating func readUnchecked(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        try source.read(count, into: &buffer)
    }

    /// What is read, where the bytes behind those read so far may be read from any place on.
    var seekable: (any SeekableSource)? {
        var source = source
        while let prefixed = source as? PrefixedSource {
            guard let rest = prefixed.rest else { return nil }
            source = rest
        }
        return source as? any SeekableSource
    }

    /// The source from an offset of the text on, where a letter begins, given what reads from there.
    func reading(_ source: any ByteSource, at offset: Int) -> UTF8Source {
        UTF8Source(source, textOffset: textOffset, offset: textOffset + offset)
    }

    /// The source as it was before bytes were read, which begin with a letter at an offset of the text.
    ///
    /// - Parameter isAtEnd: Whether the bytes are the last.
    func unread(_ bytes: [UInt8], at offset: Int, isAtEnd: Bool) -> UTF8Source {
        let rest: any ByteSource = isAtEnd ? ByteArraySource([]) : source
        return reading(PrefixedSource(bytes, rest), at: offset)
    }

    private init(_ source: any ByteSource, textOffset: Int, offset: Int) {
        self.source = source
        self.textOffset = textOffset
        self.offset = offset
    }

    /// Throws ``OpenDataError/Code/invalidText`` unless the bytes, which stand at an offset of the payload, are UTF-8.
    static func validate(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(OpenDataError) {
        var validator = UTF8Validator()
        try check(bytes, at: offset, &validator)
        if !validator.isComplete { throw incomplete(at: offset + bytes.count) }
    }

    /// Adds the next bytes.
    ///
    /// Throws ``OpenDataError/Code/cancelled`` in a task that is: a large text is looked over for seconds before its
    /// first record is handed out.
    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        if Task.isCancelled { throw OpenDataError(.cancelled, "the reading of the text was called off") }
        let start = buffer.count
        let received = isFinished ? 0 : try source.read(count, into: &buffer)
        if received == 0 {
            isFinished = true
            if !validator.isComplete { throw UTF8Source.incomplete(at: offset) }
            return 0
        }
        try UTF8Source.check(buffer[start...], at: offset, &validator)
        offset += received
        return received
    }

    private static func check(
        _ text: ArraySlice<UInt8>, at offset: Int, _ validator: inout UTF8Validator
    ) throws(OpenDataError) {
        guard let bad = validator.firstInvalid(in: text.span) else { return }
        let byte = text[text.startIndex + bad]
        let place = offset + bad
        throw OpenDataError(
            .invalidText,
            text.dropFirst(bad).prefix(64).contains(0)
                ? "NULs stand at or behind byte \(place): the text may be UTF-16 without a byte order mark"
                : "byte \(place) (0x\(String(byte, radix: 16, uppercase: true))) is not UTF-8; "
                    + "the text may be in another encoding, such as cp950 (Big5)",
            position: Position(byte: place))
    }

    private static func incomplete(at offset: Int) -> OpenDataError {
        OpenDataError(
            .invalidText, "the text ends in the middle of a letter of UTF-8 at byte \(offset)",
            position: Position(byte: offset))
    }
}
