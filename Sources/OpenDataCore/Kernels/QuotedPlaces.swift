/// Finds the cells of delimited text, every one of which is wrapped in quotes and is plain text.
///
/// Sixty-four bytes are looked at together. In such text each quote that a separator stands before (a delimiter or a
/// control, of which line ends are) opens a cell, and the quote two bytes before it closes the one before; three bytes,
/// with a CR. That every opening quote but the first has a closing one there, and every closing quote an opening one
/// behind it, is checked with a few shifts. Where it holds from the start of a record on, the text is cells and
/// separators in turn, and nothing else: a quote in a cell would be followed by something else, and a cell that is but
/// a delimiter has an opening quote where a closing one is due. Controls are counted: where there are no more of them
/// than records have line ends, no cell has one. Backslashes and letters that are not UTF-8 are looked for.
///
/// For who looks at the text of every cell, only line ends are counted, and nothing else is looked for.
@safe struct QuotedPlaces {
    /// The number of opening quotes found, of which the first is the start; each but the last begins a cell that is
    /// whole.
    private(set) var count = 0
    /// The end of the last block looked at.
    private(set) var end: Int
    /// Whether the text up to there is known to be UTF-8, but for a letter that it may cut, or is not looked at.
    private(set) var isUTF8 = true
    // The controls up to there; where text is not looked at, those that end lines.
    private var controls = MatchCount()

    static let block = 64
    /// The places that a block needs room for, whatever is in it: a cell has three bytes at least.
    static let roomOfBlock = 24
    /// The most blocks that are looked at before their letters and controls are seen to: what bytes can count.
    static let together = 60
    private static let quote = UInt8(ascii: "\"")

    /// Notes where cells open from `start` on, until something is not plain text in quotes or there is no more room.
    ///
    /// - Parameters:
    ///   - bytes: The window, of 4 GiB at most. Blocks are loaded only where they lie within it.
    ///   - start: An opening quote.
    ///   - places: Where offsets of opening quotes go; a block is looked at only if all that it can have fit.
    ///   - text: Whether what stands in cells is looked at.
    ///   - noted: Room for the check of letters: ``together`` blocks.
    /// - Complexity: O(bytes), 64 at a time.
    @inline(never)
    init<Ends: LineEnds, Text: CellTextLook>(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, _ ends: Ends.Type, _ text: Text.Type,
        into places: UnsafeMutableBufferPointer<UInt32>, noting noted: UnsafeMutableBufferPointer<UInt32>
    ) {
        end = start
        guard let base = bytes.baseAddress, let first = places.baseAddress else { return }
        let lastBlock = bytes.count &- QuotedPlaces.block
        let lastPlace = unsafe first + (places.count &- QuotedPlaces.roomOfBlock)
        var letters = unsafe UTF8BlockCheck(base, noting: noted)
        var controls = MatchCount()
        var (index, to) = unsafe (start, first)
        // As though a cell had ended before: bits of what stands right before the block, or up to two bytes before it.
        var separatorBefore = 1 as UInt64
        // Where the quotes and returns before have openings.
        var (openingDue, closingBefore) = (1 as UInt64, 0 as UInt64)
        // Some blocks at a time; then their letters and controls are seen to.
        while unsafe index <= lastBlock && to <= lastPlace {
            let last = min(lastBlock, index &+ (QuotedPlaces.together &- 1) &* QuotedPlaces.block)
            var lettered = 0
            while unsafe index <= last && to <= lastPlace {
                var (quotes, separators, returns) = (0 as UInt64, 0 as UInt64, 0 as UInt64)
                var (odd, beyond) = (ByteMatches.none, ByteMatches.none)
                var more = controls
                for part in 0..<4 {
                    let bytes = unsafe ByteBlock(base + (index &+ part &* 16))
                    let shift = UInt64(part &* 16)
                    let `return` = bytes.equal(to: UInt8(ascii: "\r"))
                    var control = bytes.atMost(0x1F)
                    if !Text.isLookedAt {
                        control = bytes.equal(to: UInt8(ascii: "\n"))
                        if Ends.hasReturns { control = control | `return` }
                    }
                    quotes |= bytes.equal(to: QuotedPlaces.quote).bits &<< shift
                    separators |= (bytes.equal(to: delimiter) | control).bits &<< shift
                    if Ends.hasReturns { returns |= `return`.bits &<< shift }
                    more.add(control)
                    if Text.isLookedAt {
                        odd = odd | bytes.equal(to: UInt8(ascii: "\\"))
                        beyond = beyond | bytes.beyondASCII
                    }
                }
                let opening = quotes & (separators &<< 1 | separatorBefore)
                let closing = quotes & ~opening
                var faults = odd.bits
                if Ends.hasReturns {
                    let behind = closing &<< 1 | closingBefore
                    let beforeLineFeed = behind & returns
                    faults |= opening ^ ((behind & ~returns) &<< 1 | beforeLineFeed &<< 2 | openingDue)
                    openingDue = (behind & ~returns) &>> 63 | beforeLineFeed &>> 62
                    closingBefore = closing &>> 63
                } else {
                    faults |= opening ^ (closing &<< 2 | openingDue)
                    openingDue = closing &>> 62
                }
                if faults != 0 { break }
                controls = more
                if Text.isLookedAt {
                    // In bounds: fewer than there is room for.
                    unsafe noted[lettered] = UInt32(truncatingIfNeeded: index)
                    lettered &+= beyond.bits != 0 ? 1 : 0
                }
                separatorBefore = separators &>> 63

                // Eight are written whether or not there are as many: that costs less than foreseeing how many there
                // are.
                var left = opening
                func take(_ step: Int) {
                    // The highest bit is for the case that there are none left.
                    let place = (left | 1 &<< 63).trailingZeroBitCount
                    unsafe to[step] = UInt32(truncatingIfNeeded: index &+ place)
                    left &= left &- 1
                }
                for step in 0..<8 { take(step) }
                var found = QuotedPlaces.countOfFew(opening)
                if left != 0 {
                    found = 8
                    repeat {
                        take(found)
                        found &+= 1
                    } while left != 0
                }
                unsafe to += found
                index &+= QuotedPlaces.block
            }
            controls.sumUp()
            if Text.isLookedAt { letters.look(lettered) }
            // Something that is not plain.
            if unsafe index <= last && to <= lastPlace { break }
        }
        isUTF8 = letters.isUTF8 && letters.isWhole(before: index)
        (count, end, self.controls) = unsafe (to - first, index, controls)
    }

