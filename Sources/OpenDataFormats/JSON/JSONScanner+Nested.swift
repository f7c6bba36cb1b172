import OpenDataCore

extension JSONScanner {
    /// Reads an object as a row of cells like ``object(_:into:_:mayWiden:depth:)``, with the members of objects in it
    /// as columns: of all of them, or of the one member that the layout lifts.
    ///
    /// An object without members has no column.
    /// - Complexity: O(bytes), without recursion.
    mutating func flatObject(
        _ bytes: Span<UInt8>, into cells: inout [Cell], _ columns: inout JSONColumns, _ layout: JSONLayout,
        mayWiden: Bool, depth: Int
    ) throws(JSONStop) -> Int? {
        let row = cells.count
        cells.append(contentsOf: repeatElement(.absent, count: columns.count))
        var duplicate: Int?
        // The path of the open object, with a dot behind it, and how long it was in those around it.
        var path: [UInt8] = []
        var lengths: [Int] = []
        place.index += 1
        skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "}") {
            place.index += 1
            return nil
        }
        members: while true {
            let start = place.index
            guard try peek(bytes) == JSONStrings.quote else { throw .unexpected(at: start, wanted: .key) }
            let isEscaped = try string(bytes)
            let key = start..<place.index
            let known = columns.find(bytes, key, isEscaped: isEscaped, behind: path)
            let name = columns.lastKey
            skipSpace(bytes)
            try take(UInt8(ascii: ":"), bytes, else: .colon)
            skipSpace(bytes)
            if try peek(bytes) == UInt8(ascii: "{"), opens(name, isOutermost: lengths.isEmpty, columns, layout) {
                guard depth + lengths.count + 1 < JSONScanner.maximumDepth else { throw .tooDeep(at: place.index) }
                place.index += 1
                skipSpace(bytes)
                guard name.count <= JSONMembers.maximumLength else { throw .tooLong(at: start) }
                lengths.append(path.count)
                path = name + [UInt8(ascii: ".")]
                if try peek(bytes) != UInt8(ascii: "}") { continue members }
                if try leave(&path, &lengths, bytes) { continue members }
                return duplicate
            }
            var column = known
            if column == nil {
                guard mayWiden else { throw .newColumn(at: start) }
                guard columns.count < JSONColumns.maximumCount else { throw .tooManyColumns(at: start) }
                column = columns.add(bytes, key)
                cells.append(.absent)
            }
            let value = try cell(bytes, depth: depth + lengths.count + 1)
            if let column {
                if cells[row + column].kind != .absent, duplicate == nil { duplicate = column }
                cells[row + column] = value
            }
            guard try leave(&path, &lengths, bytes) else { return duplicate }
        }
    }

    /// Goes on behind a value, through the ends of the objects that end here, to the next key; false at the record's
    /// end.
    private mutating func leave(
        _ path: inout [UInt8], _ lengths: inout [Int], _ bytes: Span<UInt8>
    ) throws(JSONStop) -> Bool {
        while true {
            skipSpace(bytes)
            let next = try peek(bytes)
            if next == UInt8(ascii: ",") {
                place.index += 1
                skipSpace(bytes)
                return true
            }
            guard next == UInt8(ascii: "}") else { throw .unexpected(at: place.index, wanted: .commaOrBrace) }
            place.index += 1
            guard let length = lengths.popLast() else { return false }
            path.removeSubrange(length...)
        }
    }

    /// Whether the members of the object at a path become columns.
    private func opens(_ name: [UInt8], isOutermost: Bool, _ columns: borrowing JSONColumns, _ layout: JSONLayout)
        -> Bool
    {
        if layout.nested == .columns { return true }
        return isOutermost && name.elementsEqual(columns.lifted.dropLast())
    }
}
