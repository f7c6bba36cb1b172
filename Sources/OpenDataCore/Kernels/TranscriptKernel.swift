/// Writes records of JSON straight from the text that their cells stand in.
///
/// It checks a value while it copies it: plain text without white space around it, a number that is a literal as it
/// stands, the last day once more. Any other cell goes to `others`, which writes it or declines; a record with a cell
/// that nobody writes is the first that is not taken. So it decides nothing: what it writes, ``ConformKernel`` and an
/// encoder would write alike.
///
/// Bytes are copied sixteen at a time, of which the next copy overwrites what does not count.
@safe enum TranscriptKernel {
    /// How the values of a field are written.
    enum Kind: UInt8 {
        /// As text that has no white space around it.
        case text
        /// As text, whatever it is.
        case verbatim
        /// As a whole number.
        case whole
        /// As a number.
        case number
        /// As the last day.
        case day
        /// By `others` alone.
        case other
    }

    /// A field: the name in front of its value, and where the value is.
    struct Step: Sendable {
        /// The first bytes of the name.
        var start: SIMD16<UInt8>
        /// All of it, in the block of names: where it is, and how long; a text's ends with a quote.
        var nameOffset: Int
        var nameLength: Int
        /// The number of the cell in its record.
        var source: Int
        /// The number of the day among the days.
        var day: Int
        /// How the value is written.
        var kind: Kind
        /// Whether an empty cell is no value, and may be.
        var emptyIsNull: Bool
        /// Whether the cell is the last of its record.
        var isLast: Bool
        /// Whether the value is written as a number, whole or not.
        var isNumber: Bool
    }

    /// The last day of a field, if there is one that fits.
    struct Day: Sendable {
        /// The text, of so many bytes; -1 if there is none.
        private(set) var text = SIMD16<UInt8>(repeating: 0)
        private(set) var length = -1
        /// A bit for each byte of the text.
        private(set) var bits = 0 as UInt64
        /// What is written for it, of so many bytes.
        private(set) var value = SIMD16<UInt8>(repeating: 0)
        private(set) var valueLength = 0

        /// None yet.
        init() {}

        /// A day, unless its text or what is written for it has more than sixteen bytes.
        init(_ text: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
            guard text.count <= block, value.count <= block else { return }
            unsafe withUnsafeMutableBytes(of: &self.text) { unsafe $0.copyMemory(from: text) }
            unsafe withUnsafeMutableBytes(of: &self.value) { unsafe $0.copyMemory(from: value) }
            (length, valueLength, bits) = (text.count, value.count, 1 << UInt64(text.count) - 1)
        }
    }

    /// What is known of all records.
    @safe struct Terms {
        /// The text.
        ///
        /// Cells are taken only if thirty-three bytes more can be read behind their records.
        var base: UnsafeRawPointer
        var steps: UnsafeBufferPointer<Step>
        var days: UnsafeMutablePointer<Day>
        /// The block of names, behind which sixteen bytes more can be read.
        var names: UnsafeRawPointer
        /// What stands behind a record, in the block of names.
        var end: Range<Int>
        /// The most bytes that a record takes beyond those of its cells, names included.
        var most: Int
        /// ``TranscriptKernel/edges``.
        var edges: UnsafePointer<UInt8>
    }

    private static let block = 16

    /// The most bytes that `others` may write beyond those of the cell.
    static let mostBeyond = 40

    /// The most bytes that records take beyond those of their cells, given the steps and what stands behind: see
    /// ``Terms/most``.
    static func most(_ steps: [Step], end: Int) -> Int {
        steps.reduce(end + 3 * block) { $0 + $1.nameLength + mostBeyond }
    }

    /// Whether a text that begins, or, 256 further on, ends with a byte has to be looked at for white space; 1 if so.
    static let edges: [UInt8] = {
        var edges = [UInt8](repeating: 0, count: 512)
        for byte in 0...0x20 { (edges[byte], edges[256 + byte]) = (1, 1) }
        // U+00A0 and U+3000; and a quote, which a cell without text begins with.
        for byte in [0x22, 0xC2, 0xE3] { edges[byte] = 1 }
        for byte in [0x80, 0xA0] { edges[256 + byte] = 1 }
        return edges
    }()

