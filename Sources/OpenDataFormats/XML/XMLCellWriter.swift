import OpenDataCore

/// Makes cells of what a window holds: of the window's own bytes, where they are the value, or of bytes put behind it.
struct XMLCellWriter {
    /// The number of bytes of the window.
    let windowCount: Int
    /// The attributes of the record's elements.
    let attributes: [XMLScanner.Attribute]
    // The name of the attribute that names columns.
    private let columnNames: [UInt8]?

    init(_ windowCount: Int, _ attributes: [XMLScanner.Attribute], _ columnNames: [UInt8]?) {
        self.windowCount = windowCount
        self.attributes = attributes
        self.columnNames = columnNames
    }

    /// The attribute that names the column of an element, if it has one.
    func namingAttribute(of node: XMLRecord.Node, _ bytes: Span<UInt8>) -> XMLScanner.Attribute? {
        guard columnNames != nil else { return nil }
        for index in node.attributes where names(attributes[Int(index)], bytes) { return attributes[Int(index)] }
        return nil
    }

    /// Whether an attribute names a column; an empty name or one that could be taken for an attribute's does not.
    private func names(_ attribute: XMLScanner.Attribute, _ bytes: Span<UInt8>) -> Bool {
        guard let columnNames, attribute.role == .data, !attribute.value.isEmpty,
            XMLText.areEqual(columnNames[...], bytes, attribute.localName)
        else { return false }
        let first = bytes[attribute.value.lowerBound]
        return first != UInt8(ascii: "@") && first != UInt8(ascii: "#") && first != UInt8(ascii: "&")
    }

    /// Whether an attribute is a value of its own.
    @inline(__always)
    func isColumn(
        _ attribute: XMLScanner.Attribute, of node: XMLRecord.Node, _ bytes: Span<UInt8>, isRecord: Bool = false
    ) -> Bool {
        if attribute.role != .data { return false }
        return isRecord || columnNames == nil || !names(attribute, bytes)
    }

    /// Whether an element has attributes that are values of their own.
    func hasColumns(_ node: XMLRecord.Node, _ bytes: Span<UInt8>) -> Bool {
        for index in node.attributes where isColumn(attributes[Int(index)], of: node, bytes) { return true }
        return false
    }

    /// What an attribute is called: its name without the prefix, unless another of the element is called that too.
    func key(of attribute: XMLScanner.Attribute, in node: XMLRecord.Node, _ bytes: Span<UInt8>) -> Range<Int> {
        if attribute.prefix.isEmpty { return attribute.name }
        for index in node.attributes {
            let other = attributes[Int(index)]
            if other.name != attribute.name, XMLText.areEqual(bytes, other.localName, bytes, attribute.localName) {
                return attribute.name
            }
        }
        return attribute.localName
    }

    // MARK: Cells

    /// The cell of an attribute.
    func cell(_ attribute: XMLScanner.Attribute, _ bytes: Span<UInt8>, _ extra: inout [UInt8]) -> Cell {
        if attribute.isPlain { return text(attribute.value) }
        let start = extra.count
        XMLText.appendValue(bytes, attribute.value, to: &extra)
        return text(behind: start, extra)
    }

    /// The cell of an element without elements within, or with text between them; `nil` if it is its attributes alone.
    func cell(_ node: XMLRecord.Node, _ bytes: Span<UInt8>, _ extra: inout [UInt8]) -> Cell? {
        if node.isNil { return .null }
        if !node.hasText, hasColumns(node, bytes) { return nil }
        if node.isDirect { return text(node.content.wide) }
        let start = extra.count
        appendText(node, bytes, to: &extra)
        return text(behind: start, extra)
    }

    /// A cell of JSON behind a place of the bytes behind the window.
    func json(behind start: Int, _ extra: [UInt8]) throws(XMLStop) -> Cell {
        guard extra.count - start <= Cell.maximumLength else {
            throw .tooMany(at: 0, "a value has more than \(Cell.maximumLength >> 20) MiB as JSON")
        }
        return Cell(.json, offset: windowCount + start, length: extra.count - start)
    }

    private func text(_ range: Range<Int>) -> Cell { Cell(.text, offset: range.lowerBound, length: range.count) }

