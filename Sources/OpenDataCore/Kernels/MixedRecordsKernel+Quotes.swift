extension MixedRecordsKernel {
    /// Puts one quote in the place of every two, in the cells of records that a scan has taken.
    ///
    /// The text stays where it begins and becomes shorter; what stood behind it in its place is of no use any more. A
    /// text that is then `="0050"`, by which spreadsheets mark text, loses that as well.
    ///
    /// - Parameters:
    ///   - count: The number of cells taken, the first of the room's.
    ///   - bytes: The window, as the scan has seen it.
    ///   - room: What the scan has found.
    /// - Complexity: O(bytes of the cells with doubled quotes), 16 at a time.
    package static func undoubleQuotes(
        of count: Int, in bytes: UnsafeMutableRawBufferPointer, _ room: inout Room
    ) {
        guard room.escapedCount > 0, let base = bytes.baseAddress else { return }
        // Behind the last place noted there is room: no place at all.
        room.doubled[room.doubledCount] = .max
        let escapedCount = room.escapedCount
        unsafe room.text.withUnsafeMutableBytes { text in
            unsafe room.cells.withUnsafeMutableBufferPointer { cells in
                unsafe room.escaped.withUnsafeBufferPointer { escaped in
                    unsafe room.doubled.withUnsafeBufferPointer { doubled in
                        guard let scratch = text.baseAddress, let cell = cells.baseAddress,
                            let numbers = escaped.baseAddress, var place = doubled.baseAddress
                        else { return }
                        for index in 0..<escapedCount {
                            let number = Int(unsafe numbers[index])
                            if number >= count { return }
                            let (offset, length) = unsafe (cell[number].offset, cell[number].length)
                            if length > longestInPassing || offset &+ length &+ part > bytes.count {
                                unsafe undoubleQuotes(in: &cell[number], base, &place)
                            } else {
                                unsafe undoubleQuotes(in: &cell[number], base, &place, by: scratch)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The same for a cell of ``longestInPassing`` bytes at most, behind which sixteen bytes more can be read.
    ///
    /// Blocks of sixteen bytes go to another place, of which the next block overwrites what does not count; that cannot
    /// be done in place, for what does not count there is what comes next.
    @inline(__always)
    private static func undoubleQuotes(
        in cell: inout Cell, _ base: UnsafeMutableRawPointer, _ doubled: inout UnsafePointer<UInt32>,
        by scratch: UnsafeMutableRawPointer
    ) {
        var from = cell.offset
        let end = from &+ cell.length
        var to = unsafe scratch
        while true {
            let stop = min(Int(unsafe doubled.pointee), end)
            unsafe to.copyBlock(from: base + from)
            var done = part
            while done < stop &- from {
                unsafe (to + done).copyBlock(from: base + (from &+ done))
                done &+= part
            }
            unsafe to += stop &- from
            if stop == end { break }
            from = stop &+ 1
            unsafe doubled += 1
        }
        let length = unsafe to - scratch
        unsafe copyBack(scratch, to: base + cell.offset, length)
        cell = unsafe unmarked(base, offset: cell.offset, length: length)
    }

    /// The same for any cell, in place.
    private static func undoubleQuotes(
        in cell: inout Cell, _ base: UnsafeMutableRawPointer, _ doubled: inout UnsafePointer<UInt32>
    ) {
        var (from, to) = (cell.offset, cell.offset)
        let end = from &+ cell.length
        while true {
            let stop = min(Int(unsafe doubled.pointee), end)
            // In bounds: both are parts of the cell, and may overlap.
            unsafe (base + to).copyMemory(from: base + from, byteCount: stop &- from)
            to &+= stop &- from
            if stop == end { break }
            from = stop &+ 1
            unsafe doubled += 1
        }
        cell = unsafe unmarked(base, offset: cell.offset, length: to &- cell.offset)
    }

    /// A text without the wrapping of `="0050"`.
    @inline(__always)
    private static func unmarked(_ base: UnsafeMutableRawPointer, offset: Int, length: Int) -> Cell {
        if length >= 3, unsafe base.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "="),
            unsafe base.load(fromByteOffset: offset &+ 1, as: UInt8.self) == quote,
            unsafe base.load(fromByteOffset: offset &+ length &- 1, as: UInt8.self) == quote
        {
            return Cell(.text, offset: offset &+ 2, length: length &- 3, quoted: true)
        }
        return Cell(.text, offset: offset, length: length, quoted: true)
    }

    /// Copies exactly `count` bytes, of which sixteen can be read at least.
    @inline(__always)
    private static func copyBack(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        if count < part {
            var done = 0
            if count & 8 != 0 {
                unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
                done = 8
            }
            if count & 4 != 0 {
                let word = unsafe source.loadUnaligned(fromByteOffset: done, as: UInt32.self)
                unsafe target.storeBytes(of: word, toByteOffset: done, as: UInt32.self)
                done &+= 4
            }
            while done < count {
                let byte = unsafe source.load(fromByteOffset: done, as: UInt8.self)
                unsafe target.storeBytes(of: byte, toByteOffset: done, as: UInt8.self)
                done &+= 1
            }
            return
        }
        var done = 0
        while done <= count &- part {
            unsafe (target + done).copyBlock(from: source + done)
            done &+= part
        }
        // The last block ends where the text does.
        unsafe (target + (count &- part)).copyBlock(from: source + (count &- part))
    }
}
