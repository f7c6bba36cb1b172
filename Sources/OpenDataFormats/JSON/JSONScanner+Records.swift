import OpenDataCore

extension JSONScanner {
    /// Reads an object as a row of cells, one for each column, and returns the first column that occurs twice.
    ///
    /// The keys are expected in the order that they had in the record before; only where one is not, it is looked up.
    /// - Parameters:
    ///   - mayWiden: Whether keys that are not yet columns become columns; if not, they stop the scan.
    ///   - depth: The number of objects and arrays that are open around it.
    mutating func object(
        _ bytes: Span<UInt8>, into cells: inout [Cell], _ columns: inout JSONColumns, mayWiden: Bool, depth: Int
    ) throws(JSONStop) -> Int? {
        let row = cells.count
        cells.append(contentsOf: repeatElement(.absent, count: columns.count))
        var previous = -1
        var duplicate: Int?
        place.index += 1
        skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "}") {
            place.index += 1
            return nil
        }
        while true {
            var column = columns.expected(after: previous)
            if let length = columns.matchLength(of: column, bytes, at: place.index) {
                place.index += length
            } else {
                column = try key(bytes, &columns, after: previous, mayWiden: mayWiden)
                if row + column == cells.count { cells.append(.absent) }
            }
            previous = column
            skipSpace(bytes)
            try take(UInt8(ascii: ":"), bytes, else: .colon)
            skipSpace(bytes)
            let value = try cell(bytes, depth: depth + 1)
            if cells[row + column].kind != .absent, duplicate == nil { duplicate = column }
            cells[row + column] = value
            skipSpace(bytes)
            let next = try peek(bytes)
            if next == UInt8(ascii: ",") {
                place.index += 1
                skipSpace(bytes)
                continue
            }
            guard next == UInt8(ascii: "}") else { throw .unexpected(at: place.index, wanted: .commaOrBrace) }
            place.index += 1
            return duplicate
        }
    }

    /// Reads a key that is not the expected one, and returns its column.
    private mutating func key(
        _ bytes: Span<UInt8>, _ columns: inout JSONColumns, after previous: Int, mayWiden: Bool
    ) throws(JSONStop) -> Int {
        let start = place.index
        guard try peek(bytes) == JSONStrings.quote else { throw .unexpected(at: start, wanted: .key) }
        let isEscaped = try string(bytes)
        let range = start..<place.index
        if let column = columns.find(bytes, range, isEscaped: isEscaped) {
            columns.expect(column, after: previous)
            return column
        }
        guard mayWiden else { throw .newColumn(at: start) }
        guard columns.count < JSONColumns.maximumCount else { throw .tooManyColumns(at: start) }
        let column = columns.add(bytes, range)
        columns.expect(column, after: previous)
        return column
    }

    /// Reads an array as a row of cells and returns how many it has.
    mutating func row(_ bytes: Span<UInt8>, into cells: inout [Cell], depth: Int) throws(JSONStop) -> Int {
        let row = cells.count
        place.index += 1
        skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "]") {
            place.index += 1
            return 0
        }
        while true {
            cells.append(try cell(bytes, depth: depth + 1))
            skipSpace(bytes)
            let next = try peek(bytes)
            if next == UInt8(ascii: ",") {
                place.index += 1
                skipSpace(bytes)
                continue
            }
            guard next == UInt8(ascii: "]") else { throw .unexpected(at: place.index, wanted: .commaOrBracket) }
            place.index += 1
            return cells.count - row
        }
    }
}
