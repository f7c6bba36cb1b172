import OpenDataCore

/// The fast path of the CSV decoder: whole records whose cells need no second look.
///
/// It takes a record only if it has exactly the header's number of cells, each bare or wrapped in quotes, without doubled
/// quotes, backslashes or controls, and ends with LF or CRLF inside the window with a block to spare. At any other record
/// it stops, and ``CSVScanner`` reads that one. So it decides nothing: what it takes, the scanner would read alike.
///
/// Sixty-four bytes are looked at together. A bit for each quote, summed up from the left, tells which bytes lie inside
/// quotes; of the delimiters and line ends, those outside are the ends of cells.
///
/// Where every cell of a block is wrapped, the closing quotes alone are followed; else every delimiter and line end is.
@safe struct CSVKernel {
    /// Where the kernel stopped.
    struct Progress {
        /// The byte after the last record taken.
        var end: Int
        /// The number of records taken.
        var records: Int
    }

    private static let block = 64
    private static let quote = UInt8(ascii: "\"")

    private let base: UnsafePointer<UInt8>
    private let delimiter: UInt8
    private let width: Int
    private let startOf: UnsafeMutablePointer<UInt32>
    private let room: Int

    private var records = 0
    // Of the record under way: its first byte, the first byte of the cell under way, where the cell goes.
    private var first: Int
    private var from: Int
    private var place: UnsafeMutablePointer<Cell>
    // Cells so far, how many of them are wrapped, and the quotes before the block (see `takeMixed`).
    private var column = 0
    private var wrapped = 0
    private var quotes = 0

