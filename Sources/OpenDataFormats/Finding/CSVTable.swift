import OpenDataCore

/// The table that the records of a text come to, between what stands above and below it.
struct CSVTable {
    /// The records above the table that are not empty.
    private(set) var titles: [CSVShape] = []
    /// The first records of the table, in full; all of them, if there are few.
    private(set) var head: [CSVShape]
    /// The last records of the table, as far as they are not among the first.
    private(set) var tail: [CSVShape]
    /// The records below the table that are not empty.
    private(set) var notes: [CSVShape] = []
    /// Whether records of blank cells stand above the table.
    private(set) var hasEmptyAbove = false
    /// How many cells most of the records have.
    let width: Int
    /// The number of records, headers included until they are taken out.
    var count: Int
    /// The cells of the header, once it is known.
    var header: [String]?

    private let middle: [CSVShapes.Key: CSVShapes.Count]

    /// Finds where the table begins: at the first record that is nearly as wide as most are, and has more than one cell
    /// with text; or, where the titles are counted, behind them.
    ///
    /// Throws ``OpenDataError/Code/emptyBody`` if there are no records, and ``OpenDataError/Code/unexpectedContent`` if
    /// none of the first ones can be the beginning.
    init(_ shapes: CSVShapes, titleRows: Int?) throws(OpenDataError) {
        var head = shapes.head[...]
        if let titleRows {
            while titles.count < titleRows, let first = head.popFirst() {
                if first.isEmpty { hasEmptyAbove = true } else { titles.append(first) }
            }
        }
        while let first = head.first, first.isEmpty, first.width > 1 || head.contains(where: { $0.width > 1 }) {
            hasEmptyAbove = true
            head.removeFirst()
        }
        middle = shapes.middle
        tail = shapes.tail
        var counts: [Int: Int] = [:]
        for shape in head + tail where !shape.isEmpty { counts[shape.width, default: 0] += 1 }
        for (key, value) in middle where key.used > 0 { counts[key.width, default: 0] += value.count }
        guard !head.isEmpty, !counts.isEmpty else {
            throw OpenDataError(
                .emptyBody, titleRows == nil ? "there is no record" : "there is no record below the title")
        }
        // The width that most of the delimiters speak for.
        let width =
            counts.max { left, right in
                let (first, second) = (left.value * (left.key - 1), right.value * (right.key - 1))
                return first == second ? left.key < right.key : first < second
            }?.key ?? 1
        self.width = width
        if titleRows == nil, width > 1 {
            let least = max(2, width - 1)
            let fitting = head.indices.filter { head[$0].width >= least && !head[$0].isEmpty }
            // Where no record has two texts, one has to do.
            let start =
                fitting.first { head[$0].filled.count > 1 && !CSVTable.isAbove(Array(head[$0...].prefix(3)), width) }
                ?? (width == 2 ? fitting.first : nil)
            guard let start else {
                throw OpenDataError(
                    .unexpectedContent,
                    "the first \(head.count) records have fewer cells than the \(width) of most others: is there more "
                        + "than one table? --title-rows says where one begins",
                    position: Position(line: head.first?.line))
            }
            titles = head[..<start].filter { !$0.isEmpty }
            hasEmptyAbove = hasEmptyAbove || titles.count < start - head.startIndex
            head = head[start...]
        }
        self.head = Array(head)
        count = head.count + tail.count + middle.values.reduce(0) { $0 + $1.count }
    }

    /// Whether the first of up to three records stands above a header, which is the second.
    ///
    /// It has cells far apart: units, or parts of a title. Or it has fewer texts than the second, which has no numbers,
    /// as the third has: names that are above several others.
    private static func isAbove(_ records: [CSVShape], _ width: Int) -> Bool {
        guard records.count > 1 else { return false }
        let (filled, next) = (records[0].filled.count, records[1].filled)
        guard next.count * 5 >= width * 4 else { return false }
        func hasNumbers(_ texts: [String]) -> Bool {
            texts.contains { CSVCellLook($0) == .number || CSVCellLook($0) == .time }
        }
        return filled * 4 < width
            || records.count > 2 && filled * 5 < width * 4 && filled < next.count && !hasNumbers(records[0].filled)
                && !hasNumbers(next) && hasNumbers(records[2].filled)
    }

    /// Takes the first record out, for a header.
    mutating func removeFirst() -> CSVShape {
        count -= 1
        return head.removeFirst()
    }

    /// The first and last records, in order.
    var seen: [CSVShape] { head + tail }

    /// The last record.
    var last: CSVShape? { tail.last ?? (middle.isEmpty ? head.last : nil) }

    /// How many records look how.
    func counts() -> [CSVShapes.Key: CSVShapes.Count] {
        var counts = middle
        for shape in head + tail {
            counts[CSVShapes.Key(width: shape.width, used: shape.used), default: .init(line: shape.line)].count += 1
        }
        return counts
    }

    /// Takes the records at the end that look like notes out of the table.
    ///
    /// Notes are records of a single text, which in a table of two columns have to be a single cell. The first of them
    /// has to begin as notes do: with a word for that, behind a blank line or a record of empty cells, with a cell less
    /// than the table, or with a text longer than the table has.
    mutating func cutNotes() {
        guard width > 1 else { return }
        let isLong = !tail.isEmpty
        var all = isLong ? tail : head
        // The table's first record is none, whatever it looks like.
        let least = isLong ? 0 : 1
        var start = all.count
        while start > least, isAside(all[start - 1]) { start -= 1 }
        while start < all.count, !beginsNotes(all[start], after: start > 0 ? all[start - 1] : nil) { start += 1 }
        let found = all[start...].filter { !$0.isEmpty }
        guard let first = found.first else { return }
        // A record that was cut short looks like a note, too.
        if found.count == 1, !first.isEnded, !CSVTable.isCalledNote(first), !first.followsBlank { return }
        notes = found
        count -= all.count - start
        all.removeSubrange(start...)
        if isLong { tail = all } else { head = all }
    }

    private func isAside(_ shape: CSVShape) -> Bool {
        shape.isEmpty || shape.filled.count == 1 && (shape.width == 1 || width > 2)
            || shape.width < width - 1 && width > 3
    }

    private func beginsNotes(_ shape: CSVShape, after before: CSVShape?) -> Bool {
        guard let text = shape.filled.first else { return true }
        if CSVTable.isCalledNote(shape) { return true }
        guard shape.filled.count == 1, CSVCellLook(text) == .text else { return false }
        return shape.width < width - 1 || shape.width == 1 || shape.followsBlank || before?.isEmpty == true
            || text.unicodeScalars.count > longest(in: shape.cells.firstIndex(of: text) ?? 0)
    }

    private func longest(in column: Int) -> Int {
        head.dropFirst().map { column < $0.width ? $0.cells[column].unicodeScalars.count : 0 }.max() ?? 0
    }

    /// Whether a record begins with a word for notes or a sign of them.
    private static func isCalledNote(_ shape: CSVShape) -> Bool {
        guard let text = shape.filled.first?.lowercased() else { return false }
        let words = ["說明", "備註", "附註", "註", "資料來源", "※", "remark", "note", "source", "*", "＊"]
        return words.contains { text.utf8.starts(with: $0.utf8) } && CSVCellLook(text) == .text
    }
}
