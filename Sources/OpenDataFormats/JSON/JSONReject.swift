import OpenDataCore

/// Why an element of the records is not taken.
enum JSONReject {
    /// A key occurs twice.
    case duplicate(String)
    /// A row has another number of cells than there are names.
    case count(Int, Int)
    /// The element, which begins with the byte, is not of the kind of the others.
    case notARecord(UInt8, JSONRecordDecoder.Kind, namesColumns: Bool)

    /// The reject for the element in a range of the bytes.
    func reject(at origin: RecordOrigin, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Reject {
        // As many bytes as 200 letters have at most, less what would be a part of a letter.
        var end = min(range.upperBound, range.lowerBound + 800)
        while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        var raw: [UInt8] = []
        for index in range.lowerBound..<end { raw.append(bytes[index]) }
        let text = String(decoding: raw, as: UTF8.self)
        switch self {
        case .duplicate(let key):
            return Reject(
                origin: origin, code: .duplicateKey, field: key, raw: text,
                message: "the object has the key '\(key)' twice")
        case .count(let names, let cells):
            return Reject(
                origin: origin, code: .fieldCount, raw: text,
                message: "there are \(names) names, the row has \(cells) cells")
        case .notARecord(let first, let kind, let namesColumns):
            let wanted =
                switch kind {
                case .objects: "an object"
                case .rows: "an array"
                case .scalars: "a scalar"
                case .undecided: namesColumns ? "an array or an object" : "an object or a scalar"
                }
            return Reject(
                origin: origin, code: .notARecord, raw: text,
                message: "the element is \(JSONReject.name(first)), where \(wanted) is a record")
        }
    }

    /// What begins with the byte.
    static func name(_ first: UInt8) -> String {
        switch first {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
