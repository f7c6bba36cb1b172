import OpenDataCore

/// Text that is checked to be UTF-8 without NULs as it is read.
struct UTF8Source: ByteSource {
    private var source: any ByteSource
    private var validator = UTF8Validator()
    // The offset of the next byte in the payload, for errors.
    private var offset: Int
    private var isFinished = false

    init(_ source: any ByteSource, offset: Int = 0) {
        self.source = source
        self.offset = offset
    }

    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        let start = buffer.count
        let received = isFinished ? 0 : try source.read(count, into: &buffer)
        if received == 0 {
            isFinished = true
            if !validator.isComplete {
                throw OpenDataError(
                    .invalidText, "the text ends in the middle of a letter of UTF-8 at byte \(offset)",
                    position: Position(byte: offset))
            }
            return 0
        }
        let text = buffer[start...]
        if let bad = validator.firstInvalid(in: text.span) {
            let byte = buffer[start + bad]
            let place = offset + bad
            throw OpenDataError(
                .invalidText,
                byte == 0
                    ? "a NUL stands at byte \(place): the text may be UTF-16 without a byte order mark"
                    : "byte \(place) (0x\(String(byte, radix: 16, uppercase: true))) is not UTF-8; "
                        + "the text may be in another encoding, such as cp950 (Big5)",
                position: Position(byte: place))
        }
        offset += received
        return received
    }
}