    /// Takes records from `start` on, until one is not for the kernel or there is no more room for cells.
    ///
    /// - Parameters:
    ///   - bytes: The window, of 64 MiB at most. A block is loaded at `index` only where `index + 64 < bytes.count`, and
    ///     every other byte read lies before the end of a cell or at it, inside the block or before it.
    ///   - width: The number of cells of a record, at least one.
    ///   - cells: Where cells go; records are taken only as long as `width` more cells fit.
    ///   - starts: Where the first byte of each record goes, as long as it fits.
    /// - Complexity: O(bytes), 64 at a time.
    static func scan(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int,
        into cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>
    ) -> Progress {
        guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), let cell = cells.baseAddress,
            let startOf = starts.baseAddress, bytes.count <= Cell.maximumLength
        else { return Progress(end: start, records: 0) }
        var kernel = unsafe CSVKernel(
            base: base, delimiter: delimiter, width: width, startOf: startOf,
            room: min(cells.count / width, starts.count), first: start, from: start, place: cell)
        kernel.run(to: bytes.count)
        return Progress(end: kernel.first, records: kernel.records)
    }

    private init(
        base: UnsafePointer<UInt8>, delimiter: UInt8, width: Int, startOf: UnsafeMutablePointer<UInt32>, room: Int,
        first: Int, from: Int, place: UnsafeMutablePointer<Cell>
    ) {
        unsafe self.base = base
        self.delimiter = delimiter
        self.width = width
        unsafe self.startOf = startOf
        self.room = room
        self.first = first
        self.from = from
        unsafe self.place = place
    }

    private mutating func run(to count: Int) {
        // All ones while a block begins inside quotes.
        var carry: UInt64 = 0
        var index = first
        while records < room, index &+ CSVKernel.block < count {
            let masks = unsafe DelimitedMasks(base + index, delimiter: delimiter)
            let next = unsafe base[index &+ CSVKernel.block]
            let inside = CSVKernel.prefixParity(masks.quotes) ^ carry
            let begins = carry & 1
            carry = UInt64(bitPattern: Int64(bitPattern: inside) >> 63)
            let ends = (masks.delimiters | masks.lineFeeds) & ~inside
            // What stands behind each byte; behind the last one, the first of the next block.
            func following(_ mask: UInt64, _ byte: UInt8) -> UInt64 { mask >> 1 | (next == byte ? 1 << 63 : 0) }
            let beforeLineFeed = following(masks.lineFeeds, UInt8(ascii: "\n"))
            // What keeps a record from the kernel: oddities anywhere, line ends inside quotes, a CR that no LF follows.
            var odd = masks.oddities | (masks.lineFeeds | masks.returns) & inside | masks.returns & ~beforeLineFeed
            // A tab that separates is a control where it does not.
            if delimiter < 0x20 { odd |= masks.delimiters & inside }
            if odd == 0 {
                let closing = masks.quotes & ~inside
                let beforeEnd = beforeLineFeed | masks.returns >> 1
                let beforeCellEnd = beforeEnd | following(masks.delimiters, delimiter)
                let isCRLF = masks.returns >> 1
                // (A quote before a CR that begins the next block is none of these: whether that CR has its LF is not yet seen.)
                let isWrapped =
                    closing & ~beforeCellEnd == 0 && ends & ~following(masks.quotes, CSVKernel.quote) == 0
                // So are the cells before the block, by their quotes, and the one that goes on or begins in it.
                let begun = unsafe base[from] == CSVKernel.quote
                if isWrapped, begun, wrapped == column, quotes == 2 &* column &+ Int(truncatingIfNeeded: begins) {
                    guard takeWrapped(closing, at: index, beforeEnd: beforeEnd, beforeReturn: isCRLF) else { return }
                    wrapped = column
                    quotes = 2 &* column &+ Int(truncatingIfNeeded: carry & 1)
                    index &+= CSVKernel.block
                    continue
                }
            }
            // Only what stands before the first oddity counts, and not the ends that the block before has taken.
            let clean = odd == 0 ? ~0 : (odd & (0 &- odd)) &- 1
            let rest: UInt64 = from > index ? ~0 << UInt64(truncatingIfNeeded: from &- index) : ~0
            guard takeMixed(ends & clean & rest, at: index, masks), odd == 0 else { return }
            quotes &+= masks.quotes.nonzeroBitCount
            index &+= CSVKernel.block
        }
    }

    /// Takes the cells that quotes close, each of which stands right before a delimiter or a line end, as each of those
    /// stands right before a quote; false where a record ends otherwise than after `width` cells, or there is no more room.
    @inline(__always)
    private mutating func takeWrapped(
        _ closing: UInt64, at index: Int, beforeEnd: UInt64, beforeReturn: UInt64
    ) -> Bool {
        var closing = closing
        while closing != 0 {
            let end = index &+ closing.trailingZeroBitCount
            let lowest = closing & (0 &- closing)
            closing &= closing &- 1
            unsafe place.pointee = Cell(plainTextAt: from &+ 1, length: end &- from &- 1, quoted: true)
            unsafe place += 1
            column &+= 1
            from = end &+ 2
            if beforeEnd & lowest != 0 {
                if beforeReturn & lowest != 0 { from = end &+ 3 }
                if column != width || !finishRecord() { return false }
            } else if column == width {
                return false
            }
        }
        return true
    }

    /// Takes cells of any kind by their delimiters and line ends; false as above.
    @inline(__always)
    private mutating func takeMixed(_ ends: UInt64, at index: Int, _ masks: DelimitedMasks) -> Bool {
        var ends = ends
        while ends != 0 {
            let end = index &+ ends.trailingZeroBitCount
            let lowest = ends & (0 &- ends)
            ends &= ends &- 1
            let isLineEnd = masks.lineFeeds & lowest != 0
            var length = end &- from
            // A cell of no bytes has its end for a first byte, which is no quote.
            let (head, tail) = unsafe (base[from], base[end &- (end > from ? 1 : 0)])
            if isLineEnd, tail == UInt8(ascii: "\r"), length > 0 { length &-= 1 }
            if head == CSVKernel.quote {
                // Both quotes of the cell; that there are no more of them is checked for the record as a whole.
                let close = unsafe base[from &+ length &- 1]
                if length == 1 || close != CSVKernel.quote { return false }
                wrapped &+= 1
                unsafe place.pointee = Cell(plainTextAt: from &+ 1, length: length &- 2, quoted: true)
            } else {
                // A line without a byte is no record.
                if isLineEnd, column == 0, length == 0 { return false }
                unsafe place.pointee = Cell(plainTextAt: from, length: length, quoted: false)
            }
            unsafe place += 1
            column &+= 1
            from = end &+ 1
            if isLineEnd {
                let before = (masks.quotes & (lowest &- 1)).nonzeroBitCount
                if column != width || quotes &+ before != 2 &* wrapped || !finishRecord() { return false }
                // The quotes of this block that belong to the records now done are taken off in advance.
                quotes = 0 &- before
            } else if column == width {
                return false
            }
        }
        return true
    }

    /// Counts a record, and tells whether there is room for another.
    @inline(__always)
    private mutating func finishRecord() -> Bool {
        unsafe startOf[records] = UInt32(truncatingIfNeeded: first)
        records &+= 1
        first = from
        (column, wrapped) = (0, 0)
        return records < room
    }

    /// For each bit, whether the number of ones up to it is odd.
    @inline(__always)
    private static func prefixParity(_ bits: UInt64) -> UInt64 {
        var parity = bits
        parity ^= parity &<< 1
        parity ^= parity &<< 2
        parity ^= parity &<< 4
        parity ^= parity &<< 8
        parity ^= parity &<< 16
        parity ^= parity &<< 32
        return parity
    }
}
