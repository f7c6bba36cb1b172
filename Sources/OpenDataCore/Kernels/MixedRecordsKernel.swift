/// The fast path of delimited text of any kind: whole records whose cells are bare or wrapped in quotes, with doubled
/// quotes and line breaks in them.
///
/// It takes records of exactly `width` cells that end with LF or CRLF. A quote has to open a cell right at its
/// beginning, to close one right before its end, or to be one of two in a wrapped cell; at any other, at a lone CR
/// outside quotes, at a line without a byte and at controls other than tabs and line ends it stops. So it decides
/// nothing: what it takes, a scanner would read alike.
///
/// Sixty-four bytes are looked at together. A bit for each quote, summed up from the left, tells which bytes lie inside
/// quotes, as long as no quote stands where it should not; of the delimiters and line ends, those outside end cells.
@safe package enum MixedRecordsKernel {
    /// Where a record begins.
    package struct Start {
        /// The offset of its first byte.
        package var offset: UInt32
        /// The number of line ends between the first record and this one.
        package var line: UInt32
    }

    /// Where the kernel stopped.
    package struct Progress {
        /// The byte after the last record taken.
        package var end: Int
        /// The number of records taken.
        package var records = 0
        /// The number of line ends passed, those in quotes included.
        package var lines = 0
        /// Whether the records are known to be UTF-8; else they have to be looked at.
        package var isUTF8 = true

        /// No records yet.
        package init(end: Int) { self.end = end }
    }

    /// The places of what is found, to be used again and again.
    package struct Room {
        /// The cells of the records taken.
        package var cells: [Cell]
        /// Where the records begin.
        package var starts: [Start]
        /// The numbers of the cells with doubled quotes, some of which may lie behind the records taken.
        var escaped: [UInt32]
        /// The offset of the second of every two quotes that stand for one.
        var doubled: [UInt32]
        var (escapedCount, doubledCount) = (0, 0)
        /// Text without its doubled quotes.
        var text: [UInt8]

        /// Whether there may be doubled quotes in the records taken.
        package var hasDoubledQuotes: Bool { escapedCount > 0 }

        /// Makes room for `cells` cells in each scan, or at least for two records of a width.
        package init(cells count: Int, width: Int) {
            let count = max(count, 2 * width) + 2 * block
            cells = Array(repeating: .absent, count: count)
            starts = Array(repeating: Start(offset: 0, line: 0), count: count / width + 2 * block)
            escaped = Array(repeating: 0, count: count)
            doubled = Array(repeating: 0, count: count + 2 * block)
            text = Array(repeating: 0, count: longestInPassing + 2 * part)
        }
    }

    static let block = 64
    static let part = 16
    /// The most bytes of a cell whose doubled quotes are undone by way of another place.
    static let longestInPassing = 1 << 12
    static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Takes records from `start` on, until something is not for the kernel or there is no more room.
    ///
    /// Doubled quotes stay as they are until ``undoubleQuotes(of:in:_:)`` is called.
    ///
    /// - Parameters:
    ///   - bytes: The window, of 64 MiB at most. Blocks are loaded only where they lie within it; every other byte read
    ///     is one that a block had.
    ///   - width: The number of cells of a record.
    ///   - most: After how many cells to stop, at the next end of a block; at most what the room was made for.
    ///   - room: Where cells and starts go. A block is looked at only if whatever it can have fits.
    /// - Complexity: O(bytes), 64 at a time.
    package static func scan(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int, most: Int, into room: inout Room
    ) -> Progress {
        guard let base = bytes.baseAddress, bytes.count <= Cell.maximumLength, width > 0, start &+ block <= bytes.count,
            0x20..<0x80 ~= delimiter || delimiter == UInt8(ascii: "\t"), delimiter != quote,
            delimiter != UInt8(ascii: "=")
        else { return Progress(end: start) }
        var progress = Progress(end: start)
        let (escaped, doubled) = unsafe room.cells.withUnsafeMutableBufferPointer { cells in
            unsafe room.starts.withUnsafeMutableBufferPointer { starts in
                unsafe room.escaped.withUnsafeMutableBufferPointer { escaped in
                    unsafe room.doubled.withUnsafeMutableBufferPointer { doubled in
                        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { noted in
                            guard let cell = cells.baseAddress, let startOf = starts.baseAddress,
                                let escapedAt = escaped.baseAddress, let doubledAt = doubled.baseAddress
                            else { return (0, 0) }
                            var letters = unsafe UTF8BlockCheck(base, noting: noted)
                            var scan = unsafe MixedRecordsScan(
                                base: base, start: start, delimiter: delimiter, width: width, cells: cell,
                                startOf: startOf,
                                escaped: escapedAt, doubled: doubledAt)
                            scan.run(
                                to: bytes.count, cellRoom: min(most, cells.count &- block),
                                recordRoom: starts.count &- block, pairRoom: doubled.count &- block, &letters)
                            letters.look()
                            progress = scan.progress
                            progress.isUTF8 = letters.isUTF8 && letters.isWhole(before: progress.end)
                            return (scan.escapedCount, scan.doubledCount)
                        }
                    }
                }
            }
        }
        (room.escapedCount, room.doubledCount) = (escaped, doubled)
        return progress
    }
}

