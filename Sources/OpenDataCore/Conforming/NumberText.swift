/// Numbers as publishers write them, made literals of JSON.
enum NumberText {
    /// The range of the number that a whole cell is, as a literal of JSON, or `nil` if the cell is no number.
    ///
    /// Grammar: an optional sign; digits, with or without commas between groups of three; an optional point and digits.
    /// `.5` is `0.5`, as databases write it. Digits, signs, commas and points may be full-width. Leading zeros, a plus
    /// and commas go; every other digit stays. There are no exponents: `1E10` is a code.
    ///
    /// The literal is written over the cell if it may be and fits, else behind the bytes.
    static func canonical(_ range: Range<Int>, in bytes: inout [UInt8], integer: Bool, overwrites: Bool) -> Range<Int>?
    {
        if isCanonical(range, in: bytes, integer: integer) { return range }
        guard let literal = rewritten(bytes[range], integer: integer) else { return nil }
        let start = overwrites && literal.count <= range.count ? range.lowerBound : bytes.count
        if start == bytes.count {
            bytes += literal
        } else {
            for (offset, byte) in literal.enumerated() { bytes[start + offset] = byte }
        }
        return start..<(start + literal.count)
    }

    /// Whether the cell is a literal already: `-?(0|[1-9]\d*)(\.\d+)?`.
    private static func isCanonical(_ range: Range<Int>, in bytes: [UInt8], integer: Bool) -> Bool {
        var index = range.lowerBound
        let end = range.upperBound
        if index < end, bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard index < end, bytes[index] &- 48 < 10 else { return false }
        let isZero = bytes[index] == UInt8(ascii: "0")
        index += 1
        let first = index
        while index < end, bytes[index] &- 48 < 10 { index += 1 }
        if isZero, index > first { return false }
        if index == end { return true }
        guard bytes[index] == UInt8(ascii: "."), !integer, index + 1 < end else { return false }
        index += 1
        while index < end, bytes[index] &- 48 < 10 { index += 1 }
        return index == end
    }

    private static func rewritten(_ cell: ArraySlice<UInt8>, integer: Bool) -> [UInt8]? {
        let text = narrowed(cell)
        var rest = text[...]
        var literal: [UInt8] = []
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            if sign == UInt8(ascii: "-") { literal.append(sign) }
            rest = rest.dropFirst()
        }
        let whole = rest.prefix { $0 &- 48 < 10 || $0 == UInt8(ascii: ",") }
        rest = rest[whole.endIndex...]
        guard let digits = ungrouped(whole) else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        literal += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst()
            guard !integer, !fraction.isEmpty, fraction.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
            literal += rest
        } else if !rest.isEmpty || whole.isEmpty {
            return nil
        }
        return literal
    }

    /// Digits without the commas between them; `nil` if commas stand anywhere but between groups of three.
    private static func ungrouped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let groups = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        if groups.count > 1 {
            guard 1...3 ~= groups[0].count, groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
        }
        return groups.flatMap { $0 }
    }

    /// The cell with full-width digits, signs, commas and points made ASCII.
    private static func narrowed(_ cell: ArraySlice<UInt8>) -> [UInt8] {
        guard cell.contains(where: { $0 >= 0x80 }) else { return Array(cell) }
        return String(decoding: cell, as: UTF8.self).unicodeScalars.flatMap { scalar -> [UInt8] in
            if 0xFF01...0xFF5E ~= scalar.value { return [UInt8(scalar.value - 0xFEE0)] }
            return Array(String(scalar).utf8)
        }
    }
}
