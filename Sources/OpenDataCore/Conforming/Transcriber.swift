/// Conforms records to a schema and writes them as JSON, straight from the text that they stand in.
///
/// What comes out is what a ``Conformer`` and the encoder would make of the records, at half of the cost: no cell is
/// written down and read again. Whatever is not as simple as that is left to them: records that do not fit the schema,
/// and values with marks.
package struct Transcriber: Sendable {
    /// How far records have been written.
    package struct Progress: Sendable {
        /// The byte after the last record.
        package var end: Int
        /// The number of records, of which some may be left.
        package var records = 0
        /// The number of bytes written.
        package var written = 0
        /// The records in front of ``end`` that are not written, in order.
        package var left: [Left] = []
        /// The cells of all of these.
        package var cells: [Cell] = []
        /// Whether so few of the records could be written that it is not worth while.
        package var isPoor: Bool { left.count > 8 && left.count > records / 4 }

        /// No records yet.
        package init(end: Int) { self.end = end }
    }

    /// A record that is left to be conformed and encoded.
    package struct Left: Sendable {
        /// The number of records before it.
        package var record: Int
        /// The offset of its first byte.
        package var start: Int
        /// The number of bytes written of the records before it.
        package var written: Int
    }

    private let width: Int
    // Whether each cell of a record is that of a step.
    private let takesAllCells: Bool
    private let steps: [TranscriptKernel.Step]
    private let plans: [FieldPlan]
    private let names: [UInt8]
    private let end: Range<Int>
    private let most: Int
    private let layout: RecordLayout
    private var days: [TranscriptKernel.Day]
    private var lastDays: [LastDay]
    // How many cells are looked for together: few where something in a record has just kept those behind it back.
    private var room = Transcriber.mostRoom
    // The text of a single value before it is written, and as it is written.
    private var text: [UInt8] = []
    private var value: [UInt8] = []

    private static let leastRoom = 128
    private static let mostRoom = 2048
    /// The most bytes at the end of a window that are copied, to have room behind them.
    private static let mostTail = 1 << 13
    /// What has to be readable behind a record.
    private static let behind = 40

    /// Makes a transcriber for records of `width` cells.
    ///
    /// - Parameters:
    ///   - sources: The cell of each field, or what the field is in all records, as it is written.
    ///   - plans: How the cells of each field are read.
    init?(width: Int, _ plans: [FieldPlan], sources: [Source], _ layout: RecordLayout) {
        guard layout.names.count == sources.count, width > 0 else { return nil }
        var (names, steps, kept, dayCount) = ([UInt8](), [TranscriptKernel.Step](), [FieldPlan](), 0)
        // What stands before the next value.
        var start = 0
        for (number, source) in sources.enumerated() {
            names += layout.names[number]
            switch source {
            case .constant(let text): names += text
            case .cell(let column):
                var step = TranscriptKernel.Step(plans[number], column: column, of: width)
                if step.kind == .day { (step.day, dayCount) = (dayCount, dayCount + 1) }
                if step.isText { names.append(UInt8(ascii: "\"")) }
                (step.nameOffset, step.nameLength) = (start, names.count - start)
                for (index, byte) in names[start...].prefix(16).enumerated() { step.start[index] = byte }
                start = names.count
                steps.append(step)
                kept.append(plans[number])
            }
        }
        guard !steps.isEmpty else { return nil }
        names += layout.end
        end = start..<names.count
        // Room to copy whole blocks.
        self.names = names + Array(repeating: 0, count: 32)
        self.width = width
        takesAllCells = Set(steps.map(\.source)).count == width
        self.steps = steps
        self.plans = kept
        self.layout = layout
        most = TranscriptKernel.most(steps, end: end.count)
        days = Array(repeating: TranscriptKernel.Day(), count: max(dayCount, 1))
        lastDays = Array(repeating: LastDay(), count: steps.count)
    }

    /// Where a field comes from.
    enum Source {
        /// A cell of the record, by its number.
        case cell(Int)
        /// What is written in all records.
        case constant([UInt8])
    }

    /// The number of bytes that nearly all records of a window get by with.
    package func room(for window: UnsafeRawBufferPointer, from start: Int) -> Int {
        let text = unsafe UnsafeRawBufferPointer(rebasing: window[start...])
        let first = unsafe text.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
        // Some are shorter than the first.
        let records = text.count / max(first, 1) * 5 / 4 + 8
        return text.count + records * (names.count + 4 * steps.count) + most
    }

    /// Writes records of plain text in quotes from `start` on, up to one that is anything else.
    ///
    /// Those at the end of the window are written if a line end is their last byte. All that are written are UTF-8.
    ///
    /// - Parameter output: The bytes written count only up to the end of the last whole record.
    /// - Complexity: O(bytes).
    package mutating func write(
        _ window: UnsafeRawBufferPointer, from start: Int, delimiter: UInt8,
        into output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        var progress = unsafe writeWithin(window, Progress(end: start), delimiter, output)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: window[progress.end...])
        guard !progress.isPoor, rest.count <= Transcriber.mostTail,
            let last = unsafe rest.lastIndex(of: UInt8(ascii: "\n"))
        else { return progress }
        // As though another record began behind the last line, with room to look at.
        let size = last + 1 + QuotedPlaces.block + Transcriber.behind
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { tail in
            unsafe tail.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[...last]))
            for index in last + 1..<size { unsafe tail[index] = UInt8(ascii: " ") }
            unsafe tail[last + 1] = UInt8(ascii: "\"")
            let more = unsafe writeWithin(
                UnsafeRawBufferPointer(tail), Progress(end: 0), delimiter,
                UnsafeMutableRawBufferPointer(rebasing: output[progress.written...]))
            progress.add(more)
        }
        return progress
    }

    /// The same for records with room behind them.
    private mutating func writeWithin(
        _ window: UnsafeRawBufferPointer, _ start: Progress, _ delimiter: UInt8, _ output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        let isForPlaces = unsafe QuotedRecordsKernel.isForPlaces(
            window, from: start.end, delimiter: delimiter, width: width)
        guard isForPlaces else { return start }
        // The kernel looks at the text of the cells that it is given.
        return unsafe takesAllCells
            ? writeWithin(window, start, delimiter, CellTextLater.self, output)
            : writeWithin(window, start, delimiter, CellTextNow.self, output)
    }

    private mutating func writeWithin<Text: CellTextLook>(
        _ window: UnsafeRawBufferPointer, _ start: Progress, _ delimiter: UInt8, _ text: Text.Type,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        let progress = unsafe write(window, start, delimiter, LineFeeds.self, text, output)
        if progress.records > 0 { return progress }
        return unsafe write(window, start, delimiter, AllLineEnds.self, text, output)
    }

    private mutating func write<Ends: LineEnds, Text: CellTextLook>(
        _ window: UnsafeRawBufferPointer, _ start: Progress, _ delimiter: UInt8, _ ends: Ends.Type, _ text: Text.Type,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Progress {
        var progress = start
        let size = max(Transcriber.mostRoom, 2 &* width) &+ QuotedPlaces.roomOfBlock
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size) { places in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: QuotedPlaces.together) { noted in
                while let base = window.baseAddress, let first = places.baseAddress {
                    let wanted = max(room, 2 &* width) &+ QuotedPlaces.roomOfBlock
                    let found = unsafe QuotedPlaces(
                        window, from: progress.end, delimiter: delimiter, ends, text,
                        into: UnsafeMutableBufferPointer(rebasing: places[..<wanted]), noting: noted)
                    var records = unsafe found.records(of: width, ends, text, base, first)
                    while records > 0, unsafe Int(first[records &* width]) &+ Transcriber.behind > window.count {
                        records &-= 1
                    }
                    // Some kept back, though there are places behind them.
                    let isCut = (records &+ 2) &* width < found.count
                    room = isCut ? Transcriber.leastRoom : min(room &* 2, Transcriber.mostRoom)
                    guard records > 0, found.isUTF8 else { break }
                    var (taken, isLeft) = (0, true)
                    while isLeft, taken < records {
                        let from = unsafe first + taken &* width
                        var written = 0
                        (taken, written, isLeft) = unsafe write(
                            taken..<records, CellsOfPlaces<Ends>(base: base, places: from, width: width), of: base,
                            into: UnsafeMutableRawBufferPointer(rebasing: output[progress.written...]))
                        progress.written &+= written
                        if isLeft {
                            // What is not plain is not for this at all.
                            guard unsafe isPlain(first + taken &* width, base, ends) else { break }
                            unsafe leave(first + taken &* width, base, ends, progress.records &+ taken, &progress)
                            taken &+= 1
                        }
                    }
                    progress.records &+= taken
                    progress.end = unsafe Int(first[taken &* width])
                    if taken < records || progress.isPoor { break }
                }
            }
        }
        return progress
    }

    /// Whether all cells of a record are plain text, given where they open.
    private func isPlain<Ends: LineEnds>(
        _ places: UnsafePointer<UInt32>, _ base: UnsafeRawPointer, _ ends: Ends.Type
    ) -> Bool {
        let (start, next) = unsafe (Int(places[0]), Int(places[width]))
        let end = unsafe next &- Ends.length(before: base + next)
        return unsafe PlainTextKernel.isPlain(UnsafeRawBufferPointer(start: base + start, count: end &- start))
    }

    /// Notes a record that is not written, given where its cells open.
    private func leave<Ends: LineEnds>(
        _ places: UnsafePointer<UInt32>, _ base: UnsafeRawPointer, _ ends: Ends.Type, _ record: Int,
        _ progress: inout Progress
    ) {
        progress.left.append(unsafe Left(record: record, start: Int(places[0]), written: progress.written))
        let record = unsafe [Cell](unsafeUninitializedCapacity: width) { cells, count in
            guard let first = cells.baseAddress else { return }
            var start = 0 as UInt32
            unsafe QuotedRecordsKernel.write(1, width, base, places, ends, to: first, &start)
            count = width
        }
        progress.cells += record
    }

    /// Writes records of a range, whose first one's cells are given, and returns the first that is not taken.
    private mutating func write<Ends: LineEnds>(
        _ records: Range<Int>, _ cells: CellsOfPlaces<Ends>, of base: UnsafeRawPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (next: Int, written: Int, isLeft: Bool) {
        let (steps, names, end, most) = (steps, names, end, most)
        var days = days
        self.days = []
        defer { self.days = days }
        // In bounds: the kernel's own terms, which are those of the steps, the names and the days.
        return unsafe steps.withUnsafeBufferPointer { steps in
            unsafe names.withUnsafeBytes { names in
                unsafe TranscriptKernel.edges.withUnsafeBufferPointer { edges in
                    unsafe days.withUnsafeMutableBufferPointer { days in
                        guard let days = days.baseAddress, let names = names.baseAddress,
                            let edges = edges.baseAddress
                        else { return (records.lowerBound, 0, false) }
                        let terms = unsafe TranscriptKernel.Terms(
                            base: base, steps: steps, days: days, names: names, end: end, most: most, edges: edges)
                        let (count, written, isLeft) = unsafe TranscriptKernel.write(
                            terms, cells, count: records.count, into: output
                        ) { number, offset, length, place in
                            unsafe writeOther(
                                number, UnsafeRawBufferPointer(start: base + offset, count: length), to: place,
                                days + steps[number].day)
                        }
                        return (records.lowerBound + count, written, isLeft)
                    }
                }
            }
        }
    }

    /// Writes a value that the kernel did not, as its plan reads it, and returns the number of bytes; -1 if the record
    /// is none to be written here.
    @inline(never)
    private mutating func writeOther(
        _ number: Int, _ cell: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer,
        _ day: UnsafeMutablePointer<TranscriptKernel.Day>
    ) -> Int {
        guard unsafe PlainTextKernel.isPlain(cell) else { return -1 }
        text.removeAll(keepingCapacity: true)
        unsafe text.append(contentsOf: cell)
        var mark = Cell.null
        let read = Cell(.text, offset: 0, length: text.count, quoted: true, plain: true)
        guard case .cell(let result) = plans[number].read(read, in: &text, &lastDays[number], mark: &mark),
            mark.kind != .text, !result.isEmpty || !plans[number].isRequired
        else { return -1 }
        if result.kind == .number, result.length <= cell.count &+ TranscriptKernel.mostBeyond {
            unsafe text.withUnsafeBytes { text in
                // In bounds: a number has a digit.
                guard let start = text.baseAddress else { return }
                unsafe place.copyMemory(from: start + result.offset, byteCount: result.length)
            }
            return result.length
        }
        value.removeAll(keepingCapacity: true)
        layout.write(result, text, &value)
        guard value.count <= cell.count &+ TranscriptKernel.mostBeyond else { return -1 }
        return unsafe value.withUnsafeBytes { value in
            guard let start = value.baseAddress else { return 0 }
            unsafe place.copyMemory(from: start, byteCount: value.count)
            if steps[number].kind == .day, result.kind == .date {
                unsafe day.pointee = TranscriptKernel.Day(cell, value: value)
            }
            return value.count
        }
    }
}

