import OpenDataCore

/// What a text is if a delimiter splits it: titles, headers, a table, notes.
///
/// Made from the shapes of all records. Where they do not come to a table, or could come to two, making one throws.
struct CSVLayout {
    /// The dialect that reads the text so.
    var dialect: CSVDialect
    /// What a reader should know of, a short sentence each.
    var findings: [String] = []
    /// How much had to be assumed.
    var cost = 0
    /// The number of columns.
    var columns = 0
    /// The number of records in the table.
    var records = 0

    /// So many of the records, one in twenty, may be of another width than the table.
    static let tolerance = 20
    /// A text with more titles than that is more than one table.
    static let mostTitles = 20

    /// Works a layout out.
    ///
    /// Throws ``OpenDataError/Code/unexpectedContent`` for what is no table or may be several,
    /// ``OpenDataError/Code/noData`` for a header alone, ``OpenDataError/Code/emptyBody`` for nothing,
    /// ``OpenDataError/Code/badArgument`` for hints that do not fit, and why the text cannot be split, if it cannot.
    init(_ shapes: CSVShapes, _ hints: FormatHints) throws(OpenDataError) {
        if let failure = shapes.failure { throw failure }
        dialect = CSVDialect()
        dialect.delimiter = shapes.delimiter
        var table = try CSVTable(shapes, titleRows: hints.titleRows)
        if shapes.isWhole { table.cutNotes() }
        if table.width == 1 { try CSVLayout.checkSingleColumn(table, hints) }
        try takeTitles(table, hints)
        try takeHeader(&table, hints)
        try fit(&table, shapes)
        records = table.count
        takeRest(table, shapes)
    }

    private mutating func takeTitles(_ table: CSVTable, _ hints: FormatHints) throws(OpenDataError) {
        let titles = table.titles
        dialect.titleRows = titles.count
        guard hints.titleRows == nil, let first = titles.first, let header = table.head.first else { return }
        cost += 2
        var run = 0
        for (index, title) in titles.enumerated() {
            run = title.width > 1 && index > 0 && titles[index - 1].width == title.width ? run + 1 : 0
            if run >= 2 || titles.count > CSVLayout.mostTitles {
                throw OpenDataError(
                    .unexpectedContent,
                    "the text is more than one table: records of other widths begin on line \(first.line), those of "
                        + "\(table.width) cells, of which there are most, on line \(header.line); "
                        + "--title-rows \(titles.count) takes these",
                    position: Position(line: header.line))
            }
        }
        findings.append(
            titles.count == 1
                ? "line \(first.line) is taken for a title"
                : "lines \(first.line) to \(titles[titles.count - 1].line) are taken for titles")
    }

    private mutating func takeHeader(_ table: inout CSVTable, _ hints: FormatHints) throws(OpenDataError) {
        guard let first = table.head.first else {
            throw OpenDataError(.emptyBody, "there is no record below the title")
        }
        let rows: Int
        if let hinted = hints.headerRows { rows = hinted } else { rows = try CSVHeaderEvidence(table).rows() }
        guard 0...2 ~= rows else { throw OpenDataError(.badArgument, "--header-rows takes 0, 1 or 2, not \(rows)") }
        dialect.headerRows = rows
        guard table.count >= rows else {
            throw OpenDataError(.noData, "there are fewer records than header rows")
        }
        if rows == 0 {
            if hints.headerRows == nil {
                if hints.titleRows == nil, let title = table.titles.last {
                    throw OpenDataError(
                        .unexpectedContent,
                        "line \(title.line), with \(title.width) cells, may be the header of records of "
                            + "\(first.width) cells, or a title above a table without one; --title-rows and "
                            + "--header-rows say which",
                        position: Position(line: title.line))
                }
                cost += 3
                findings.append("there is no header: line \(first.line) is a record like the others")
            }
            return
        }
        if !table.titles.isEmpty { findings.append("the header is on line \(first.line)") }
        table.header = table.removeFirst().cells
        if rows == 2 {
            let second = table.removeFirst()
            cost += hints.headerRows == nil ? 1 : 0
            let language =
                CSVHeaderEvidence.isChinese(second.cells) ? " in Chinese" : hints.headerRows == nil ? " in English" : ""
            findings.append("line \(second.line) is taken for a second header\(language)")
        }
        if table.count == 0 {
            throw OpenDataError(
                .noData, "there is a header of \(first.filled.count) cells, and no record",
                position: Position(line: first.line))
        }
    }

