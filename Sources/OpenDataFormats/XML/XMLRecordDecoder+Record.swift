import OpenDataCore

/// Which elements of one name stand together within one element.
struct XMLLists: Sendable {
    /// What a path has had last.
    struct Last: Sendable {
        /// The round in which it was met: each element whose children are looked at is one.
        var round = 0
        /// The last element of the path in that round.
        var node: Int32 = 0
    }

    var round = 0
    var last: [Last] = []
}

// A record becomes a tree first, and then, when all of it is seen, cells.
extension XMLRecordDecoder {
    /// Reads a record from behind its start tag to its end.
    mutating func readRecord(
        _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner, _ bytes: Span<UInt8>, isLast: Bool
    ) throws(XMLStop) {
        record.nodes.removeAll(keepingCapacity: true)
        try open(tag, scanner, bytes, attributes: 0, in: -1)
        if tag.isEmpty { return }
        var current = 0
        while true {
            let start = scanner.index
            let attributeCount = scanner.attributes.count
            switch try walker.next(&scanner, bytes, isLast: isLast) {
            case .start(let tag):
                let number = record.nodes.count
                try open(tag, scanner, bytes, attributes: attributeCount, in: current)
                record.nodes[current].isDirect = false
                if !tag.isEmpty { current = number }
            case .end:
                let content = record.nodes[current].content.lowerBound
                record.nodes[current].content = content..<Int32(start)
                record.nodes[current].end = Int32(scanner.index)
                guard current > 0 else { return }
                current = Int(record.nodes[current].parent)
            case .text(let text):
                if !text.isBlank { record.nodes[current].hasText = true }
                if !text.isPlain { record.nodes[current].isDirect = false }
            case .section(let range):
                if !range.isEmpty { record.nodes[current].hasText = true }
                record.nodes[current].isDirect = false
            case .other: record.nodes[current].isDirect = false
            case .finish: throw .needsMore
            }
        }
    }

    private mutating func open(
        _ tag: XMLScanner.Tag, _ scanner: XMLScanner, _ bytes: Span<UInt8>, attributes first: Int, in parent: Int
    ) throws(XMLStop) {
        try record.append(
            tag, contentStart: scanner.index, attributes: first..<scanner.attributes.count, in: parent)
        for attribute in scanner.attributes[first...]
        where attribute.role == .instance && XMLText.equals(bytes, attribute.localName, "nil") {
            let isTrue = XMLText.equals(bytes, attribute.value, "true") || XMLText.equals(bytes, attribute.value, "1")
            record.nodes[record.nodes.count - 1].isNil = isTrue
        }
    }

    /// Makes the row of cells of the record that has been read.
    mutating func fill(
        _ attributes: [XMLScanner.Attribute], _ bytes: Span<UInt8>, _ extra: inout [UInt8], mayAdd: Bool
    ) throws(XMLStop) {
        row.removeAll(keepingCapacity: true)
        row.append(contentsOf: repeatElement(.absent, count: paths.columns.count))
        let writer = XMLCellWriter(bytes.count, attributes, layout.columnNames.map { Array($0.utf8) })
        try arrange(0, writer, bytes)
        var number = Int(record.nodes[0].firstChild)
        while number >= 0 {
            let node = record.nodes[number]
            let isList = node.beginsList && !node.endsList
            var last = number
            if isList || !node.isLeaf && !node.isMixed && layout.nested == .json {
                if isList {
                    while !record.nodes[last].endsList { last = Int(record.nodes[last].next) }
                }
                try put(try writeJSON(number, isList: isList, writer, bytes, &extra), number, mayAdd: mayAdd)
            } else if node.isLeaf || node.isMixed {
                if let cell = writer.cell(node, bytes, &extra) { try put(cell, number, mayAdd: mayAdd) }
                try putAttributes(number, writer, bytes, &extra, mayAdd: mayAdd)
            } else {
                try arrange(number, writer, bytes)
                number = Int(node.firstChild)
                continue
            }
            number = try follower(of: last, writer, bytes, &extra, mayAdd: mayAdd)
        }
        if let text = ownText(bytes, &extra) {
            var column = paths.textColumn
            if column == nil {
                column = try paths.makeTextColumn(mayAdd: mayAdd, at: Int(record.nodes[0].name.lowerBound))
            }
            guard let column else { throw .newColumn }
            set(text, column)
        }
        try putAttributes(0, writer, bytes, &extra, mayAdd: mayAdd)
        if layout.includesSurroundings { try putSurroundings(writer, &extra, mayAdd: mayAdd) }
    }

    /// Gives the record the values of the elements around it.
    private mutating func putSurroundings(
        _ writer: XMLCellWriter, _ extra: inout [UInt8], mayAdd: Bool
    ) throws(XMLStop) {
        var previous = 0
        for level in found.surroundings {
            for value in level {
                let name = value.name[...]
                let path = try paths.child(of: 0, .surrounding, name.span, 0..<name.count, after: previous)
                previous = path
                let start = extra.count
                extra += value.text
                try put(
                    writer.text(behind: start, extra), path: path, at: Int(record.nodes[0].name.lowerBound),
                    mayAdd: mayAdd)
            }
        }
    }

