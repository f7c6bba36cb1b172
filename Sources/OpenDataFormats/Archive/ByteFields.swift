import OpenDataCore

/// Little-endian numbers in bytes.
struct ByteFields {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The number of so many bytes, at most eight, at an offset; `nil` where there are not as many, or for one of 2^63.
    func number(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        var value: UInt64 = 0
        for index in (0..<count).reversed() { value = value << 8 | UInt64(bytes[bytes.startIndex + offset + index]) }
        return Int(exactly: value)
    }

    /// The bytes of a range of offsets; `nil` where there are not as many.
    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count - count else { return nil }
        return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + count)]
    }
}