    /// A cell of the bytes behind the window, from a place on.
    func text(behind start: Int, _ extra: [UInt8]) -> Cell {
        Cell(.text, offset: windowCount + start, length: extra.count - start)
    }

    /// Adds the text of an element, or its markup if it has elements within.
    private func appendText(_ node: XMLRecord.Node, _ bytes: Span<UInt8>, to output: inout [UInt8]) {
        if node.isLeaf {
            XMLText.appendContent(bytes, node.content.wide, to: &output)
        } else {
            XMLText.appendLines(bytes, node.content.wide, to: &output)
        }
    }

    // MARK: JSON

    /// Adds an element without elements within, or with text between them.
    func appendJSON(_ node: XMLRecord.Node, _ bytes: Span<UInt8>, to output: inout [UInt8]) {
        guard hasColumns(node, bytes) else { return appendJSONText(node, bytes, to: &output) }
        output.append(UInt8(ascii: "{"))
        let start = output.count
        if node.hasText || node.isNil {
            output.append(contentsOf: "\"#text\":".utf8)
            appendJSONText(node, bytes, to: &output)
        }
        appendJSONAttributes(node, bytes, isFirst: output.count == start, to: &output)
        output.append(UInt8(ascii: "}"))
    }

    private func appendJSONText(_ node: XMLRecord.Node, _ bytes: Span<UInt8>, to output: inout [UInt8]) {
        if node.isNil { return output.append(contentsOf: "null".utf8) }
        var text: [UInt8] = []
        appendText(node, bytes, to: &text)
        XMLText.appendJSON(text[...], to: &output)
    }

    /// Adds the attributes of an element as members.
    func appendJSONAttributes(
        _ node: XMLRecord.Node, _ bytes: Span<UInt8>, isFirst: Bool, to output: inout [UInt8]
    ) {
        var isFirst = isFirst
        for index in node.attributes where isColumn(attributes[Int(index)], of: node, bytes) {
            let attribute = attributes[Int(index)]
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output.append(contentsOf: "\"@".utf8)
            XMLText.append(bytes, key(of: attribute, in: node, bytes), to: &output)
            output.append(contentsOf: "\":".utf8)
            var value: [UInt8] = []
            XMLText.appendValue(bytes, attribute.value, to: &value)
            XMLText.appendJSON(value[...], to: &output)
        }
    }
}

extension XMLRecordDecoder {
    /// Adds an element, or a list of those of its name, as JSON.
    ///
    /// Without recursion: the tree itself says what is open.
    mutating func writeJSON(
        _ number: Int, isList: Bool, _ writer: XMLCellWriter, _ bytes: Span<UInt8>, _ extra: inout [UInt8]
    ) throws(XMLStop) -> Cell {
        let start = extra.count
        let top = record.nodes[number].parent
        if isList { extra.append(UInt8(ascii: "[")) }
        var current = number
        while true {
            let node = record.nodes[current]
            if !node.isLeaf, !node.isMixed {
                try arrange(current, writer, bytes)
                extra.append(UInt8(ascii: "{"))
                current = Int(node.firstChild)
                beginMember(current, &extra)
                continue
            }
            writer.appendJSON(node, bytes, to: &extra)
            // What ends with it, and then what follows.
            while true {
                let node = record.nodes[current]
                if !node.endsList {
                    extra.append(UInt8(ascii: ","))
                    current = Int(node.next)
                    break
                }
                if !node.beginsList { extra.append(UInt8(ascii: "]")) }
                if node.parent == top { return try writer.json(behind: start, extra) }
                if node.next >= 0 {
                    extra.append(UInt8(ascii: ","))
                    current = Int(node.next)
                    beginMember(current, &extra)
                    break
                }
                current = Int(node.parent)
                writer.appendJSONAttributes(record.nodes[current], bytes, isFirst: false, to: &extra)
                extra.append(UInt8(ascii: "}"))
            }
        }
    }

    /// Adds the name of a member and, if there are several elements of it, the bracket before them.
    private func beginMember(_ number: Int, _ extra: inout [UInt8]) {
        XMLText.appendJSON(paths.name(of: Int(record.nodes[number].path)), to: &extra)
        extra.append(UInt8(ascii: ":"))
        if !record.nodes[number].endsList { extra.append(UInt8(ascii: "[")) }
    }
}
