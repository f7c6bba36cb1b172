import OpenDataCore

/// Whether the first records of a table are its header.
struct CSVHeaderEvidence {
    private let table: CSVTable
    private let first: CSVShape
    private let rest: [CSVShape]

    init(_ table: CSVTable) {
        self.table = table
        first = table.head.first ?? CSVShape(line: 1, cells: [], used: 0)
        rest = table.head.dropFirst().filter { !$0.isEmpty }
    }

    /// The number of header records, 0 to 2.
    ///
    /// Columns of numbers or of days tell: what stands above them in a header is text. Throws
    /// ``OpenDataError/Code/unexpectedContent`` where the first record may as well be a header as not.
    func rows() throws(OpenDataError) -> Int {
        let looks = first.cells.map { CSVCellLook($0) }
        guard !rest.isEmpty else {
            // A lone record of days and numbers is no header.
            return looks.filter { $0 == .number || $0 == .time }.count * 2 > looks.count ? 0 : 1
        }
        if isSecondHeader { return 2 }
        let columns = CSVHeaderEvidence.columns(of: rest)
        let told = columns.filter { $0.key < looks.count && looks[$0.key] != .missing }
        if told.isEmpty { return rowsOfText() }
        let alike = told.filter { looks[$0.key] == $0.value }
        if alike.isEmpty { return 1 }
        // What identifies a record stands in the first column: text above days or numbers there is no record's.
        if told[0] != nil, looks[0] == .text { return 1 }
        // Years, or hours, one after the other: the header of a table that is spread out.
        let numbers = alike.keys.sorted().compactMap { Int(first.cells[$0].filter { $0 != "年" }) }
        let areYears = numbers.allSatisfy { 1900..<2100 ~= $0 || 80..<150 ~= $0 }
        let isRun =
            numbers.count == alike.count && (numbers.count > 2 || numbers.count == 2 && areYears)
            && zip(numbers, numbers.dropFirst()).allSatisfy { abs($0 - $1) == 1 }
        if isRun, alike.count < looks.count { return 1 }
        if !isRun, alike.count == told.count {
            // Days above days are no header; nor is a record without a name, or with text that occurs again below it.
            let isRecord =
                alike.values.contains(.time) || !looks.contains(.text) || !repeated.isEmpty
            if isRecord { return 0 }
        }
        if !isRun, alike.count * 2 <= told.count, alike.count < told.count { return 1 }
        throw undecided
    }

    /// The same where all columns hold text: names do not occur again below themselves.
    private func rowsOfText() -> Int {
        let repeated = repeated
        // The whole header once more, as in files that were put together.
        let isWhole = repeated.count == first.filled.count && first.width > 1
        if repeated.isEmpty || isWhole && rest.filter({ $0.cells == first.cells }).count > 0 { return 1 }
        return repeated.count * 2 >= first.filled.count ? 0 : 1
    }

    /// The columns in which the first record's text occurs again.
    private var repeated: [Int] {
        first.cells.indices.filter { column in
            let cell = first.cells[column]
            return CSVCellLook(cell) == .text
                && rest.contains { column < $0.width && $0.cells[column].utf8.elementsEqual(cell.utf8) }
        }
    }

    private var undecided: OpenDataError {
        OpenDataError(
            .unexpectedContent,
            "line \(first.line) may be the header or the first record; --header-rows 1 or 0 says which",
            position: Position(line: first.line))
    }

    /// Whether the second record says the first once more, in another language, above columns that say something else.
    private var isSecondHeader: Bool {
        guard rest.count > 1, let second = rest.first, abs(second.width - first.width) <= 1 else { return false }
        let columns = CSVHeaderEvidence.columns(of: Array(rest.dropFirst()))
        // One column of numbers, and few of them, is not much to go by.
        guard columns.count > 1 || !columns.isEmpty && rest.count > 3, second.filled.count * 5 >= first.filled.count * 4
        else { return false }
        let isAbove = columns.keys.allSatisfy { column in
            column < second.width && column < first.width && CSVCellLook(second.cells[column]) == .text
                && CSVCellLook(first.cells[column]) == .text
        }
        return isAbove && CSVHeaderEvidence.isChinese(first.cells) != CSVHeaderEvidence.isChinese(second.cells)
    }

    /// Whether most of the cells have a letter of Chinese.
    static func isChinese(_ cells: [String]) -> Bool {
        let chinese = cells.filter { cell in cell.unicodeScalars.contains { 0x3400...0x9FFF ~= $0.value } }
        return chinese.count * 2 > cells.filter { !$0.isEmpty }.count
    }

    /// The columns whose values look like numbers, or like days and times, nine in ten of them at least.
    private static func columns(of records: [CSVShape]) -> [Int: CSVCellLook] {
        var columns: [Int: CSVCellLook] = [:]
        for column in 0..<(records.map(\.width).max() ?? 0) {
            var counts: [CSVCellLook: Int] = [:]
            for record in records where column < record.width {
                counts[CSVCellLook(record.cells[column]), default: 0] += 1
            }
            counts[.missing] = nil
            let all = counts.values.reduce(0, +)
            guard let (look, count) = counts.max(by: { $0.value < $1.value }), look != .text, count * 10 >= all * 9
            else { continue }
            columns[column] = look
        }
        return columns
    }
}