extension Transcriber.Progress {
    /// Adds what was done from the end on, with places counted from there.
    fileprivate mutating func add(_ more: Transcriber.Progress) {
        for var one in more.left {
            one.record += records
            one.start += end
            one.written += written
            left.append(one)
        }
        cells += more.cells.map { Cell(plainTextAt: end + $0.offset, length: $0.length, quoted: true) }
        end += more.end
        records += more.records
        written += more.written
    }
}

extension TranscriptKernel.Step {
    /// A step for a cell, without a name.
    fileprivate init(_ plan: FieldPlan, column: Int, of width: Int) {
        var emptyIsNull = !plan.isRequired
        switch plan.fast {
        case .texts(let isNull): (kind, emptyIsNull) = (.text, emptyIsNull && isNull)
        case .numbers: kind = .number
        case .wholeNumbers: kind = .whole
        case .days: kind = .day
        case .none: (kind, emptyIsNull) = (plan.takesAnything ? .verbatim : .other, false)
        }
        self.emptyIsNull = emptyIsNull
        isNumber = kind == .number || kind == .whole
        (start, nameOffset, nameLength) = (SIMD16(repeating: 0), 0, 0)
        (source, day, isLast) = (column, 0, column == width - 1)
    }

    /// Whether the name ends with the quote of a text.
    fileprivate var isText: Bool { kind == .text || kind == .verbatim }
}

