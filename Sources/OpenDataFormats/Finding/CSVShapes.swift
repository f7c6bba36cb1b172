import OpenDataCore

/// How the records of a text look when a delimiter splits it: all of them in numbers, the first and the last in full.
struct CSVShapes {
    /// A number of cells, and the number of them up to the last that has a byte; 0 where all are blank.
    struct Key: Hashable {
        var width: Int
        var used: Int
    }

    /// How many records look so, and where the first of them is.
    struct Count {
        var count = 0
        var line: Int
    }

    let delimiter: UInt8
    /// The first records.
    private(set) var head: [CSVShape] = []
    /// The last records, as far as they are not among the first.
    var tail: [CSVShape] { last.isEmpty ? kept.records.map { shape($0, kept.cells, kept.bytes) } : last }
    /// All records between.
    private(set) var middle: [Key: Count] = [:]
    /// How many cells are written as formulas of text.
    private(set) var formulas = 0
    /// Why the text cannot be split so.
    private(set) var failure: OpenDataError?
    /// Whether the text has been read to its end.
    private(set) var isWhole = false

    private let headRoom: Int
    private var line = 1
    private var followsBlank = false
    private var (lastWidth, runLength) = (0, 0)
    private var room: MixedRecordsKernel.Room?
    private var roomWidth = 0
    // The last records: in full where windows have few, else as they stand in the last window, since few are ever
    // looked at.
    private var last: [CSVShape] = []
    private var kept = Window()

    private static let tailRoom = 256
    private static let longestText = 512
    private static let roomCells = 1 << 15
    /// After so many records of a width, the kernel is asked for more of it.
    private static let steadyRun = 16

    init(delimiter: UInt8, headRoom: Int) {
        self.delimiter = delimiter
        self.headRoom = headRoom
    }

    /// All records in order, where none lies between the first and the last.
    var isDetailed: Bool { middle.isEmpty }

    /// Reads a text to its end, in windows.
    ///
    /// Throws what the source throws; what is wrong with the records is ``failure``.
    mutating func read(_ source: any ByteSource, window: Int = RecordReader.defaultWindowSize) throws(OpenDataError) {
        var source = source
        var (pending, offset, wanted, isAtEnd) = ([UInt8](), 0, window, false)
        while failure == nil {
            while !isAtEnd, pending.count < wanted {
                isAtEnd = try source.read(wanted - pending.count, into: &pending) == 0
            }
            let consumed = take(pending, isLast: isAtEnd, offset: offset)
            offset += consumed
            // A new array: the last records still lie in the old one.
            pending = Array(pending[consumed...])
            if isAtEnd { break }
            wanted = window
            if consumed == 0 {
                guard pending.count < RecordReader.maximumRecord else {
                    failure = OpenDataError(
                        .tooLarge, "a record has more than \(RecordReader.maximumRecord >> 20) MiB",
                        position: Position(line: line, byte: offset))
                    return
                }
                wanted = min(max(pending.count * 2, window), RecordReader.maximumRecord)
            }
        }
        isWhole = failure == nil
    }

    /// Takes the whole records of a window and returns the number of bytes that they have.
    mutating func take(_ bytes: [UInt8], isLast: Bool, offset: Int = 0) -> Int {
        var records: [Found] = []
        var cells: [Cell] = []
        var start = 0
        while start < bytes.count {
            if runLength >= CSVShapes.steadyRun, takeSteady(bytes, &start, &cells, &records) { continue }
            let first = cells.count
            var scanner = CSVScanner(delimiter: delimiter, keepsTextFormulas: true, isLast: isLast)
            let outcome = scanner.scanRecord(of: bytes.span, from: start, into: &cells)
            if outcome == .needsMore {
                cells.removeSubrange(first...)
                break
            }
            if outcome == .unclosedQuote {
                failure = OpenDataError(
                    .malformed, "the quote that opens here is never closed",
                    position: Position(line: line + scanner.quoteLine, byte: offset + scanner.quoteOffset))
                cells.removeSubrange(first...)
                break
            }
            if outcome == .blank {
                followsBlank = true
            } else {
                let width = cells.count - first
                runLength = width == lastWidth ? runLength + 1 : 1
                lastWidth = width
                let isEnded = scanner.end > start && (bytes[scanner.end - 1] == 0x0A || bytes[scanner.end - 1] == 0x0D)
                records.append(
                    Found(cells: first..<cells.count, line: line, followsBlank: followsBlank, isEnded: isEnded))
                followsBlank = false
            }
            line += scanner.lineBreaks
            start = scanner.end
        }
        note(Window(bytes: bytes, cells: cells, records: records))
        return failure == nil ? start : bytes.count
    }

    private struct Found {
        var cells: Range<Int>
        var line: Int
        var followsBlank = false
        var isEnded = true
    }

    private struct Window {
        var bytes: [UInt8] = []
        var cells: [Cell] = []
        var records: [Found] = []
    }

