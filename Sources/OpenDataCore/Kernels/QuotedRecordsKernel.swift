/// The fastest path of delimited text: whole records, every cell of which is wrapped in quotes and is plain text.
///
/// It takes records of exactly `width` cells, without doubled quotes, backslashes or controls, that end with LF or CRLF; at
/// anything else it stops. So it decides nothing: what it takes, a scanner would read alike.
///
/// Sixty-four bytes are looked at together. In such records each quote that a separator (a delimiter or LF) stands before
/// opens a cell, and the quote two bytes before it (three, with a CR) closes the one before. That every opening quote has a closing one
/// there, every closing quote an opening one, and every LF an opening one behind it, is checked with a few shifts. Where
/// it holds from the start of a record on, the text is cells and separators in turn, and nothing else: a quote in a cell
/// would be followed by something else, and a cell that is but a delimiter has an opening quote where a closing one is due.
@safe package enum QuotedRecordsKernel {
    /// Where the kernel stopped.
    package struct Progress {
        /// The byte after the last record taken.
        package var end: Int
        /// The number of records taken.
        package var records = 0
        /// Whether the records are known to be UTF-8; else they have to be looked at.
        package var isUTF8: Bool

        /// No records yet.
        package init(end: Int, isUTF8: Bool = true) {
            self.end = end
            self.isUTF8 = isUTF8
        }
    }

    private static let block = 64
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    /// The most cells that can begin in a block, of three bytes each.
    private static let mostCells = 22

    /// Takes records from `start` on, until something is not for the kernel or there is no more room.
    ///
    /// - Parameters:
    ///   - bytes: The window, of 64 MiB at most. Blocks are loaded only where they lie within it; every other byte read is
    ///     one that a block had.
    ///   - width: The number of cells of a record.
    ///   - cells: Where cells go; a block is looked at only if all the cells that it can have fit.
    ///   - starts: Where the first byte of each record goes; the same.
    /// - Complexity: O(bytes), 64 at a time.
    package static func scan(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int,
        into cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>
    ) -> Progress {
        guard bytes.count <= Cell.maximumLength, width > 0, start < bytes.count, unsafe bytes[start] == quote,
            0x20..<0x80 ~= delimiter, delimiter != quote
        else { return Progress(end: start) }
        let progress = unsafe scan(bytes, start, delimiter, width, cells, starts, LineFeeds.self)
        if progress.records > 0 { return progress }
        return unsafe scan(bytes, start, delimiter, width, cells, starts, AllLineEnds.self)
    }

    /// The same for some ends of lines.
    private static func scan<Ends: LineEnds>(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ delimiter: UInt8, _ width: Int,
        _ cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>, _ ends: Ends.Type
    ) -> Progress {
        guard let base = bytes.baseAddress, let output = cells.baseAddress, let startOf = starts.baseAddress else {
            return Progress(end: start)
        }
        // A plain text in quotes, one byte behind and three bytes shorter than what is added to it.
        let cellOfNothing = Cell(.text, offset: 0, length: 0, quoted: true, plain: true).bits &+ 1 &- 3 &<< 32
        let lastBlock = bytes.count &- block
        let (cellRoom, lineRoom) = (cells.count &- mostCells, starts.count &- mostCells)
        var index = start
        // The first byte of the cell under way, the cells before it, and the line ends between them.
        var from = start &+ 1
        var (count, lines) = (0, 0)
        // As though a record had ended before: bits of what stands right before the block, or up to two bytes before it.
        var (separatorBefore, lineFeedBefore) = (1 as UInt64, 1 as UInt64)
        // Where the quotes and returns before have openings and line feeds follow.
        var (openingDue, lineFeedDue, closingBefore) = (1 as UInt64, 0 as UInt64, 0 as UInt64)
        // The first quote opens a cell and closes none.
        var isFirst = 1 as UInt64
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { noted in
            var letters = unsafe UTF8BlockCheck(base, noting: noted)
            while index <= lastBlock, count <= cellRoom, lines <= lineRoom {
                var (quotes, separators, lineFeeds, returns) = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
                var (odd, beyond) = (ByteMatches.none, ByteMatches.none)
                for part in 0..<4 {
                    let bytes = unsafe ByteBlock(base + (index &+ part &* 16))
                    let shift = UInt64(part &* 16)
                    let ends = bytes.equal(to: lineFeed)
                    quotes |= bytes.equal(to: quote).bits &<< shift
                    separators |= (bytes.equal(to: delimiter) | ends).bits &<< shift
                    lineFeeds |= ends.bits &<< shift
                    var controls = bytes.atMost(0x1F) ^ ends
                    if Ends.hasReturns {
                        let matches = bytes.equal(to: UInt8(ascii: "\r"))
                        returns |= matches.bits &<< shift
                        controls = controls ^ matches
                    }
                    odd = odd | controls | bytes.equal(to: UInt8(ascii: "\\"))
                    beyond = beyond | bytes.beyondASCII
                }
                let opening = quotes & (separators &<< 1 | separatorBefore)
                let closing = quotes & ~opening
                let lineStarts = lineFeeds &<< 1 | lineFeedBefore
                var faults = lineStarts & ~opening | odd.bits
                if Ends.hasReturns {
                    let behind = closing &<< 1 | closingBefore
                    let beforeLineFeed = behind & returns
                    faults |= opening ^ ((behind & ~returns) &<< 1 | beforeLineFeed &<< 2 | openingDue)
                    faults |= (beforeLineFeed &<< 1 | lineFeedDue) & ~lineFeeds | returns & ~behind
                    openingDue = (behind & ~returns) &>> 63 | beforeLineFeed &>> 62
                    lineFeedDue = beforeLineFeed &>> 63
                    closingBefore = closing &>> 63
                } else {
                    faults |= opening ^ (closing &<< 2 | openingDue)
                    openingDue = closing &>> 62
                }
                if faults != 0 { break }
                letters.note(index, hasLetters: beyond.bits != 0)
                separatorBefore = separators &>> 63
                lineFeedBefore = lineFeeds &>> 63

                // The cells that end before an opening quote. Eight are written whether or not there are as many: that costs
                // less than foreseeing how many there are.
                var places = opening & ~isFirst
                lines &+= (lineStarts & ~isFirst).nonzeroBitCount
                isFirst = 0
                let found = places.nonzeroBitCount
                let place = unsafe output + count
                // A cell is what lies between an opening quote at `last` and the next one, less the quote that closes it and
                // the separator: `last + 1` and `next - last - 3` as offset and length, each in its half of a word.
                let addend = UInt64(truncatingIfNeeded: index) &+ cellOfNothing
                var half = UInt64(truncatingIfNeeded: from &- 1 &- index)
                half = half &- half &<< 32
                func take(_ step: Int) {
                    // The highest bit is for the case that there are none left.
                    let next = UInt64(truncatingIfNeeded: (places | 1 &<< 63).trailingZeroBitCount)
                    let length = next &<< 32
                    unsafe place[step] = Cell(bits: half &+ addend &+ length)
                    half = next &- length
                    places &= places &- 1
                }
                for step in 0..<8 { take(step) }
                if found > 8 { for step in 8..<found { take(step) } }
                count &+= found
                if opening != 0 { from = index &+ block &- opening.leadingZeroBitCount }
                index &+= block
            }
            letters.look()
            let isUTF8 = letters.isUTF8 && letters.isWhole(before: index)
            return unsafe records(base, width, output, count, lines, startOf, start, isUTF8)
        }
    }

    /// Goes over the cells found and counts the records of `width` cells in front.
    private static func records(
        _ base: UnsafeRawPointer, _ width: Int, _ cells: UnsafeMutablePointer<Cell>, _ count: Int, _ lines: Int,
        _ startOf: UnsafeMutablePointer<UInt32>, _ start: Int, _ isUTF8: Bool
    ) -> Progress {
        /// Whether a line ends two bytes behind a cell: the quote that closes it, or a CR, stands between.
        func endsLine(_ cell: Cell) -> Bool {
            unsafe base.load(fromByteOffset: cell.offset &+ cell.length &+ 1, as: UInt8.self) == lineFeed
        }
        var progress = Progress(end: start, isUTF8: isUTF8)
        var last = width &- 1
        while last < count, endsLine(unsafe cells[last]) {
            let (offset, length) = unsafe (cells[last].offset, cells[last].length)
            unsafe startOf[progress.records] = UInt32(truncatingIfNeeded: progress.end)
            progress.records &+= 1
            progress.end = offset &+ length &+ 2
            // Before a CR the closing quote has been taken for the cell's last byte.
            if unsafe base.load(fromByteOffset: offset &+ length, as: UInt8.self) != quote {
                unsafe cells[last] = Cell(plainTextAt: offset, length: length &- 1, quoted: true)
            }
            last &+= width
        }
        if progress.records == lines { return progress }
        // There are more line ends than that: records end at the first of them within a record.
        for record in 0..<progress.records {
            for number in record &* width..<(record &+ 1) &* width &- 1 where endsLine(unsafe cells[number]) {
                progress.records = record
                progress.end = Int(unsafe startOf[record])
                return progress
            }
        }
        return progress
    }
}

/// What ends the lines of a text: a code path of its own for each.
private protocol LineEnds {
    static var hasReturns: Bool { get }
}

private enum LineFeeds: LineEnds {
    static var hasReturns: Bool { false }
}

private enum AllLineEnds: LineEnds {
    static var hasReturns: Bool { true }
}
