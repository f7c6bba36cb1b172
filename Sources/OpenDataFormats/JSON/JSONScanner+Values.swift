import OpenDataCore

extension JSONScanner {
    /// Passes a value of any kind, checking it, and says whether white space stands within it.
    ///
    /// - Parameter depth: The number of objects and arrays that are open around it.
    /// - Complexity: O(bytes), without recursion.
    mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONStop) -> Bool {
        var open = 0
        var hasSpace = false
        values: while true {
            let first = try peek(bytes)
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard depth + open < JSONScanner.maximumDepth else { throw .tooDeep(at: place.index) }
                let opensObject = first == UInt8(ascii: "{")
                isObject[open] = opensObject
                open += 1
                place.index += 1
                if skipSpace(bytes) { hasSpace = true }
                // `]` and `}` are two above their opening brackets.
                if try peek(bytes) == first + 2 {
                    place.index += 1
                    open -= 1
                } else {
                    if opensObject, try skipKey(bytes) { hasSpace = true }
                    continue values
                }
            } else {
                try scalar(first, bytes)
            }
            while open > 0 {
                if skipSpace(bytes) { hasSpace = true }
                let next = try peek(bytes)
                let isInObject = isObject[open - 1]
                if next == UInt8(ascii: ",") {
                    place.index += 1
                    if skipSpace(bytes) { hasSpace = true }
                    if isInObject, try skipKey(bytes) { hasSpace = true }
                    continue values
                }
                guard next == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw .unexpected(at: place.index, wanted: isInObject ? .commaOrBrace : .commaOrBracket)
                }
                place.index += 1
                open -= 1
            }
            return hasSpace
        }
    }

    /// Passes a key, its colon and the white space around them, and says whether there was any.
    private mutating func skipKey(_ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        guard try peek(bytes) == JSONStrings.quote else { throw .unexpected(at: place.index, wanted: .key) }
        _ = try string(bytes)
        let hasSpace = skipSpace(bytes)
        try take(UInt8(ascii: ":"), bytes, else: .colon)
        return skipSpace(bytes) || hasSpace
    }

    /// Reads a value as a cell.
    ///
    /// A text with escapes and a JSON with white space are marked as escaped.
    @inline(__always)
    mutating func cell(_ bytes: Span<UInt8>, depth: Int) throws(JSONStop) -> Cell {
        let start = place.index
        let first = try peek(bytes)
        if first == JSONStrings.quote {
            let isEscaped = try string(bytes)
            if isEscaped { hasEscapes = true }
            let length = place.index - start - 2
            guard length <= Cell.maximumLength else { throw .tooLong(at: start) }
            return Cell(.text, offset: start + 1, length: length, quoted: true, escaped: isEscaped, plain: !isEscaped)
        }
        return try bareCell(first, bytes, depth: depth)
    }

    private mutating func bareCell(_ first: UInt8, _ bytes: Span<UInt8>, depth: Int) throws(JSONStop) -> Cell {
        let start = place.index
        var kind = Cell.Kind.number
        var hasSpace = false
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
        case UInt8(ascii: "t"):
            try literal("true", bytes)
            return .boolean(true)
        case UInt8(ascii: "f"):
            try literal("false", bytes)
            return .boolean(false)
        case UInt8(ascii: "n"):
            try literal("null", bytes)
            return .null
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            kind = .json
            hasSpace = try skipValue(bytes, depth: depth)
            if hasSpace { hasEscapes = true }
        default: throw .unexpected(at: start, wanted: .value)
        }
        let length = place.index - start
        guard length <= Cell.maximumLength else { throw .tooLong(at: start) }
        return Cell(kind, offset: start, length: length, escaped: hasSpace)
    }
}
