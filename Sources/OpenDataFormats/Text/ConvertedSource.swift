import OpenDataCore

/// Text in another encoding, converted to UTF-8 as it is read.
struct ConvertedSource: ByteSource {
    private var source: any ByteSource
    private var converter: any TextConverter
    private let encoding: TextEncoding
    private let replaces: Bool
    private let tally: TextTally
    // Bytes read, of which those from `start` on are not yet converted; the first of them stands at `offset` in the
    // payload.
    private var input: [UInt8] = []
    private var start = 0
    private var offset: Int
    // Text converted, of which the first bytes have been handed out.
    private var output: [UInt8] = []
    private var taken = 0
    private var isAtEnd = false
    private var isFinished = false

    private static let piece = 1 << 16

    /// Converts a source.
    ///
    /// - Parameters:
    ///   - offset: Where the source begins in the payload, for errors.
    ///   - replaces: Whether U+FFFD stands for what is no letter; else that is an error.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` for an encoding that the system does not know.
    init(
        _ source: any ByteSource, from encoding: TextEncoding, offset: Int = 0, replaces: Bool = false,
        tally: TextTally = TextTally()
    ) throws(OpenDataError) {
        self.source = source
        self.encoding = encoding
        self.offset = offset
        self.replaces = replaces
        self.tally = tally
        converter =
            switch encoding {
            case .utf8: UTF8Converter()
            case .utf16, .utf16be: UTF16Converter(isBigEndian: true)
            case .utf16le: UTF16Converter(isBigEndian: false)
            case .cp950: try CP950Converter()
            default: try SystemConverter(from: encoding)
            }
    }

    /// Adds the next bytes of the text.
    ///
    /// Throws ``OpenDataError/Code/invalidText`` for bytes that are no letter, and what the source throws.
    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        while taken == output.count {
            output.removeAll(keepingCapacity: true)
            taken = 0
            if isFinished { return 0 }
            try convertPiece()
        }
        let end = min(taken + count, output.count)
        buffer += output[taken..<end]
        defer { taken = end }
        return end - taken
    }

    private mutating func convertPiece() throws(OpenDataError) {
        // A few bytes at most: the beginning of a letter.
        input.removeSubrange(..<start)
        start = 0
        if !isAtEnd { isAtEnd = try source.read(ConvertedSource.piece, into: &input) == 0 }
        while start < input.count {
            let conversion = converter.convert(input, from: start, into: &output)
            tally.note(conversion)
            start += conversion.consumed
            offset += conversion.consumed
            let left = input.count - start
            switch conversion.stop {
            case .done: if conversion.consumed == 0, left > 0 { try passOver(1) }
            // No letter has that many bytes.
            case .cut where isAtEnd || left > 64: try passOver(isAtEnd ? left : 1)
            case .cut: return
            case .bad(let length): try passOver(min(length, left))
            }
        }
        if isAtEnd {
            converter.finish(into: &output)
            isFinished = true
        }
    }

    private mutating func passOver(_ length: Int) throws(OpenDataError) {
        guard replaces else {
            let bytes = input[start...].prefix(2).map { String($0, radix: 16, uppercase: true) }
            let isNull = encoding == .cp950 && input[start] == 0
            throw OpenDataError(
                .invalidText,
                "byte \(offset) (0x\(bytes.joined(separator: " "))) is no letter of \(encoding.rawValue)"
                    + (isNull ? "; NULs are those of UTF-16, or the payload is no text" : ""),
                position: Position(byte: offset))
        }
        tally.noteReplacement(at: offset)
        output += VisibleText.replacement
        start += length
        offset += length
    }
}
