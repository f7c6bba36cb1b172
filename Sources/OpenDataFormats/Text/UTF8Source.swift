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

/// Checks UTF-8 (RFC 3629) in pieces: no overlong forms, no surrogates, nothing above U+10FFFF, and no NUL.
struct UTF8Validator {
    // How many continuation bytes are due, and what the next of them may be.
    private var due = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether the text so far ends with a whole letter.
    var isComplete: Bool { due == 0 }

    /// The index of the first byte that cannot stand where it does, or `nil`.
    ///
    /// - Complexity: O(bytes); eight at a time where they are ASCII.
    mutating func firstInvalid(in bytes: Span<UInt8>) -> Int? {
        let count = bytes.count
        var index = 0
        while index < count {
            if due == 0 {
                let ascii = asciiRun(in: bytes, from: index)
                index = ascii
                if index == count { return nil }
            }
            let byte = bytes[index]
            if due > 0 {
                guard lowest...highest ~= byte else { return index }
                due -= 1
                (lowest, highest) = (0x80, 0xBF)
            } else {
                switch byte {
                case 1..<0x80: break
                case 0xC2...0xDF: due = 1
                case 0xE0: (due, lowest) = (2, 0xA0)
                case 0xE1...0xEC, 0xEE, 0xEF: due = 2
                case 0xED: (due, highest) = (2, 0x9F)
                case 0xF0: (due, lowest) = (3, 0x90)
                case 0xF1...0xF3: due = 3
                case 0xF4: (due, highest) = (3, 0x8F)
                default: return index
                }
            }
            index += 1
        }
        return nil
    }

    /// The end of the run of ASCII without NULs that starts at the index, in steps of eight bytes.
    private func asciiRun(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // In bounds: eight bytes are read only where eight remain.
        unsafe bytes.withUnsafeBytes { raw in
            while index + 8 <= raw.count {
                let word = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                // A byte with its high bit set, or zero (which borrows from its high bit).
                let zeros = (word &- 0x0101_0101_0101_0101) & ~word
                if (word | zeros) & 0x8080_8080_8080_8080 != 0 { break }
                index += 8
            }
        }
        return index
    }
}