    /// The element behind one in the order of the document, once those that it ends are done with; -1 at the record's
    /// end.
    private mutating func follower(
        of number: Int, _ writer: XMLCellWriter, _ bytes: Span<UInt8>, _ extra: inout [UInt8], mayAdd: Bool
    ) throws(XMLStop) -> Int {
        var number = number
        while record.nodes[number].next < 0 {
            number = Int(record.nodes[number].parent)
            if number <= 0 { return -1 }
            try putAttributes(number, writer, bytes, &extra, mayAdd: mayAdd)
        }
        return Int(record.nodes[number].next)
    }

    /// Finds the paths of the elements within one, and links those of one name one behind the other.
    mutating func arrange(_ parent: Int, _ writer: XMLCellWriter, _ bytes: Span<UInt8>) throws(XMLStop) {
        let parentPath = Int(record.nodes[parent].path)
        lists.round += 1
        var previousPath = parentPath
        // The last element that stays where it is.
        var kept: Int32 = -1
        var number = record.nodes[parent].firstChild
        while number >= 0 {
            let index = Int(number)
            let next = record.nodes[index].next
            let path = try path(of: index, below: parentPath, after: previousPath, writer, bytes)
            previousPath = path
            record.nodes[index].path = Int32(path)
            record.nodes[index].beginsList = true
            record.nodes[index].endsList = true
            while lists.last.count <= path { lists.last.append(XMLLists.Last()) }
            if lists.last[path].round == lists.round {
                let before = Int(lists.last[path].node)
                record.nodes[before].endsList = false
                record.nodes[index].beginsList = false
                if Int32(before) != kept {
                    // It moves up behind the one of its name.
                    record.nodes[Int(kept)].next = next
                    record.nodes[index].next = record.nodes[before].next
                    record.nodes[before].next = number
                } else {
                    kept = number
                }
            } else {
                kept = number
            }
            lists.last[path] = XMLLists.Last(round: lists.round, node: number)
            number = next
        }
    }

    private mutating func path(
        of number: Int, below parent: Int, after previous: Int, _ writer: XMLCellWriter, _ bytes: Span<UInt8>
    ) throws(XMLStop) -> Int {
        let node = record.nodes[number]
        if let attribute = writer.namingAttribute(of: node, bytes) {
            if attribute.isPlain {
                return try paths.child(of: parent, .element, bytes, attribute.value, after: previous)
            }
            var name: [UInt8] = []
            XMLText.appendValue(bytes, attribute.value, to: &name)
            let slice = name[...]
            return try paths.child(of: parent, .element, slice.span, 0..<name.count, after: previous)
        }
        return try paths.child(of: parent, .element, bytes, node.name.wide, after: previous)
    }

    // MARK: Cells

    /// Gives an element's column its cell.
    private mutating func put(_ cell: Cell, _ number: Int, mayAdd: Bool) throws(XMLStop) {
        let node = record.nodes[number]
        try put(cell, path: Int(node.path), at: Int(node.name.lowerBound), mayAdd: mayAdd)
    }

    private mutating func put(_ cell: Cell, path: Int, at index: Int, mayAdd: Bool) throws(XMLStop) {
        var column = paths.column(of: path)
        if column == nil { column = try paths.makeColumn(of: path, mayAdd: mayAdd, at: index) }
        guard let column else { throw .newColumn }
        set(cell, column)
    }

    private mutating func set(_ cell: Cell, _ column: Int) {
        while row.count <= column { row.append(.absent) }
        row[column] = cell
    }

    private mutating func putAttributes(
        _ number: Int, _ writer: XMLCellWriter, _ bytes: Span<UInt8>, _ extra: inout [UInt8], mayAdd: Bool
    ) throws(XMLStop) {
        let node = record.nodes[number]
        if node.attributes.isEmpty { return }
        var previous = Int(node.path)
        for index in node.attributes {
            let attribute = writer.attributes[Int(index)]
            guard writer.isColumn(attribute, of: node, bytes, isRecord: number == 0) else { continue }
            let path = try paths.child(
                of: Int(node.path), .attribute, bytes, writer.key(of: attribute, in: node, bytes), after: previous)
            previous = path
            try put(
                writer.cell(attribute, bytes, &extra), path: path, at: attribute.name.lowerBound, mayAdd: mayAdd)
        }
    }

    /// The text that the record has beside its elements.
    private func ownText(_ bytes: Span<UInt8>, _ extra: inout [UInt8]) -> Cell? {
        let node = record.nodes[0]
        if node.isNil, node.isLeaf, paths.textColumn != nil { return .null }
        guard node.hasText else {
            // A record that is nothing but text elsewhere is empty text here.
            let isEmpty = node.isLeaf && node.attributes.isEmpty && paths.textColumn != nil
            return isEmpty ? Cell(.text, offset: Int(node.content.lowerBound), length: 0) : nil
        }
        if node.isDirect { return Cell(.text, offset: Int(node.content.lowerBound), length: node.content.count) }
        let start = extra.count
        // What stands between the elements, less what is white space. (Numbers are in the order of the document.)
        var index = Int(node.content.lowerBound)
        for child in record.nodes.dropFirst() where child.parent == 0 {
            XMLText.appendContent(bytes, index..<Int(child.start), unlessBlank: true, to: &extra)
            index = Int(child.end)
        }
        XMLText.appendContent(bytes, index..<Int(node.content.upperBound), unlessBlank: !node.isLeaf, to: &extra)
        return Cell(.text, offset: bytes.count + start, length: extra.count - start)
    }
}