    /// Finds how many columns there are, and how records are fitted to them.
    private mutating func fit(_ table: inout CSVTable, _ shapes: CSVShapes) throws(OpenDataError) {
        let counts = table.counts()
        // Records of empty cells are none, unless there is nothing else.
        let width = table.width
        let empty = counts.filter { $0.key.used == 0 && ($0.key.width > 1 || width > 1) }.reduce(0) {
            $0 + $1.value.count
        }
        dialect.skipsEmptyRecords = table.hasEmptyAbove
        if empty > 0, empty < table.count {
            dialect.skipsEmptyRecords = true
            cost += 1
            findings.append(
                empty == 1
                    ? "a record of empty cells is passed over" : "\(empty) records of empty cells are passed over")
            table.count -= empty
        }
        let passesOver = dialect.skipsEmptyRecords
        let records = counts.filter { !passesOver || $0.key.used > 0 || $0.key.width == 1 && width == 1 }
        var named = table.header?.count ?? 0
        while named > 1, table.header?[named - 1] == "" { named -= 1 }
        func number(where test: (CSVShapes.Key) -> Bool) -> Int {
            records.filter { test($0.key) }.reduce(0) { $0 + $1.value.count }
        }
        let widest = records.keys.map(\.used).max() ?? 0
        if let header = table.header {
            columns = named
            // Text below header cells without a name.
            if widest > named, number(where: { $0.used > named }) * CSVLayout.tolerance > table.count {
                if widest <= header.count
                    || number(where: { $0.used > header.count }) * CSVLayout.tolerance <= table.count
                {
                    columns = min(widest, header.count)
                    dialect.columnCount = columns
                    dialect.distinctNames = true
                }
            }
        } else {
            columns = max(widest, table.width - 1)
            dialect.columnCount = columns
        }
        let wanted = columns
        let short = number { $0.width < wanted }
        if short > 0 {
            let narrowest = records.keys.map(\.width).min() ?? 0
            if widest <= narrowest, short > 1, columns - narrowest <= max(columns / 2, 1), narrowest > 1 {
                dialect.missingCells = columns - narrowest
                cost += 1
                findings.append(
                    dialect.missingCells == 1
                        ? "\(short) records lack the last cell, which is empty in all others"
                        : "\(short) records lack some of the last \(dialect.missingCells) cells, which are empty in "
                            + "all others"
                )
            }
        }
        let all = columns
        let fewest = all - dialect.missingCells
        let odd = records.filter { $0.key.width < fewest || $0.key.used > all }
        let oddCount = odd.values.reduce(0) { $0 + $1.count }
        if oddCount > 0 {
            let first = odd.min { $0.value.line < $1.value.line }
            let cells = first?.key.width ?? 0
            let line = first?.value.line ?? 0
            let sentence =
                "of \(table.count) records, \(oddCount) do not have \(all) cells: the first of them, on line \(line), "
                + "has \(cells)"
            guard oddCount * CSVLayout.tolerance <= table.count else {
                throw OpenDataError(
                    .unexpectedContent,
                    "split at each \(CSVLayout.name(ofDelimiter: dialect.delimiter)), the text is no table: "
                        + sentence,
                    position: Position(line: line))
            }
            cost += 3
            findings.append(sentence + "; they will be rejected")
        }
        let long = number { $0.width > all && $0.used <= all }
        if long > 0 {
            cost += 1
            let name = CSVLayout.name(ofDelimiter: dialect.delimiter)
            findings.append(long == 1 ? "a record ends with an extra \(name)" : "records end with an extra \(name)")
        }
    }

    /// What does not bear on whether it is a table.
    private mutating func takeRest(_ table: CSVTable, _ shapes: CSVShapes) {
        if let header = table.header {
            let names = (0..<columns).map { $0 < header.count ? header[$0] : "" }
            let distinct = CSVHead.distinct(names)
            if zip(names, distinct).contains(where: { !$0.utf8.elementsEqual($1.utf8) }) {
                dialect.distinctNames = true
                for (name, new) in zip(names, distinct) where !name.utf8.elementsEqual(new.utf8) {
                    findings.append(
                        name.isEmpty
                            ? "a column without a name is called '\(new)'"
                            : "another column of the name '\(name)' is called '\(new)'")
                }
            }
        }
        if let header = table.header, header.count > 1 {
            // Of a long table, the records of its beginning and its end are looked at.
            let copies = table.seen.filter { $0.cells == header }
            if let first = copies.first {
                findings.append(
                    copies.count == 1
                        ? "line \(first.line) is the header once more, and is a record"
                        : "line \(first.line) is the header once more, and is a record; so are others, "
                            + "\(copies.count) of those at the beginning and the end")
            }
        }
        if shapes.formulas > 0 {
            dialect.keepsTextFormulas = true
            findings.append(
                shapes.formulas == 1
                    ? "a cell is written as a formula of text, =\"…\", and kept as published"
                    : "\(shapes.formulas) cells are written as formulas of text, =\"…\", and kept as published")
        }
        if let first = table.notes.first {
            dialect.recordCount = table.count
            cost += 1
            findings.append(
                table.notes.count == 1
                    ? "line \(first.line) after the table is taken for a note"
                    : "\(table.notes.count) records after the table, from line \(first.line) on, are taken for notes")
        }
        if let last = table.last, !last.isEnded, table.notes.isEmpty, table.count > 1, last.width == columns,
            last.used < columns, table.counts().allSatisfy({ $0.key.used >= columns || $0.value.line == last.line })
        {
            findings.append(
                "the last record leaves cells empty that no other does, and no line end follows: the payload may be cut"
            )
        }
    }

    /// Refuses one cell a line, unless that is what was asked for, or all look like codes.
    private static func checkSingleColumn(_ table: CSVTable, _ hints: FormatHints) throws(OpenDataError) {
        if hints.format == "csv" || hints.format == "tsv" || hints.delimiter != nil { return }
        func isCode(_ text: String) -> Bool {
            CSVCellLook(text) == .number || CSVCellLook(text) == .time
                || !text.isEmpty
                    && text.utf8.allSatisfy { byte in
                        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
                    }
        }
        let records = table.head.dropFirst()
        let codes = records.filter { isCode($0.cells.first ?? "") }.count
        let digits = records.filter { $0.cells.first?.utf8.contains { 0x30...0x39 ~= $0 } == true }.count
        guard !records.isEmpty, codes == records.count, digits * 2 > records.count else {
            let start = table.head.first?.cells.first ?? ""
            throw OpenDataError(
                .unexpectedContent,
                "the text is no table that can be recognised; it begins '\(start.prefix(80))' "
                    + "(--source-format csv takes each line for a record)")
        }
    }

    /// What to call a delimiter.
    static func name(ofDelimiter byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: ","): "comma"
        case UInt8(ascii: ";"): "semicolon"
        case UInt8(ascii: "\t"): "tab"
        case UInt8(ascii: "|"): "bar"
        default: "'\(Unicode.Scalar(byte))'"
        }
    }
}
