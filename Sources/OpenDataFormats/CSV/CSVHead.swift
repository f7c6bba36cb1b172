import OpenDataCore

/// The records above a table, titles and headers, and the names that they give to its columns.
struct CSVHead: Sendable {
    private let dialect: CSVDialect
    private var titleRowsLeft: Int
    private var headers: [[String]] = []
    /// The title records, each as one text.
    private(set) var title: [String] = []

    init(_ dialect: CSVDialect) {
        self.dialect = dialect
        titleRowsLeft = dialect.titleRows
    }

    /// Whether the next record is the table's, the columns of which nothing has named.
    var hasNoHeader: Bool { titleRowsLeft == 0 && dialect.headerRows == 0 }

    /// The header record that does not give the names.
    var otherHeader: [String]? {
        headers.count < 2 ? nil : headers[dialect.namesRow == 2 ? 0 : 1]
    }

    /// What is missing where a payload ends before its table.
    var missing: String {
        let what = hasNoHeader ? "record" : headers.isEmpty ? "header line" : "second header line"
        return title.isEmpty ? "there is no \(what)" : "there is no \(what) below the title"
    }

    /// Takes a record for a title or header; the columns, once all headers are there.
    ///
    /// Throws ``OpenDataError/Code/malformed`` for a header that names more columns than are declared.
    mutating func take(_ cells: [String], _ origin: RecordOrigin) throws(OpenDataError) -> Columns? {
        if titleRowsLeft > 0 {
            titleRowsLeft -= 1
            title.append(cells.filter { !$0.isEmpty }.joined(separator: " "))
            return nil
        }
        headers.append(cells.map(CSVHead.name))
        if headers.count < dialect.headerRows { return nil }
        var names = headers[dialect.namesRow == 2 && headers.count == 2 ? 1 : 0]
        if let count = dialect.columnCount {
            guard names.dropFirst(count).allSatisfy(\.isEmpty) else {
                throw OpenDataError(
                    .malformed, "the header names \(names.count) columns, but there are said to be \(count)",
                    position: Position(line: origin.line, byte: origin.byte))
            }
            names = Array(names.prefix(count)) + Array(repeating: "", count: max(count - names.count, 0))
        } else {
            while names.count > 1, names.last == "" { names.removeLast() }
        }
        return Columns(dialect.distinctNames ? CSVHead.distinct(names) : names)
    }

    /// The columns of a table without a header, by the number of the first record's cells.
    func columns(ofRecord count: Int) -> Columns {
        Columns((1...max(dialect.columnCount ?? count, 1)).map { "column_\($0)" })
    }

    /// A header cell as a name: without white space at its ends, a line break in it as a space.
    static func name(_ cell: String) -> String {
        let text = cell.trimmingSpaces()
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        return text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
            .map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Names that differ in their UTF-8: `column_3` for none, `name_2` for the second of a name.
    ///
    /// A name that a publisher has given stays with the first column of it, whatever is made up for others.
    static func distinct(_ names: [String]) -> [String] {
        var taken = Set(names.map { Array($0.utf8) })
        var seen = Set<[UInt8]>()
        return names.enumerated().map { place, name in
            if !name.isEmpty, seen.insert(Array(name.utf8)).inserted { return name }
            var (candidate, number) = (name.isEmpty ? "column_\(place + 1)" : "\(name)_2", 2)
            while !taken.insert(Array(candidate.utf8)).inserted {
                number += 1
                candidate = name.isEmpty ? "column_\(place + 1)_\(number - 1)" : "\(name)_\(number)"
            }
            return candidate
        }
    }
}

extension String {
    /// The text without white space at its ends.
    func trimmingSpaces() -> String {
        var scalars = unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(scalars)
    }
}
