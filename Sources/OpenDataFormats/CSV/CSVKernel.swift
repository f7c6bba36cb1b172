import OpenDataCore

/// The fast path of the CSV decoder: whole records whose cells need no second look.
///
/// It takes a record only if it has exactly the header's number of cells, each bare or wrapped in quotes, without doubled
/// quotes, backslashes or controls, and ends with LF or CRLF inside the window with a block to spare. At any other record
/// it stops, and ``CSVScanner`` reads that one. So it decides nothing: what it takes, the scanner would read alike.
///
/// Sixty-four bytes are looked at together. A bit for each quote, summed up from the left, tells which bytes lie inside
/// quotes; of the delimiters and line ends, those outside are the ends of cells.
struct CSVKernel {
    /// Where the kernel stopped.
    struct Progress {
        /// The byte after the last record taken.
        var end: Int
        /// The number of records taken.
        var records: Int
    }

    private static let block = 64
    private static let quote = UInt8(ascii: "\"")

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
        let room = min(cells.count / width, starts.count)
        var records = 0
        // Of the record under way: its first byte, the first byte of the cell under way, cells and quotes so far.
        var (first, from) = (start, start)
        var (column, wrapped, quotes) = (0, 0, 0)
        var place = unsafe cell
        // All ones while a block begins inside quotes.
        var carry: UInt64 = 0
        var index = start
        while records < room, index &+ block < bytes.count {
            let masks = unsafe DelimitedMasks(base + index, delimiter: delimiter)
            let inside = prefixParity(masks.quotes) ^ carry
            carry = UInt64(bitPattern: Int64(bitPattern: inside) >> 63)
            var ends = (masks.delimiters | masks.lineFeeds) & ~inside
            // What keeps a record from the kernel: oddities anywhere, line ends inside quotes, a CR that no LF follows.
            var odd = masks.oddities | (masks.lineFeeds | masks.returns) & inside
            odd |= masks.returns & ~(masks.lineFeeds >> 1)
            if masks.returns >> 63 == 1 {
                // The last byte is a CR, which is odd unless its LF begins the next block and no quotes enclose it.
                let next = unsafe base[index &+ block]
                if next == UInt8(ascii: "\n") { odd &= ~(1 << 63) | inside }
            }
            // A tab that separates is a control where it does not.
            if delimiter < 0x20 { odd |= masks.delimiters & inside }
            // Only what stands before the first oddity counts.
            if odd != 0 { ends &= (odd & (0 &- odd)) &- 1 }
            while ends != 0 {
                let end = index &+ ends.trailingZeroBitCount
                let lowest = ends & (0 &- ends)
                ends &= ends &- 1
                let isLineEnd = masks.lineFeeds & lowest != 0
                var length = end &- from
                // A cell of no bytes has its end for a first byte, which is no quote.
                let (head, tail) = unsafe (base[from], base[end &- (end > from ? 1 : 0)])
                if isLineEnd, tail == UInt8(ascii: "\r"), length > 0 { length &-= 1 }
                if head == quote {
                    // Both quotes of the cell; that there are no more of them is checked for the record as a whole.
                    let close = unsafe base[from &+ length &- 1]
                    if length == 1 || close != quote { return Progress(end: first, records: records) }
                    wrapped &+= 1
                    unsafe place.pointee = Cell(plainTextAt: from &+ 1, length: length &- 2, quoted: true)
                } else {
                    // A line without a byte is no record.
                    if isLineEnd, column == 0, length == 0 { return Progress(end: first, records: records) }
                    unsafe place.pointee = Cell(plainTextAt: from, length: length, quoted: false)
                }
                unsafe place += 1
                column &+= 1
                from = end &+ 1
                if isLineEnd {
                    let seen = quotes &+ (masks.quotes & (lowest &- 1)).nonzeroBitCount
                    if column != width || seen != 2 &* wrapped {
                        return Progress(end: first, records: records)
                    }
                    unsafe startOf[records] = UInt32(truncatingIfNeeded: first)
                    records &+= 1
                    first = from
                    (column, wrapped) = (0, 0)
                    // The quotes of this block that belong to the records now done are taken off in advance.
                    quotes = 0 &- (masks.quotes & (lowest &- 1)).nonzeroBitCount
                    if records == room { return Progress(end: first, records: records) }
                } else if column == width {
                    return Progress(end: first, records: records)
                }
            }
            if odd != 0 { return Progress(end: first, records: records) }
            quotes &+= masks.quotes.nonzeroBitCount
            index &+= block
        }
        return Progress(end: first, records: records)
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
