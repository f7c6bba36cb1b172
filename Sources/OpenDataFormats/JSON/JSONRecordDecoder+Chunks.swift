public import OpenDataCore

extension JSONRecordDecoder: ChunkDecoder {
    /// The physical line of the next byte.
    public var line: Int {
        get { place.line }
        set { place.line = newValue }
    }

    /// Whether names beside the records or the layout have named the columns.
    public var hasAllColumns: Bool { kind == .rows || layout.columns != nil }

    /// The decoder itself, between two records of the array or two objects one after the other.
    public func forChunks() -> JSONRecordDecoder? {
        switch phase {
        case .elements: isBehindComma && (kind == .objects || kind == .rows) ? self : nil
        case .sequence: kind == .objects ? self : nil
        case .start, .members, .keyed, .single, .columns, .end: nil
        }
    }

    /// Moves on past a chunk; false if it brought columns or ended the array.
    public mutating func follow(_ chunk: JSONRecordDecoder) -> Bool {
        let isAlike =
            chunk.phase == phase && chunk.kind == kind && chunk.isBehindComma == isBehindComma
            && chunk.keys.count == keys.count
        let line = line + chunk.line - 1
        // (Further on even without a line more, where the chunk begins with the LF of a CRLF.)
        let lineStart = max(lineStart, chunk.lineStart)
        self = chunk
        self.line = line
        self.lineStart = lineStart
        return isAlike
    }

    /// The end of the last record of the bytes: behind its comma or, without commas, before the next one's bracket.
    ///
    /// Going by a bracket that opens behind one that closes, with the key that the record before begins with;
    /// carefully, by all brackets outside strings.
    public func likelyEnd(of bytes: [UInt8], careful: Bool) -> Int {
        let slice = bytes[...]
        let guess = careful ? 0 : guessedEnd(of: slice.span)
        return guess > 0 ? guess : end(of: slice.span)
    }

    /// The same by a bracket that opens behind one that closes, or 0 without one.
    public func likelyEnd(ofTail bytes: [UInt8]) -> Int {
        let slice = bytes[...]
        return guessedEnd(of: slice.span)
    }

    private func guessedEnd(of bytes: Span<UInt8>) -> Int {
        let opening = kind == .rows ? UInt8(ascii: "[") : UInt8(ascii: "{")
        func skippingSpaces(before index: Int) -> Int {
            var index = index
            while index > 0, isSpace(bytes[index - 1]) { index -= 1 }
            return index
        }
        var index = bytes.count
        while index > 0 {
            index -= 1
            guard bytes[index] == opening else { continue }
            // `end` is where the chunk would end, `close` the index behind the bracket before it.
            var (end, close) = (index, skippingSpaces(before: index))
            if phase == .elements {
                guard close > 0, bytes[close - 1] == UInt8(ascii: ",") else { continue }
                end = close
                close = skippingSpaces(before: close - 1)
            }
            // `]` and `}` are two above their opening brackets.
            guard close > 0, bytes[close - 1] == opening + 2 else { continue }
            if kind == .rows { return end }
            var key = index + 1
            while key < bytes.count, isSpace(bytes[key]) { key += 1 }
            if keys.matchLength(of: keys.expected(after: -1), bytes, at: key) != nil { return end }
        }
        return 0
    }

    /// The end by all brackets; where the array ends or the text is broken, everything up to that place.
    private func end(of bytes: Span<UInt8>) -> Int {
        var (depth, end, index) = (0, 0, 0)
        while index < bytes.count {
            switch bytes[index] {
            case JSONStrings.quote:
                index = JSONStrings.end(in: bytes, from: index + 1)
                while index < bytes.count, bytes[index] == JSONStrings.backslash {
                    index = index + 2 < bytes.count ? JSONStrings.end(in: bytes, from: index + 2) : bytes.count
                }
                if index >= bytes.count { return end }
                // A control, where the decoder will have something to say.
                if bytes[index] != JSONStrings.quote { return end > 0 ? end : index + 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if depth == 0, phase == .sequence { end = index }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return end > 0 ? end : index + 1 }
            case UInt8(ascii: ","):
                if depth == 0, phase == .elements { end = index + 1 }
            default: break
            }
            index += 1
        }
        return end
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\t")
    }
}