    /// The number of bits, of which there are fifteen at most, and no two closer than three.
    @inline(__always)
    private static func countOfFew(_ bits: UInt64) -> Int {
        let pairs = (bits | bits &>> 1) & 0x5555_5555_5555_5555
        let fours = (pairs &+ pairs &>> 2) & 0x3333_3333_3333_3333
        return Int(truncatingIfNeeded: (fours &* 0x1111_1111_1111_1111) &>> 60)
    }

    /// The number of whole records in front: of `width` cells each, at whose ends a line ends, and nowhere within.
    ///
    /// - Parameters:
    ///   - base: The window.
    ///   - places: The places found.
    /// - Complexity: O(records), and O(bytes) where there are other controls.
    func records<Ends: LineEnds, Text: CellTextLook>(
        of width: Int, _ ends: Ends.Type, _ text: Text.Type, _ base: UnsafeRawPointer, _ places: UnsafePointer<UInt32>
    ) -> Int {
        func controls(_ start: Int, _ end: Int) -> Int {
            // In bounds: what has been looked at.
            unsafe UnsafeRawBufferPointer(start: base + start, count: max(end &- start, 0)).count { byte in
                let isLineEnd = byte == UInt8(ascii: "\n") || Ends.hasReturns && byte == UInt8(ascii: "\r")
                return Text.isLookedAt ? byte < 0x20 : isLineEnd
            }
        }
        var (records, due) = (0, 0)
        var next = width
        while next < count {
            // In bounds: three bytes at least stand before an opening quote that a cell stands before.
            let end = unsafe Ends.length(before: base + Int(places[next]))
            if end == 0 { break }
            records &+= 1
            due &+= end
            next &+= width
        }
        if self.controls.count == due { return records }
        let rest = unsafe Int(places[records &* width])
        if self.controls.count &- controls(rest, end) == due { return records }
        for record in 0..<records {
            let first = unsafe Int(places[record &* width])
            let next = unsafe Int(places[(record &+ 1) &* width])
            if unsafe controls(first, next) != Ends.length(before: base + next) { return record }
        }
        return records
    }
}

/// Whether what stands in cells is looked at while they are found: a code path of its own for each.
protocol CellTextLook {
    /// Whether it is looked at, so that all cells found are known to be plain text.
    static var isLookedAt: Bool { get }
}

/// The text of cells is looked at.
enum CellTextNow: CellTextLook {
    static var isLookedAt: Bool { true }
}

/// The text of cells is looked at by whoever takes them.
enum CellTextLater: CellTextLook {
    static var isLookedAt: Bool { false }
}

/// What ends the lines of a text: a code path of its own for each.
protocol LineEnds {
    /// Whether a return may stand behind a quote that closes a cell.
    static var hasReturns: Bool { get }
    /// The number of bytes that end a line before an address, at least two bytes before which can be read; 0 if none
    /// ends.
    static func length(before address: UnsafeRawPointer) -> Int
}

/// LF.
enum LineFeeds: LineEnds {
    static var hasReturns: Bool { false }

    @inline(__always)
    static func length(before address: UnsafeRawPointer) -> Int {
        unsafe (address - 1).load(as: UInt8.self) == UInt8(ascii: "\n") ? 1 : 0
    }
}

/// CRLF and LF.
enum AllLineEnds: LineEnds {
    static var hasReturns: Bool { true }

    @inline(__always)
    static func length(before address: UnsafeRawPointer) -> Int {
        let end = unsafe (address - 2).loadUnaligned(as: UInt16.self).littleEndian
        return end == 0x0A0D ? 2 : end >> 8 == 0x0A ? 1 : 0
    }
}
