/// The fastest path of delimited text: whole records, every cell of which is wrapped in quotes and is plain text.
///
/// It takes records of exactly `width` cells, without doubled quotes, backslashes or controls, that end with LF or
/// CRLF; at anything else it stops. So it decides nothing: what it takes, a scanner would read alike. Why,
/// ``QuotedPlaces`` tells.
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

    private static let quote = UInt8(ascii: "\"")
    /// How many places are looked for together, unless a record has more: as many as the processor's first cache holds
    /// well.
    private static let places = 2048

    /// Takes records from `start` on, until something is not for the kernel or there is no more room.
    ///
    /// - Parameters:
    ///   - bytes: The window, of 64 MiB at most. Blocks are loaded only where they lie within it; every other byte read
    ///     is one that a block had.
    ///   - width: The number of cells of a record.
    ///   - cells: Where cells go.
    ///   - starts: Where the first byte of each record goes.
    /// - Complexity: O(bytes), 64 at a time.
    package static func scan(
        _ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int,
        into cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>
    ) -> Progress {
        guard unsafe isForPlaces(bytes, from: start, delimiter: delimiter, width: width) else {
            return Progress(end: start)
        }
        let progress = unsafe scan(bytes, start, delimiter, width, cells, starts, LineFeeds.self)
        if progress.records > 0 { return progress }
        return unsafe scan(bytes, start, delimiter, width, cells, starts, AllLineEnds.self)
    }

    /// Whether places may be looked for from `start` on.
    static func isForPlaces(_ bytes: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8, width: Int) -> Bool {
        unsafe bytes.count <= Cell.maximumLength && width > 0 && start < bytes.count && bytes[start] == quote
            && 0x20..<0x80 ~= delimiter && delimiter != quote
    }

    /// The same for some ends of lines.
    private static func scan<Ends: LineEnds>(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ delimiter: UInt8, _ width: Int,
        _ cells: UnsafeMutableBufferPointer<Cell>, _ starts: UnsafeMutableBufferPointer<UInt32>, _ ends: Ends.Type
    ) -> Progress {
        var progress = Progress(end: start)
        guard let base = bytes.baseAddress, let output = cells.baseAddress, let startOf = starts.baseAddress else {
            return progress
        }
        // Few cells are asked for where few records are expected.
        let most = min(cells.count / width, starts.count)
        let room = min(max(places, 2 &* width), most &* width) &+ QuotedPlaces.roomOfBlock
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: room) { places in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: QuotedPlaces.together) { noted in
                while let first = places.baseAddress, progress.records < most {
                    let fitting = most &- progress.records
                    let wanted = min(fitting &* width &+ QuotedPlaces.roomOfBlock, places.count)
                    let found = unsafe QuotedPlaces(
                        bytes, from: progress.end, delimiter: delimiter, ends, CellTextNow.self,
                        into: UnsafeMutableBufferPointer(rebasing: places[..<wanted]), noting: noted)
                    let records = unsafe min(found.records(of: width, ends, CellTextNow.self, base, first), fitting)
                    if records <= 0 { break }
                    unsafe write(
                        records, width, base, first, ends, to: output + progress.records &* width,
                        startOf + progress.records)
                    progress.records &+= records
                    progress.end = unsafe Int(first[records &* width])
                    progress.isUTF8 = progress.isUTF8 && found.isUTF8
                }
                return progress
            }
        }
    }

    /// Writes the cells of records, given where they open.
    @inline(__always)
    static func write<Ends: LineEnds>(
        _ records: Int, _ width: Int, _ base: UnsafeRawPointer, _ places: UnsafePointer<UInt32>,
        _ ends: Ends.Type, to cells: UnsafeMutablePointer<Cell>, _ starts: UnsafeMutablePointer<UInt32>
    ) {
        // A plain text in quotes, one byte behind and three bytes shorter than what is added to it: the quote that
        // opens it, and that, the quote that closes it, and the separator.
        let none = Cell(plainTextAt: 0, length: 0, quoted: true).bits &+ 1 &- 3 &<< 32
        for record in 0..<records {
            let first = record &* width
            unsafe starts[record] = places[first]
            var from = unsafe UInt64(places[first])
            for number in first..<first &+ width {
                let next = unsafe UInt64(places[number &+ 1])
                unsafe cells[number] = Cell(bits: none &+ from &+ (next &- from) &<< 32)
                from = next
            }
            // The CR as well.
            if Ends.hasReturns {
                let last = first &+ width &- 1
                let end = unsafe Ends.length(before: base + Int(from))
                unsafe cells[last] = Cell(bits: cells[last].bits &- UInt64(end &- 1) &<< 32)
            }
        }
    }
}