/// A scan under way.
@safe private struct MixedRecordsScan {
    let base: UnsafeRawPointer
    let start: Int
    let delimiter: UInt8
    let width: Int
    let cells: UnsafeMutablePointer<Cell>
    let startOf: UnsafeMutablePointer<MixedRecordsKernel.Start>
    let escaped: UnsafeMutablePointer<UInt32>
    let doubled: UnsafeMutablePointer<UInt32>
    var progress: MixedRecordsKernel.Progress
    var (escapedCount, doubledCount) = (0, 0)
    // The cells so far, the first byte of the one under way, and what has been seen of that one before the block: flags
    // of doubled quotes (bit 62), and of what is not plain (bit 63).
    var count = 0
    var from: Int
    var seen = 0 as UInt64
    // The line ends before the block, those in quotes included.
    var lines = 0

    @inline(__always)
    init(
        base: UnsafeRawPointer, start: Int, delimiter: UInt8, width: Int, cells: UnsafeMutablePointer<Cell>,
        startOf: UnsafeMutablePointer<MixedRecordsKernel.Start>, escaped: UnsafeMutablePointer<UInt32>,
        doubled: UnsafeMutablePointer<UInt32>
    ) {
        unsafe self.base = base
        self.start = start
        self.delimiter = delimiter
        self.width = width
        unsafe self.cells = cells
        unsafe self.startOf = startOf
        unsafe self.escaped = escaped
        unsafe self.doubled = doubled
        progress = .init(end: start)
        from = start
    }

    @inline(__always)
    mutating func run(to end: Int, cellRoom: Int, recordRoom: Int, pairRoom: Int, _ letters: inout UTF8BlockCheck) {
        let lastBlock = end &- MixedRecordsKernel.block
        var index = start
        // All ones while a block begins inside quotes.
        var carry = 0 as UInt64
        // What stands right before the block, as its first bit; as though a record had ended there.
        var (endBefore, lineEndBefore) = (1 as UInt64, 1 as UInt64)
        var (closingBefore, returnBefore, outerReturnBefore) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        while index <= lastBlock, count <= cellRoom, progress.records <= recordRoom, doubledCount <= pairRoom {
            var (quotes, delimiters, lineFeeds, returns) = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
            var marks = 0 as UInt64
            var (odd, beyond) = (ByteMatches.none, ByteMatches.none)
            for part in 0..<4 {
                let bytes = unsafe ByteBlock(base + (index &+ part &* 16))
                let shift = UInt64(part &* 16)
                let (ends, returned) = (bytes.equal(to: UInt8(ascii: "\n")), bytes.equal(to: UInt8(ascii: "\r")))
                let tabs = bytes.equal(to: UInt8(ascii: "\t"))
                quotes |= bytes.equal(to: MixedRecordsKernel.quote).bits &<< shift
                delimiters |= bytes.equal(to: delimiter).bits &<< shift
                lineFeeds |= ends.bits &<< shift
                returns |= returned.bits &<< shift
                marks |= (tabs | bytes.equal(to: UInt8(ascii: "\\"))).bits &<< shift
                odd = odd | (bytes.atMost(0x1F) ^ ends ^ returned ^ tabs)
                beyond = beyond | bytes.beyondASCII
            }
            if odd.bits != 0 { break }
            let inside = MixedRecordsScan.prefixParity(quotes) ^ carry
            carry = UInt64(bitPattern: Int64(bitPattern: inside) >> 63)
            let (opening, closing) = (quotes & inside, quotes & ~inside)
            let lineEnds = lineFeeds & ~inside
            let ends = delimiters & ~inside | lineEnds
            let outerReturns = returns & ~inside
            let behindClosing = closing &<< 1 | closingBefore
            let behindOuterReturn = outerReturns &<< 1 | outerReturnBefore
            let lineStarts = lineEnds &<< 1 | lineEndBefore
            let pairs = opening & behindClosing
            var faults = opening & ~(ends &<< 1 | endBefore | pairs)
            faults |= behindClosing & ~(quotes | ends | outerReturns)
            faults |= behindOuterReturn & ~lineFeeds | lineStarts & (lineFeeds | returns)
            // Only what stands before the first fault counts.
            let clean = faults == 0 ? ~0 : (faults & (0 &- faults)) &- 1
            letters.note(index, hasLetters: beyond.bits != 0)

            let before = count
            takeCells(ends & clean, at: index, pairs: pairs, notPlain: marks | (lineFeeds | returns) & inside | pairs)
            note(pairs, at: index)
            let breaks = lineFeeds | (returns &<< 1 | returnBefore) & ~lineFeeds
            if lineEnds & clean != 0 {
                let isWhole = takeRecords(
                    lineEnds & clean, at: index, ends: ends, before, breaks: breaks, behindReturn: behindOuterReturn)
                if !isWhole { break }
            }
            if faults != 0 { break }
            lines &+= breaks.nonzeroBitCount
            endBefore = ends &>> 63
            lineEndBefore = lineEnds &>> 63
            closingBefore = closing &>> 63
            returnBefore = returns &>> 63
            outerReturnBefore = outerReturns &>> 63
            index &+= MixedRecordsKernel.block
        }
    }

