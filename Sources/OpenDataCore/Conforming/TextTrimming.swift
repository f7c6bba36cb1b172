/// White space at the ends of a cell.
enum TextTrimming {
    /// The range without spaces, tabs, line ends, no-break spaces and ideographic spaces at its ends.
    static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, let width = spaceWidth(at: start, before: end, in: bytes) { start += width }
        while start < end {
            if isASCIISpace(bytes[end - 1]) {
                end -= 1
            } else if end - 2 >= start, bytes[end - 2] == 0xC2, bytes[end - 1] == 0xA0 {
                end -= 2
            } else if end - 3 >= start, bytes[end - 3] == 0xE3, bytes[end - 2] == 0x80, bytes[end - 1] == 0x80 {
                end -= 3
            } else {
                break
            }
        }
        return start..<end
    }

    private static func spaceWidth(at index: Int, before end: Int, in bytes: [UInt8]) -> Int? {
        let byte = bytes[index]
        if isASCIISpace(byte) { return 1 }
        if byte == 0xC2, index + 1 < end, bytes[index + 1] == 0xA0 { return 2 }
        if byte == 0xE3, index + 2 < end, bytes[index + 1] == 0x80, bytes[index + 2] == 0x80 { return 3 }
        return nil
    }

    private static func isASCIISpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