extension Conformer {
    /// What conforms and writes records of these columns, as far as that is simple; `nil` if it is not.
    package func transcriber(of columns: Columns, _ layout: RecordLayout) -> Transcriber? {
        let names = columns.names
        // Records to be chosen by their values need cells.
        guard filters.isEmpty else { return nil }
        guard !schema.isAsPublished else {
            let plans = names.map { FieldPlan(Field($0, sourceNames: [], type: .any)) }
            return Transcriber(width: names.count, plans, sources: names.indices.map { .cell($0) }, layout)
        }
        // Marks are counted, or have fields of their own.
        guard let mapping, mapping.isFor(columns), mapping.markSources.allSatisfy({ $0 == nil }),
            !keepsMarks || !plans.contains(where: \.hasMarks)
        else { return nil }
        var batch = RecordBatch()
        var days = lastDays
        var sources: [Transcriber.Source] = []
        for number in plans.indices {
            if let column = mapping.sources[number] {
                sources.append(.cell(column))
                continue
            }
            var (value, mark) = (Cell.null, Cell.null)
            if let text = mapping.constants[number] {
                let cell = batch.append(text: text)
                guard case .cell(let read) = plans[number].read(cell, in: &batch.bytes, &days[number], mark: &mark),
                    mark.kind != .text
                else { return nil }
                value = read
            }
            if value.isEmpty, plans[number].isRequired { return nil }
            var written: [UInt8] = []
            layout.write(value, batch.bytes, &written)
            sources.append(.constant(written))
        }
        return Transcriber(width: names.count, plans, sources: sources, layout)
    }
}
