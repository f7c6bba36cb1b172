import OpenDataCore

/// The fast path of the CSV decoder: whole records whose cells need no second look.
///
/// It takes a record only if it has exactly the header's number of cells, each bare or wrapped in quotes, without doubled
/// quotes, backslashes or controls, and ends with LF or CRLF inside the window with eight bytes to spare. At any other
/// record it stops, and ``CSVScanner`` reads that one. So it decides nothing: what it takes, the scanner would read alike.
enum CSVKernel {
    /// Where the kernel stopped.
    struct Progress {
        /// The byte after the last record taken.
        var end: Int
        /// The number of records taken.
        var records: Int
    }

    /// Takes records from `start` on, until one is not for the kernel or there is no more room for cells.
    ///
    /// - Parameters:
    ///   - bytes: The window. Eight bytes are loaded at `index` only where `index + 8 <= bytes.count`.
    ///   - cells: Where cells go, `width` a record; its count bounds the number of records.
    ///   - starts: Where the first byte of each record goes; it has room for `cells.count / width` of them.
    /// - Complexity: O(bytes), eight at a time.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int,
        into cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>
    ) -> Progress {
        let room = min(cells.count / width, starts.count)
        guard let base = bytes.baseAddress, let cell = cells.baseAddress,
            let startOf = starts.baseAddress, bytes.count >= 8
        else { return Progress(end: start, records: 0) }
        // The last index at which eight bytes can be loaded; every index below is checked against it before use.
        let last = bytes.count &- 8
        let separators = UInt64(delimiter) &* 0x0101_0101_0101_0101
        var records = 0
        var written = 0
        var index = start
        while records < room {
            let first = index
            var column = 0
            while true {
                if index >= last { return Progress(end: first, records: records) }
                var word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                if word & 0xFF == 0x22 {
                    let from = index &+ 1
                    index = from
                    var stop: UInt64
                    while true {
                        word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                        stop = quotesAndOddities(word)
                        if stop != 0 { break }
                        index &+= 8
                        if index > last { return Progress(end: first, records: records) }
                    }
                    index &+= stop.trailingZeroBitCount >> 3
                    unsafe cell[written] = Cell(.text, offset: from, length: index &- from, quoted: true, plain: true)
                    // The byte that stopped the search and the two after it; there are eight to spare before `last`.
                    if index > last { return Progress(end: first, records: records) }
                    word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                    if word & 0xFF != 0x22 { return Progress(end: first, records: records) }
                    index &+= 1
                    word >>= 8
                } else {
                    let from = index
                    var stop: UInt64
                    while true {
                        stop = quotesAndOddities(word) | zeros(in: word ^ separators)
                        if stop != 0 { break }
                        index &+= 8
                        if index > last { return Progress(end: first, records: records) }
                        word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                    }
                    index &+= stop.trailingZeroBitCount >> 3
                    // A line end at the start of a record is a blank line, which is no record.
                    if index == first { return Progress(end: first, records: records) }
                    unsafe cell[written] = Cell(.text, offset: from, length: index &- from, plain: true)
                    if index > last { return Progress(end: first, records: records) }
                    word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                }
                written &+= 1
                column &+= 1
                let next = UInt8(truncatingIfNeeded: word)
                if next == delimiter {
                    if column == width { return Progress(end: first, records: records) }
                    index &+= 1
                    continue
                }
                if column != width { return Progress(end: first, records: records) }
                if next == 0x0A {
                    index &+= 1
                } else if word & 0xFFFF == 0x0A0D {
                    index &+= 2
                } else {
                    return Progress(end: first, records: records)
                }
                break
            }
            unsafe startOf[records] = UInt32(truncatingIfNeeded: first)
            records &+= 1
        }
        return Progress(end: index, records: records)
    }

    /// The high bit of the first byte that is a quote, a backslash or a control; bits above it may be wrong.
    @inline(__always)
    private static func quotesAndOddities(_ word: UInt64) -> UInt64 {
        zeros(in: word ^ 0x2222_2222_2222_2222) | zeros(in: word ^ 0x5C5C_5C5C_5C5C_5C5C)
            | (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
    }

    /// The high bit of the first byte that is zero; bits above it may be wrong.
    @inline(__always)
    private static func zeros(in word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }
}
