/// The fast path of conforming: cells of a column that are already what their field wants.
///
/// It takes a cell only if it is text without white space around it, a number that is a literal as it stands, the last
/// day once more, or no value where none is needed. ``FieldPlan`` reads every other cell. So it decides nothing: what
/// it takes, the plan would read alike.
@safe struct ConformKernel {
    /// The most records that are looked at together.
    static let block = 64

    let base: UnsafeRawPointer
    /// The last offset at which a block can be loaded.
    let last: Int
    private let input: UnsafePointer<Cell>
    private let inputStep: Int
    private let output: UnsafeMutablePointer<Cell>
    let outputStep: Int
    private let count: Int
    let isRequired: Bool

    /// Makes a kernel for a column of a few records.
    ///
    /// - Parameters:
    ///   - bytes: The batch's bytes. Sixteen are loaded only where all of them lie within.
    ///   - input: The column's first cell; the others follow `inputStep` cells apart.
    ///   - output: Where the first conforming cell goes; the others the same, `outputStep` apart.
    ///   - count: The number of records, at most ``block``.
    init(
        _ bytes: UnsafeRawBufferPointer, base: UnsafeRawPointer, _ input: UnsafePointer<Cell>, inputStep: Int,
        _ output: UnsafeMutablePointer<Cell>, outputStep: Int, count: Int, isRequired: Bool
    ) {
        unsafe self.base = base
        last = bytes.count &- 16
        unsafe self.input = input
        self.inputStep = inputStep
        unsafe self.output = output
        self.outputStep = outputStep
        self.count = count
        self.isRequired = isRequired
    }

    /// Reads texts whose only missing value is the empty one, or none; returns a bit for each cell not taken.
    func texts(emptyIsNull: Bool) -> UInt64 {
        let (base, last, none) = unsafe (base, last, isRequired ? Cell.absent : .null)
        return taking(.text) { cell, length, _ in
            if length == 0 { return emptyIsNull || !cell.isQuoted ? none : cell }
            guard cell.offset <= last else { return .absent }
            return unsafe ConformKernel.isSpaced(base + cell.offset, Int(bitPattern: length)) ? .absent : cell
        }
    }

    /// Reads days that are the last one once more; returns a bit for each cell not taken.
    func days(_ known: LastDay) -> UInt64 {
        let wanted = UInt(known.text.count)
        let (low, high) = (ConformKernel.lowBytes(known.text.count), ConformKernel.lowBytes(known.text.count &- 8))
        let (base, last, none) = unsafe (base, last, isRequired ? Cell.absent : .null)
        return taking(.date) { cell, length, _ in
            if length == 0 { return none }
            guard length == wanted, length <= 16, cell.offset <= last else { return .absent }
            let text = unsafe base + cell.offset
            let first = unsafe text.loadUnaligned(as: UInt64.self).littleEndian & low
            let second = unsafe text.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian & high
            return (first ^ known.words[0]) | (second ^ known.words[1]) == 0 ? known.cell : .absent
        }
    }

    /// Writes what `body` makes of each text, its length and the number of its record, but for what it makes absent;
    /// cells of the kind `also`, and no value where none is needed, stay as they are.
    @inline(__always)
    func taking(_ also: Cell.Kind, _ body: (Cell, UInt, Int) -> Cell) -> UInt64 {
        var odd = 0 as UInt64
        var (from, to) = unsafe (input, output)
        let (inputStep, outputStep, isRequired) = (inputStep, outputStep, isRequired)
        for record in 0..<count {
            let cell = unsafe from.pointee
            if cell.kind == .text {
                let result = body(cell, UInt(bitPattern: cell.length), record)
                unsafe to.pointee = result
                if result.bits == 0 { odd |= 1 &<< UInt64(truncatingIfNeeded: record) }
            } else if cell.isEmpty ? !isRequired : cell.kind == also {
                unsafe to.pointee = cell
            } else {
                odd |= 1 &<< UInt64(truncatingIfNeeded: record)
            }
            unsafe from += inputStep
            unsafe to += outputStep
        }
        return odd
    }

    /// A word whose first bytes, up to eight, are all ones.
    private static func lowBytes(_ count: Int) -> UInt64 {
        count >= 8 ? ~0 : count <= 0 ? 0 : 1 << UInt64(8 * count) - 1
    }

    /// Whether a text of at least one byte begins or ends with white space, as ``TextTrimming`` sees it.
    @inline(__always)
    static func isSpaced(_ text: UnsafeRawPointer, _ length: Int) -> Bool {
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
}
