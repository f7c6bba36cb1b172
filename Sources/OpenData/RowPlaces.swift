import OpenDataCore

/// Room at the end of an array in which several threads make rows, each where they will stay.
///
/// Where a part's rows belong is known once it is known how many there are in the parts before it. Parts are worked on
/// nearly in order, so that it nearly always is. The rows are the array's once they are taken; until then they are this
/// object's.
///
/// The array is moved by nothing as long as rows are made: it has the room already, and what is appended to it
/// meanwhile is taken from here, in order, or lies in front of whatever is here.
@safe final class RowPlaces<Row: OpenDataCore.Row>: @unchecked Sendable {
    /// What is known of the parts.
    private struct Parts {
        /// The first part whose number of rows is not known, and where its rows belong.
        var next = 0
        var place = 0
        /// The numbers of rows of those behind it, as far as they are known.
        var counts: [Int: Int] = [:]
        /// Where rows have been made and not been taken.
        var made: [Int: Range<Int>] = [:]
        /// The large pages that nobody has made ready.
        var pages: Range<Int>
    }

    private let start: UnsafeMutablePointer<Row>?
    private let room: Int
    private let parts: Locked<Parts>

    /// Makes rows in the room that an array has behind its elements.
    init(behind rows: inout [Row]) {
        let (count, capacity) = (rows.count, rows.capacity)
        unsafe start = rows.withUnsafeMutableBufferPointer { elements in
            unsafe elements.baseAddress.map { unsafe $0 + count }
        }
        room = capacity - count
        let pages = unsafe start.flatMap { unsafe LargePages.range($0, (capacity - count) * MemoryLayout<Row>.stride) }
        parts = Locked(Parts(pages: pages ?? 0..<0))
    }

    /// Makes the rows of a part at their place, or returns false if it is not known yet or there is no room.
    ///
    /// - Parameter number: The number of the part, from 0; each is asked for once at most.
    ///
    /// Throws what the row's initialiser throws.
    func make(_ number: Int, _ records: RecordBatch.Records) throws -> Bool {
        #if compiler(>=6.3)
            guard let place = place(of: number, records.count), let start = unsafe start else { return false }
            // In bounds: the place lies within the room, and is no other part's.
            let part = unsafe UnsafeMutableBufferPointer(start: start + place, count: records.count)
            var rows = unsafe OutputSpan(buffer: part, initializedCount: 0)
            var failure: (any Error)?
            do { try Row.append(records, to: &rows) } catch { failure = error }
            // Those that are there when one fails, too.
            let count = unsafe rows.finalize(for: part)
            parts.withLock { $0.made[number] = place..<(place + count) }
            if let failure { throw failure }
            return true
        #else
            // There is no way to hand them over.
            return false
        #endif
    }

    /// Notes how many rows a part has, and returns where they belong in the room.
    private func place(of number: Int, _ count: Int) -> Int? {
        let (place, pages) = parts.withLock { parts in
            let place = number == parts.next && parts.place + count <= room ? parts.place : nil
            parts.counts[number] = count
            while let count = parts.counts.removeValue(forKey: parts.next) {
                parts.next += 1
                parts.place += count
            }
            return (place, place.map { nextPages(behind: $0 + count, &parts) } ?? 0..<0)
        }
        if !pages.isEmpty { LargePages.prepare(pages) }
        return place
    }

    /// The pages that are not ready and that parts behind this one will soon come to.
    private func nextPages(behind place: Int, _ parts: inout Parts) -> Range<Int> {
        let end = unsafe Int(bitPattern: start) + place * MemoryLayout<Row>.stride
        let wanted = min((end + 2 * LargePages.size - 1) & ~(LargePages.size - 1), parts.pages.upperBound)
        guard wanted > parts.pages.lowerBound else { return 0..<0 }
        defer { parts.pages = wanted..<parts.pages.upperBound }
        return parts.pages.lowerBound..<wanted
    }

    /// Hands the rows of a part over to the array, at whose end they are.
    func take(_ number: Int, into rows: inout [Row]) {
        guard let start = unsafe start, let part = parts.withLock({ $0.made.removeValue(forKey: number) }) else {
            return
        }
        #if compiler(>=6.3)
            rows.append(addingCapacity: part.count) { output in
                unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
                    let end = unsafe buffer.baseAddress.map { unsafe $0 + initialized }
                    precondition(unsafe end == start + part.lowerBound, "the rows do not stand at the end of the array")
                    initialized += part.count
                }
            }
        #endif
    }

    /// Destroys the rows that have not been taken, after which none are made.
    func clear() {
        let left = parts.withLock { parts in
            defer { parts.made = [:] }
            return parts.made
        }
        guard let start = unsafe start else { return }
        for part in left.values { unsafe (start + part.lowerBound).deinitialize(count: part.count) }
    }
}

/// The rows of one batch on their way into an array.
enum RowPart<Row: OpenDataCore.Row>: Sendable {
    /// Where they belong: the rows of the part with a number.
    case placed(Int, RowPlaces<Row>)
    /// In a room of their own.
    case block(RowBlock<Row>)

    /// Maps records, at their place if it is known and there is room for them.
    ///
    /// Throws what the row's initialiser throws.
    init(
        _ records: RecordBatch.Records, _ number: Int, at places: RowPlaces<Row>, or rooms: RowRooms<Row>
    ) throws {
        self =
            try places.make(number, records)
            ? .placed(number, places) : .block(RowBlock(records, in: rooms))
    }

    /// Moves the rows to the end of an array; none are left.
    func move(to rows: inout [Row]) {
        switch self {
        case .placed(let number, let places): places.take(number, into: &rows)
        case .block(let block): block.move(to: &rows)
        }
    }
}
