/// The fast path of conforming: whole records whose cells are already what their fields want.
///
/// It takes a record only if each of its cells is text without white space or marks around it, a number that is a literal
/// as it stands, the same day as in the record before, or no value where none is needed. At any other record it stops, and
/// ``FieldPlan`` reads that one. So it decides nothing: what it takes, the plan would read alike.
enum ConformKernel {
    /// What to do for one field of a record.
    struct Step {
        /// The place of the field's cell in its record, or -1 for one that is the same in every record.
        var column: Int
        /// How the cell is read.
        var action: Action
        /// Whether no value is refused.
        var isRequired: Bool
        /// The cell for `column` -1; else the day that `word` stands for.
        var cell: Cell
        /// The text of the last day, at most eight bytes of it, in the lowest bits.
        var word: UInt64 = 0
        /// The length of that text; 0 before there is one.
        var length = 0
    }

    /// How a cell is read.
    enum Action {
        /// As text whose only missing value is the empty one, or none.
        case text(emptyIsNull: Bool)
        /// As a number, or a whole number.
        case number(integer: Bool)
        /// As the last day once more.
        case day
        /// By the plan, always.
        case plan
    }

    /// Takes records from `first` on until one is not for the kernel, and returns the number of the first not taken.
    ///
    /// - Parameters:
    ///   - bytes: The batch's bytes. Words are loaded only where all their bytes lie within them.
    ///   - cells: The batch's cells, `width` a record, `count` records.
    ///   - output: Room for `steps.count` cells a record, from the first record taken on.
    @inline(__always)
    static func conform(
        _ bytes: UnsafeRawBufferPointer, _ cells: UnsafeBufferPointer<Cell>, width: Int, from first: Int, count: Int,
        _ steps: UnsafeBufferPointer<Step>, into output: UnsafeMutablePointer<Cell>
    ) -> Int {
        guard let base = bytes.baseAddress, let input = cells.baseAddress, let step = steps.baseAddress,
            bytes.count >= 16, count &* width <= cells.count
        else { return first }
        // The last offset at which sixteen bytes can be loaded.
        let last = bytes.count &- 16
        var record = first
        var place = 0
        while record < count {
            let row = unsafe input + record &* width
            for number in 0..<steps.count {
                let current = unsafe step + number
                let column = unsafe current.pointee.column
                if column < 0 {
                    unsafe output[place &+ number] = current.pointee.cell
                    continue
                }
                let cell = unsafe row[column]
                let kind = cell.kind
                if kind != .text {
                    // No value where none is needed, and numbers of JSON, are what they are.
                    if cell.isEmpty {
                        if unsafe current.pointee.isRequired { return record }
                    } else if kind == .number, case .number(false) = unsafe current.pointee.action {
                    } else {
                        return record
                    }
                    unsafe output[place &+ number] = cell
                    continue
                }
                let (offset, length) = (cell.offset, cell.length)
                if length == 0 {
                    let isNull: Bool
                    switch unsafe current.pointee.action {
                    case .text(let emptyIsNull): isNull = emptyIsNull || !cell.isQuoted
                    case .number, .day: isNull = true
                    case .plan: return record
                    }
                    if isNull, unsafe current.pointee.isRequired { return record }
                    unsafe output[place &+ number] = isNull ? .null : cell
                    continue
                }
                if offset > last { return record }
                switch unsafe current.pointee.action {
                case .text:
                    if unsafe isSpaced(base + offset, length) { return record }
                    unsafe output[place &+ number] = cell
                case .number(let integer):
                    guard unsafe isLiteral(base + offset, length: length, integer: integer) else { return record }
                    unsafe output[place &+ number] = cell.with(kind: .number)
                case .day:
                    let word = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                    let (text, known) = unsafe (current.pointee.word, current.pointee.length)
                    guard length == known, word & (~0 >> UInt64(64 &- 8 &* known)) == text else { return record }
                    unsafe output[place &+ number] = current.pointee.cell
                case .plan: return record
                }
            }
            place &+= steps.count
            record &+= 1
        }
        return record
    }

    /// Whether a text of at least one byte begins or ends with white space, as ``TextTrimming`` sees it.
    @inline(__always)
    private static func isSpaced(_ text: UnsafeRawPointer, _ length: Int) -> Bool {
        // In bounds: sixteen bytes can be read from the text's start, and all of its own.
        let first = unsafe text.loadUnaligned(as: UInt32.self).littleEndian
        let last = unsafe text.load(fromByteOffset: length &- 1, as: UInt8.self)
        if first & 0xFF <= 0x20 || last <= 0x20 { return true }
        if first & 0xFFFF == 0xA0C2 || first & 0xFF_FFFF == 0x80_80E3 { return true }
        // The second byte of U+00A0, and the third of U+3000, which end other letters too.
        if last == 0xA0 { return unsafe length > 1 && text.load(fromByteOffset: length &- 2, as: UInt8.self) == 0xC2 }
        if last == 0x80, length > 2 {
            let end = unsafe text.loadUnaligned(fromByteOffset: length &- 3, as: UInt16.self).littleEndian
            return end == 0x80E3
        }
        return false
    }

    /// Whether a text of one to sixteen bytes is `-?(0|[1-9]\d*)(\.\d+)?`.
    @inline(__always)
    private static func isLiteral(_ text: UnsafeRawPointer, length: Int, integer: Bool) -> Bool {
        if length > 16 { return false }
        // In bounds: sixteen bytes can be read from the text's start. A bit for each byte that is no digit.
        let letters = unsafe text.assumingMemoryBound(to: UInt8.self)
        let digits = unsafe ByteBlock(text).between(UInt8(ascii: "0"), UInt8(ascii: "9"))
        var others = ~digits & (1 &<< UInt32(truncatingIfNeeded: length) &- 1)
        var first = 0
        if others & 1 == 1 {
            guard unsafe letters[0] == UInt8(ascii: "-"), length > 1, others & 2 == 0 else { return false }
            others &= ~1
            first = 1
        }
        let isZero = unsafe letters[first] == UInt8(ascii: "0")
        if others == 0 { return !isZero || length == first &+ 1 }
        // One byte that is no digit, neither the first nor the last: the point.
        let point = others.trailingZeroBitCount
        guard !integer, others & (others &- 1) == 0, point < length &- 1, !isZero || point == first &+ 1 else {
            return false
        }
        return unsafe letters[point] == UInt8(ascii: ".")
    }
}