    /// Writes `count` records, up to one that is not taken or that there may be no room for.
    ///
    /// - Parameters:
    ///   - cells: Where the cells are.
    ///   - output: The bytes written count only up to the end of the last whole record.
    ///   - others: Writes the value of the cell of a step, which begins at an offset and has a length, and returns the
    ///     number of bytes written, or -1; at most ``mostBeyond`` more than the cell has.
    /// - Returns: The number of records and bytes written, and whether the next record is not taken, whatever room
    ///   there is.
    @inline(never)
    static func write<Ends: LineEnds>(
        _ terms: Terms, _ cells: CellsOfPlaces<Ends>, count: Int, into output: UnsafeMutableRawBufferPointer,
        others: (Int, Int, Int, UnsafeMutableRawPointer) -> Int
    ) -> (records: Int, written: Int, isLeft: Bool) {
        guard let start = output.baseAddress, let firstStep = unsafe terms.steps.baseAddress else {
            return (0, 0, false)
        }
        // One byte further on: a cell is given by the byte before it.
        let (base, names, edges) = unsafe (terms.base + 1, terms.names, terms.edges)
        let (days, most) = unsafe (terms.days, terms.most)
        let (end, endLength) = unsafe (names + terms.end.lowerBound, terms.end.count)
        var cells = cells
        let lastStep = unsafe firstStep + terms.steps.count
        let limit = unsafe start + output.count
        var (place, record) = unsafe (start, 0)
        while record < count {
            let length = cells.recordLength
            // Room for all of the record, whatever its values are.
            if unsafe limit - place < length &+ most { break }
            var to = unsafe place
            var step = unsafe firstStep
            while unsafe step < lastStep {
                unsafe to.storeBytes(of: step.pointee.start, as: SIMD16<UInt8>.self)
                let (nameLength, kind) = unsafe (step.pointee.nameLength, step.pointee.kind)
                if nameLength > block {
                    unsafe to.copyBlocksBehindFirst(from: names + step.pointee.nameOffset, count: nameLength)
                }
                unsafe to += nameLength
                let (before, length) = unsafe cells.cell(step.pointee.source, isLast: step.pointee.isLast)
                let text = unsafe base + before
                let value = unsafe ByteBlock(text)
                var isTaken = true
                var written = length
                // By itself, and before the others: most values are numbers.
                if unsafe step.pointee.isNumber {
                    unsafe value.store(to: to)
                    let first = unsafe text.load(as: UInt8.self)
                    let sign = first == UInt8(ascii: "-") ? 1 : 0
                    // What is no digit, but for the sign in front, and what stands behind the block.
                    let rest = value.outside(UInt8(ascii: "0"), UInt8(ascii: "9")).bits ^ UInt64(sign) | 3 &<< 16
                    let run = rest.trailingZeroBitCount
                    let leading = unsafe text.load(fromByteOffset: sign, as: UInt8.self)
                    // One digit at least; no more than one if it is a zero. By a product, for signs and zeros come and
                    // go.
                    let mostMore = UInt(leading ^ UInt8(ascii: "0")) &* 16
                    if UInt(bitPattern: run &- sign &- 1) > mostMore {
                        isTaken = false
                    } else if run != length {
                        let second = (rest & (rest &- 1)).trailingZeroBitCount
                        let point = unsafe text.load(fromByteOffset: run, as: UInt8.self)
                        isTaken =
                            second == length && point == UInt8(ascii: ".") && second > run &+ 1
                            && kind == .number
                    }
                } else {
                    switch kind {
                    case .text:
                        unsafe value.store(to: to)
                        unsafe (to + block).copyBlock(from: text + block)
                        let first = unsafe Int(text.load(as: UInt8.self))
                        let last = unsafe Int((text + max(length &- 1, 0)).load(as: UInt8.self))
                        if unsafe edges[first] | edges[last &+ 256] != 0 {
                            isTaken = unsafe isTaken && length > 0 && !isSpaced(text, length)
                        }
                        isTaken = unsafe isTaken && PlainTextKernel.isPlain(text, length, first: value)
                        if isTaken {
                            if length > 2 &* block { unsafe to.copyBlocksBehindFirst(from: text, count: length) }
                            unsafe to.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length, as: UInt8.self)
                            written = length &+ 1
                        }
                    case .verbatim:
                        unsafe value.store(to: to)
                        isTaken = unsafe isTaken && length > 0 && PlainTextKernel.isPlain(text, length, first: value)
                        if isTaken {
                            if length > block { unsafe to.copyBlocksBehindFirst(from: text, count: length) }
                            unsafe to.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length, as: UInt8.self)
                            written = length &+ 1
                        }
                    case .day:
                        let day = unsafe days + step.pointee.day
                        unsafe to.storeBytes(of: day.pointee.value, as: SIMD16<UInt8>.self)
                        let same = unsafe value.equal(to: ByteBlock(day.pointee.text)).bits
                        isTaken = unsafe length == day.pointee.length && ~same & day.pointee.bits == 0
                        written = unsafe day.pointee.valueLength
                    case .whole, .number, .other: isTaken = false
                    }
                }
                if !isTaken {
                    let quote = kind == .text || kind == .verbatim ? 1 : 0
                    if length == 0, unsafe step.pointee.emptyIsNull {
                        unsafe (to - quote).storeBytes(of: (0x6C6C_756E as UInt32).littleEndian, as: UInt32.self)
                        written = 4 &- quote
                    } else {
                        written = unsafe others(step - firstStep, before &+ 1, length, to - quote) &- quote
                        if written < 0 { return unsafe (record, place - start, true) }
                    }
                }
                unsafe to += written
                unsafe step += 1
            }
            unsafe to.copyBlock(from: end)
            if endLength > block { unsafe to.copyBlocksBehindFirst(from: end, count: endLength) }
            unsafe place = to + endLength
            record &+= 1
            cells.next()
        }
        return unsafe (record, place - start, false)
    }

    /// Whether a text that may begin or end with white space does.
    @inline(never)
    private static func isSpaced(_ text: UnsafeRawPointer, _ length: Int) -> Bool {
        unsafe ConformKernel.isSpaced(text, length)
    }
}

/// Cells between the places of their opening quotes.
@safe struct CellsOfPlaces<Ends: LineEnds> {
    let base: UnsafeRawPointer
    /// The places from the record's first on.
    var places: UnsafePointer<UInt32>
    /// The number of cells of a record.
    let width: Int

    /// The number of bytes of the record.
    @inline(__always)
    var recordLength: Int { unsafe Int(places[width]) &- Int(places[0]) }

    /// The offset of the byte before a cell of the record, and the length of the cell.
    @inline(__always)
    func cell(_ number: Int, isLast: Bool) -> (before: Int, length: Int) {
        let (from, next) = unsafe (Int(places[number]), Int(places[number &+ 1]))
        // The two quotes and what separates, which may be two bytes long.
        let separator = unsafe Ends.hasReturns && isLast ? Ends.length(before: base + next) : 1
        return (from, next &- from &- 2 &- separator)
    }

    /// Goes on to the next record.
    @inline(__always)
    mutating func next() { unsafe places += width }
}