    /// Takes the cells that end at the places.
    @inline(__always)
    private mutating func takeCells(_ ends: UInt64, at index: Int, pairs: UInt64, notPlain: UInt64) {
        let plainText = UInt64(Cell.Kind.text.rawValue) &<< 58 | 1 &<< 63
        var ends = ends
        if notPlain | seen == 0 {
            while ends != 0 {
                let end = index &+ ends.trailingZeroBitCount
                ends &= ends &- 1
                // A cell of no bytes has its end for a first byte, which is no quote.
                let wrapped = unsafe base.load(fromByteOffset: from, as: UInt8.self) == MixedRecordsKernel.quote ? 1 : 0
                let place = UInt64(truncatingIfNeeded: from &+ wrapped)
                let length = UInt64(truncatingIfNeeded: end &- from &- 2 &* wrapped)
                unsafe cells[count] = Cell(
                    bits: place | length &<< 32 | UInt64(truncatingIfNeeded: wrapped) &<< 61 | plainText)
                count &+= 1
                from = end &+ 1
            }
            return
        }
        // The bytes of the block that belong to cells done.
        var done = 0 as UInt64
        while ends != 0 {
            let end = index &+ ends.trailingZeroBitCount
            let upToEnd = ends ^ (ends &- 1)
            ends &= ends &- 1
            let within = upToEnd & ~done
            // The end itself is no part of the cell, but may be a mark: a tab that separates.
            let own = within & (upToEnd &>> 1)
            done = upToEnd
            let isEscaped: UInt64 = pairs & own != 0 || seen &>> 62 & 1 == 1 ? 1 : 0
            let isPlain: UInt64 = notPlain & own != 0 || seen != 0 ? 0 : 1
            seen = 0
            let wrapped = unsafe base.load(fromByteOffset: from, as: UInt8.self) == MixedRecordsKernel.quote ? 1 : 0
            let place = UInt64(truncatingIfNeeded: from &+ wrapped)
            let length = UInt64(truncatingIfNeeded: end &- from &- 2 &* wrapped)
            let flags = UInt64(truncatingIfNeeded: wrapped) &<< 61 | isEscaped &<< 62 | isPlain &<< 63
            unsafe cells[count] = Cell(bits: place | length &<< 32 | UInt64(Cell.Kind.text.rawValue) &<< 58 | flags)
            unsafe escaped[escapedCount] = UInt32(truncatingIfNeeded: count)
            escapedCount &+= Int(truncatingIfNeeded: isEscaped)
            count &+= 1
            from = end &+ 1
        }
        let rest = ~done
        seen |= (pairs & rest != 0 ? 1 &<< 62 : 0) | (notPlain & rest != 0 ? 1 &<< 63 : 0)
    }

    /// Notes the places of the quotes to be left out.
    ///
    /// A block has at most 32; eight are always written.
    @inline(__always)
    private mutating func note(_ pairs: UInt64, at index: Int) {
        if pairs == 0 { return }
        var pairs = pairs
        let found = pairs.nonzeroBitCount
        let place = unsafe doubled + doubledCount
        func take(_ step: Int) {
            unsafe place[step] = UInt32(truncatingIfNeeded: index &+ (pairs | 1 &<< 63).trailingZeroBitCount)
            pairs &= pairs &- 1
        }
        for step in 0..<8 { take(step) }
        if found > 8 { for step in 8..<found { take(step) } }
        doubledCount &+= found
    }

    /// Takes the records that end at the places; false where one has more or fewer cells than it should.
    @inline(__always)
    private mutating func takeRecords(
        _ lineEnds: UInt64, at index: Int, ends: UInt64, _ before: Int, breaks: UInt64, behindReturn: UInt64
    ) -> Bool {
        var lineEnds = lineEnds
        while lineEnds != 0 {
            let place = lineEnds.trailingZeroBitCount
            let upToEnd = lineEnds ^ (lineEnds &- 1)
            let lowest = lineEnds & (0 &- lineEnds)
            lineEnds &= lineEnds &- 1
            let cellsUpToEnd = before &+ (ends & upToEnd).nonzeroBitCount
            let records = progress.records
            if cellsUpToEnd != (records &+ 1) &* width { return false }
            if behindReturn & lowest != 0 {
                let last = unsafe cells + (cellsUpToEnd &- 1)
                unsafe last.pointee = Cell(bits: last.pointee.bits &- 1 &<< 32)
            }
            unsafe startOf[records] = .init(
                offset: UInt32(truncatingIfNeeded: progress.end), line: UInt32(truncatingIfNeeded: progress.lines))
            progress.records = records &+ 1
            progress.end = index &+ place &+ 1
            progress.lines = lines &+ (breaks & upToEnd).nonzeroBitCount
        }
        return true
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