    /// Takes records of the last width by the kernel; false if there are none for it.
    ///
    /// Those that can be neither among the first nor among the last are only counted.
    private mutating func takeSteady(
        _ bytes: [UInt8], _ start: inout Int, _ cells: inout [Cell], _ records: inout [Found]
    ) -> Bool {
        let (first, width) = (start, lastWidth)
        // Taken out of where it is kept, so that it has one owner while it is used.
        var taken =
            (roomWidth == width ? room : nil) ?? MixedRecordsKernel.Room(cells: CSVShapes.roomCells, width: width)
        room = nil
        roomWidth = width
        defer { room = taken }
        // In bounds: the kernel's own terms, which are those of the room and the window.
        let progress = unsafe bytes.withUnsafeBytes { window in
            unsafe MixedRecordsKernel.scan(
                window, from: first, delimiter: delimiter, width: width,
                most: max(CSVShapes.roomCells, 2 * width), into: &taken)
        }
        if progress.records == 0 {
            runLength = 0
            return false
        }
        let counted = head.count < headRoom ? 0 : max(progress.records - CSVShapes.tailRoom, 0)
        count(taken, counted, width, bytes)
        let begin = cells.count
        cells.append(contentsOf: taken.cells[(counted * width)..<(progress.records * width)])
        for index in counted..<progress.records {
            let from = begin + (index - counted) * width
            records.append(
                Found(
                    cells: from..<(from + width), line: line + Int(taken.starts[index].line),
                    followsBlank: followsBlank))
            followsBlank = false
        }
        followsBlank = false
        line += progress.lines
        start = progress.end
        return true
    }

    /// Counts the first records that a kernel has taken.
    private mutating func count(_ taken: MixedRecordsKernel.Room, _ records: Int, _ width: Int, _ bytes: [UInt8]) {
        var (full, firstFull) = (0, 0)
        for record in 0..<records {
            let last = taken.cells[record * width + width - 1]
            // A last cell with a letter in it: the record is used to its end.
            if last.length > 0, bytes[last.offset] > UInt8(ascii: " ") {
                if full == 0 { firstFull = record }
                full += 1
            } else {
                let cells = taken.cells[(record * width)..<((record + 1) * width)]
                count(width, used(cells, bytes), line + Int(taken.starts[record].line))
            }
        }
        if full > 0 { count(width, width, line + Int(taken.starts[firstFull].line), full) }
        // The kernel takes no bare formulas, and others have doubled quotes.
        guard taken.hasDoubledQuotes else { return }
        for cell in taken.cells[..<(records * width)] where CSVShapes.isFormula(cell, bytes) { formulas += 1 }
    }

    /// Counts a window's records; the first of all and the last of the window are kept.
    private mutating func note(_ window: Window) {
        let bytes = window.bytes
        for record in window.records {
            for cell in window.cells[record.cells] where CSVShapes.isFormula(cell, bytes) { formulas += 1 }
        }
        var rest = window.records[...]
        while head.count < headRoom, let record = rest.popFirst() { head.append(shape(record, window.cells, bytes)) }
        if rest.count >= CSVShapes.tailRoom {
            for shape in last { count(shape.width, shape.used, shape.line) }
            last = []
            count(kept.records[...], kept)
            count(rest.dropLast(CSVShapes.tailRoom), window)
            kept = window
            kept.records = Array(rest.suffix(CSVShapes.tailRoom))
        } else if !rest.isEmpty {
            last = tail
            kept = Window()
            for record in rest { last.append(shape(record, window.cells, bytes)) }
            let more = max(last.count - CSVShapes.tailRoom, 0)
            for shape in last[..<more] { count(shape.width, shape.used, shape.line) }
            last.removeFirst(more)
        }
    }

    private mutating func count(_ records: ArraySlice<Found>, _ window: Window) {
        for record in records {
            count(record.cells.count, used(window.cells[record.cells], window.bytes), record.line)
        }
    }

    private mutating func count(_ width: Int, _ used: Int, _ line: Int, _ number: Int = 1) {
        let key = Key(width: width, used: used)
        middle[key, default: Count(line: line)].count += number
        if let first = middle[key]?.line, line < first { middle[key]?.line = line }
    }

    private func shape(_ record: Found, _ cells: [Cell], _ bytes: [UInt8]) -> CSVShape {
        let cells = cells[record.cells]
        let texts = cells.map { cell in
            // Cut within a letter, which then shows as U+FFFD: this is for looks alone.
            let text = bytes[cell.range].prefix(CSVShapes.longestText)
            return CSVHead.name(String(decoding: text, as: UTF8.self))
        }
        return CSVShape(
            line: record.line, cells: texts, followsBlank: record.followsBlank, isEnded: record.isEnded,
            used: used(cells, bytes))
    }

    private func used(_ cells: ArraySlice<Cell>, _ bytes: [UInt8]) -> Int {
        guard let last = cells.lastIndex(where: { $0.length > 0 }) else { return 0 }
        let isBlank = !cells.contains { !CSVShapes.isBlank($0, bytes) }
        return isBlank ? 0 : last - cells.startIndex + 1
    }

    private static func isBlank(_ cell: Cell, _ bytes: [UInt8]) -> Bool {
        bytes[cell.range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Whether a cell is `="…"`, bare or with its quotes doubled inside others.
    private static func isFormula(_ cell: Cell, _ bytes: [UInt8]) -> Bool {
        cell.length >= 3 && bytes[cell.offset] == UInt8(ascii: "=") && bytes[cell.offset + 1] == UInt8(ascii: "\"")
            && bytes[cell.offset + cell.length - 1] == UInt8(ascii: "\"")
    }
}
