/// The fast path of the JSON decoder: objects that are written as the one before.
///
/// It takes a record only if its keys, its punctuation and its white space are those of a shape, each of its values is
/// text, a number, true, false or null, and the text between it and the next record is the shape's too; keys behind the
/// first may be missing, if what is there is in the shape's order. At any other record it stops, and the scanner reads
/// that one; so it never has to say what is wrong with one. A record that it does not take is left as it was.
@safe package struct JSONRecordKernel {
    /// Where the kernel stopped.
    package struct Progress {
        /// The number of records taken.
        package var records: Int
        /// The index at which the next one begins.
        package var next: Int
        /// Whether the record that comes next is not one for the kernel; if not, bytes or room have run out.
        package var isMisfit: Bool

        package init(records: Int = 0, next: Int = 0, isMisfit: Bool = false) {
            self.records = records
            self.next = next
            self.isMisfit = isMisfit
        }
    }

    /// The bytes that must lie behind a place for a value to be read there.
    ///
    /// A number is looked at in two blocks, and a block begins at most six bytes on in an escape.
    private static let spare = 32
    /// The bytes that must lie behind a place in the scratch buffer for a block to be written there.
    private static let scratchSpare = 32

    let base: UnsafeMutableRawPointer
    // The last index at which a value or a block may begin.
    let last: Int
    let scratch: UnsafeMutableRawPointer
    // The last place in the scratch buffer at which a block may be written.
    let scratchRoom: Int
    // The bytes of the scratch buffer that the record under way uses.
    var used = 0
    // Whether the window ends before the record is known to be one for the kernel.
    var isAtEnd = false

    /// Reads records from `first` on, where one must begin, until one is not for the kernel or there is no more room.
    ///
    /// - Parameters:
    ///   - window: Escapes of the records taken are undone in place; nothing else is written to.
    ///   - width: The number of columns; those of the shape are below it.
    ///   - cells: Room for `width` cells a record.
    ///   - starts: Set to the index at which each record begins.
    ///   - scratch: Where texts are put together before their record is whole; a longer record is not for the kernel.
    package static func scan(
        _ window: UnsafeMutableRawBufferPointer, from first: Int, _ shape: borrowing JSONRecordShape, width: Int,
        into cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>,
        scratch: UnsafeMutableRawBufferPointer
    ) -> Progress {
        var progress = Progress(next: first)
        guard let base = window.baseAddress, let output = cells.baseAddress, let startOf = starts.baseAddress,
            let spare = scratch.baseAddress, window.count >= first + JSONRecordKernel.spare,
            window.count <= Cell.maximumLength, scratch.count > 2 * scratchSpare
        else { return progress }
        let room = min(cells.count / max(width, 1), starts.count)
        var kernel = unsafe JSONRecordKernel(
            base: base, last: window.count - JSONRecordKernel.spare, scratch: spare,
            scratchRoom: scratch.count - scratchSpare)
        // A column that the shape does not have is absent.
        let isFull = shape.joints.count == width
        let (closing, between, maySkip) = (shape.closing, shape.between, shape.maySkip)
        unsafe shape.bytes.withUnsafeBytes { pieces in
            unsafe shape.joints.withUnsafeBufferPointer { joints in
                guard let pieces = pieces.baseAddress else { return }
                var start = first
                while progress.records < room {
                    let row = unsafe output + progress.records &* width
                    if !isFull { unsafe row.initialize(repeating: .absent, count: width) }
                    kernel.used = 0
                    var place = start
                    for number in 0..<joints.count {
                        let joint = unsafe joints[number]
                        guard unsafe kernel.matches(joint, of: pieces, at: place) else {
                            // (Never the first, which has the opening bracket: else a closing one alone would do.)
                            if !kernel.isAtEnd, maySkip, number > 0 {
                                unsafe row[joint.column] = .absent
                                continue
                            }
                            progress.isMisfit = !kernel.isAtEnd
                            return
                        }
                        let cell = kernel.value(at: place &+ joint.count)
                        if cell.end == 0 {
                            progress.isMisfit = !kernel.isAtEnd
                            return
                        }
                        unsafe row[joint.column] = cell.cell
                        place = cell.end
                    }
                    let end = place &+ closing.count
                    guard unsafe kernel.matches(closing, of: pieces, at: place),
                        unsafe kernel.matches(between, of: pieces, at: end)
                    else {
                        progress.isMisfit = !kernel.isAtEnd
                        return
                    }
                    if kernel.used > 0 { kernel.putBack() }
                    unsafe startOf[progress.records] = UInt32(truncatingIfNeeded: start)
                    progress.records &+= 1
                    start = end &+ between.count
                    progress.next = start
                }
            }
        }
        return progress
    }

    private init(base: UnsafeMutableRawPointer, last: Int, scratch: UnsafeMutableRawPointer, scratchRoom: Int) {
        unsafe self.base = base
        self.last = last
        unsafe self.scratch = scratch
        self.scratchRoom = scratchRoom
    }

    /// Whether a joint stands at a place of the window.
    ///
    /// In bounds: the shape has a block to spare, and the window has one behind the joint.
    @inline(__always)
    private mutating func matches(_ joint: JSONRecordShape.Joint, of pieces: UnsafeRawPointer, at place: Int) -> Bool {
        if place &+ joint.count > last {
            isAtEnd = true
            return false
        }
        var (left, text, piece) = (joint.count, place, joint.offset)
        while left > 16 {
            if unsafe ByteBlock(base + text).equal(to: ByteBlock(pieces + piece)).bits != 0xFFFF { return false }
            (left, text, piece) = (left &- 16, text &+ 16, piece &+ 16)
        }
        let mask = (1 as UInt64) &<< UInt64(truncatingIfNeeded: left) &- 1
        return unsafe ByteBlock(base + text).equal(to: ByteBlock(pieces + piece)).bits & mask == mask
    }

    /// The value at a place and the index behind it; the index is 0 if the value is not for the kernel.
    ///
    /// In bounds: a joint was seen before it, so that the window has ``spare`` bytes from the place on.
    @inline(__always)
    private mutating func value(at place: Int) -> (cell: Cell, end: Int) {
        let first = unsafe base.load(fromByteOffset: place, as: UInt8.self)
        if first == UInt8(ascii: "\"") { return text(from: place &+ 1) }
        if first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 { return number(at: place) }
        let word = unsafe base.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
        switch UInt32(truncatingIfNeeded: word) {
        case 0x6C6C_756E: return (.null, place &+ 4)
        case 0x6575_7274: return (.boolean(true), place &+ 4)
        case 0x736C_6166 where word >> 32 & 0xFF == 0x65: return (.boolean(false), place &+ 5)
        default: return (.null, 0)
        }
    }

    /// A number of at most 31 bytes, without an exponent.
    @inline(__always)
    private func number(at place: Int) -> (cell: Cell, end: Int) {
        let text = unsafe base.assumingMemoryBound(to: UInt8.self) + place
        let low = unsafe ByteBlock(base + place).between(UInt8(ascii: "0"), UInt8(ascii: "9")).bits
        let high = unsafe ByteBlock(base + place + 16).between(UInt8(ascii: "0"), UInt8(ascii: "9")).bits
        // A bit for each byte that is no digit; the last byte counts as one.
        let others = ~(low | high &<< 16) | 1 &<< 31
        var end = unsafe text[0] == UInt8(ascii: "-") ? 1 : 0
        let start = end
        end &+= (others &>> UInt64(truncatingIfNeeded: end)).trailingZeroBitCount
        // A zero in front stands alone.
        let isZero = unsafe text[start] == UInt8(ascii: "0")
        if end == start || isZero && end > start &+ 1 { return (.null, 0) }
        if unsafe text[end] == UInt8(ascii: ".") {
            let fraction = end &+ 1
            if fraction > 30 { return (.null, 0) }
            end = fraction &+ (others &>> UInt64(truncatingIfNeeded: fraction)).trailingZeroBitCount
            if end == fraction { return (.null, 0) }
        }
        // Where digits or an exponent go on behind it, no joint stands, and the record is not for the kernel.
        return (Cell(.number, offset: place, length: end), place &+ end)
    }

    /// A text, up to its closing quote.
    @inline(__always)
    private mutating func text(from start: Int) -> (cell: Cell, end: Int) {
        var index = start
        while true {
            if index > last {
                isAtEnd = true
                return (.null, 0)
            }
            let special = unsafe JSONRecordKernel.specials(ByteBlock(base + index))
            if special != 0 {
                index &+= special.trailingZeroBitCount
                break
            }
            index &+= 16
        }
        let byte = unsafe base.load(fromByteOffset: index, as: UInt8.self)
        if byte == UInt8(ascii: "\"") {
            return (Cell(plainTextAt: start, length: index &- start, quoted: true), index &+ 1)
        }
        return byte == UInt8(ascii: "\\") ? escapedText(from: start, firstEscape: index) : (.null, 0)
    }

    /// The bytes that end a stretch of a text: quotes, backslashes and controls.
    @inline(__always)
    static func specials(_ block: ByteBlock) -> UInt64 {
        (block.equal(to: UInt8(ascii: "\"")) | block.equal(to: UInt8(ascii: "\\")) | block.atMost(0x1F)).bits
    }
}
