import OpenDataCore

/// The loops over text that a scanner has found to be sound.
enum XMLText {
    /// The bytes of a range.
    static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        append(bytes, range, to: &copy)
        return copy
    }

    /// The text of a range.
    static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: copy(bytes, range), as: UTF8.self)
    }

    /// Adds the bytes of a range as they are.
    static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        // In bounds: the range is checked, once, by the span.
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }

    /// Whether two ranges hold the same bytes.
    @inline(__always)
    static func areEqual(
        _ left: Span<UInt8>, _ leftRange: Range<Int>, _ right: Span<UInt8>, _ rightRange: Range<Int>
    ) -> Bool {
        guard leftRange.count == rightRange.count else { return false }
        let shift = rightRange.lowerBound - leftRange.lowerBound
        for index in leftRange where left[index] != right[index + shift] { return false }
        return true
    }

    /// Whether bytes are those of a range of others.
    @inline(__always)
    static func areEqual(_ left: ArraySlice<UInt8>, _ right: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard left.count == range.count else { return false }
        let shift = range.lowerBound - left.startIndex
        for index in left.indices where left[index] != right[index + shift] { return false }
        return true
    }

    /// Whether a range holds the bytes of a text.
    static func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            if bytes[index] != byte { return false }
            index += 1
        }
        return true
    }

    /// Adds the text of content: references are undone, sections unwrapped, comments and instructions left out, and
    /// line ends are line feeds (2.11).
    static func appendContent(
        _ bytes: Span<UInt8>, _ range: Range<Int>, unlessBlank: Bool = false, to output: inout [UInt8]
    ) {
        let start = output.count
        defer {
            if unlessBlank, output[start...].allSatisfy(XMLCharacters.isSpace) { output.removeSubrange(start...) }
        }
        var scanner = XMLScanner()
        scanner.index = range.lowerBound
        do throws(XMLStop) {
            while scanner.index < range.upperBound {
                let byte = bytes[scanner.index]
                if byte == UInt8(ascii: "&") {
                    appendScalar(try scanner.reference(bytes), to: &output)
                } else if byte == UInt8(ascii: "<"), scanner.index + 1 < range.upperBound {
                    if bytes[scanner.index + 1] == UInt8(ascii: "?") {
                        try scanner.instruction(bytes)
                    } else if try scanner.isAt("<![", bytes) {
                        appendLines(bytes, try scanner.section(bytes), to: &output)
                    } else {
                        try scanner.comment(bytes)
                    }
                } else {
                    let end = ByteScan.firstIndex(in: bytes, scanner.index..<range.upperBound) { word in
                        ByteScan.bytes(of: word, equalTo: UInt8(ascii: "<"))
                            | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "&"))
                    }
                    appendLines(bytes, scanner.index..<end, to: &output)
                    scanner.index = end
                }
            }
        } catch {}
    }

    /// Adds the value of an attribute: references are undone, other white space becomes spaces (3.3.3).
    static func appendValue(_ bytes: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        var scanner = XMLScanner()
        scanner.index = range.lowerBound
        do throws(XMLStop) {
            while scanner.index < range.upperBound {
                let byte = bytes[scanner.index]
                if byte == UInt8(ascii: "&") {
                    appendScalar(try scanner.reference(bytes), to: &output)
                    continue
                }
                scanner.index += 1
                // A line feed behind a carriage return is part of the same line end.
                if byte == 0x0A, scanner.index - 2 >= range.lowerBound, bytes[scanner.index - 2] == 0x0D { continue }
                output.append(byte < 0x20 ? 0x20 : byte)
            }
        } catch {}
    }

    /// Adds text with its line ends as line feeds.
    static func appendLines(_ bytes: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let end = ByteScan.firstIndex(in: bytes, index..<range.upperBound) { ByteScan.bytes(of: $0, equalTo: 0x0D) }
            append(bytes, index..<end, to: &output)
            index = end
            guard index < range.upperBound else { return }
            output.append(0x0A)
            index += 1
            if index < range.upperBound, bytes[index] == 0x0A { index += 1 }
        }
    }

    private static func appendScalar(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        for byte in String(Character(scalar)).utf8 { output.append(byte) }
    }

    /// Adds text as a string of JSON.
    static func appendJSON(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
