/// The elements of one record, as a tree in two flat arrays that serve one record after the other.
struct XMLRecord: Sendable {
    /// An element.
    ///
    /// Places are indices of the window; numbers of elements are -1 where there is none.
    struct Node: Sendable {
        /// The name without its prefix.
        var name: Range<Int32>
        /// Where the start tag begins.
        var start: Int32
        /// Where the element ends.
        var end: Int32
        /// What stands between the tags.
        var content: Range<Int32>
        /// The attributes, in the scanner's array.
        var attributes: Range<Int32>
        var parent: Int32
        var firstChild: Int32 = -1
        var lastChild: Int32 = -1
        var next: Int32 = -1
        /// The place among the paths, once it is known.
        var path: Int32 = 0
        /// Whether there is text that is not white space.
        var hasText = false
        /// Whether the content is, as it stands, the text.
        var isDirect = true
        /// Whether the element says that it has no value.
        var isNil = false
        /// Whether it is the first of several elements of one name, which are linked one behind the other.
        var beginsList = false
        /// Whether it is the last of them.
        var endsList = false

        /// Whether no element is within.
        var isLeaf: Bool { firstChild < 0 }
        /// Whether text and elements are mixed, so that the markup is part of the text.
        var isMixed: Bool { hasText && firstChild >= 0 }
    }

    /// The most elements of a record.
    static let maximumCount = 1 << 20

    /// The elements in the order of their start tags; the record is the first.
    var nodes: [Node] = []
    /// Whether a record has been begun and not yet ended.
    var isOpen = false

    /// Adds an element within another.
    mutating func append(_ tag: XMLScanner.Tag, contentStart: Int, attributes: Range<Int>, in parent: Int)
        throws(XMLStop)
    {
        guard nodes.count < XMLRecord.maximumCount else {
            throw .tooMany(at: tag.name.lowerBound, "a record has more than \(XMLRecord.maximumCount) elements")
        }
        let number = Int32(nodes.count)
        nodes.append(
            Node(
                name: Int32(tag.local)..<Int32(tag.name.upperBound), start: Int32(tag.name.lowerBound - 1),
                end: Int32(contentStart), content: Int32(contentStart)..<Int32(contentStart),
                attributes: Int32(attributes.lowerBound)..<Int32(attributes.upperBound), parent: Int32(parent)))
        guard parent >= 0 else { return }
        if nodes[parent].firstChild < 0 {
            nodes[parent].firstChild = number
        } else {
            nodes[Int(nodes[parent].lastChild)].next = number
        }
        nodes[parent].lastChild = number
    }
}

extension Range where Bound == Int32 {
    /// The same range for indexing.
    var wide: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}
