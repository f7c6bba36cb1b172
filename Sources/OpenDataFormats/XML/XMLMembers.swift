import OpenDataCore

/// What stands outside the records: the texts of elements without others within, and attributes.
struct XMLMembers: Sendable {
    private static let maximumCount = 64
    private static let maximumLength = 16 << 10
    private static let maximumNames = 24

    /// A value of an element around.
    struct Surrounding: Sendable {
        /// The path below the root.
        var name: [UInt8]
        var text: [UInt8]
    }

    /// The values of each open element, as far as they have been read; none of the root.
    private(set) var surroundings: [[Surrounding]] = []
    private let keepsSurroundings: Bool
    /// The texts by path below the root.
    private(set) var texts: [String: String] = [:]
    /// The paths of the first different elements, the root first.
    private(set) var names: [String] = []
    // The element that began last, while nothing has begun or ended since; its text so far.
    private var leaf: [UInt8]?
    private var text: [UInt8] = []

    init(keepsSurroundings: Bool) { self.keepsSurroundings = keepsSurroundings }

    /// Takes note of an element whose ancestors are open.
    mutating func begin(
        _ tag: XMLScanner.Tag, _ attributes: [XMLScanner.Attribute], _ bytes: Span<UInt8>, _ walker: XMLWalker,
        _ depth: Int
    ) {
        let name = XMLText.copy(bytes, tag.localName)
        note(name, walker, depth)
        if keepsSurroundings, !tag.isEmpty {
            surroundings.removeSubrange(min(depth, surroundings.count)...)
            surroundings.append([])
        }
        for attribute in attributes where attribute.role == .data {
            var value: [UInt8] = []
            XMLText.appendValue(bytes, attribute.value, to: &value)
            if keepsSurroundings, !tag.isEmpty, depth > 0 {
                surround(
                    value,
                    XMLMembers.path(walker, depth, name, [UInt8(ascii: "@")] + XMLText.copy(bytes, attribute.localName))
                )
            }
            keep(
                value,
                XMLMembers.path(walker, depth, name, [UInt8(ascii: "@")] + XMLText.copy(bytes, attribute.localName)))
        }
        text.removeAll(keepingCapacity: true)
        leaf = name
        if tag.isEmpty {
            if attributes.isEmpty {
                keep([], XMLMembers.path(walker, depth, name, nil))
                if depth > 1 { surround([], XMLMembers.path(walker, depth, name, nil)) }
            }
            leaf = nil
        }
    }

    /// Adds characters of the innermost element.
    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, isBlank: Bool, isPlain: Bool) {
        guard leaf != nil, keepsSurroundings || text.count <= XMLMembers.maximumLength else { return }
        if isPlain {
            XMLText.append(bytes, range, to: &text)
        } else {
            XMLText.appendContent(bytes, range, to: &text)
        }
    }

    /// Adds the characters of a CDATA section of the innermost element.
    mutating func add(section bytes: Span<UInt8>, _ range: Range<Int>) {
        guard leaf != nil, keepsSurroundings || text.count <= XMLMembers.maximumLength else { return }
        XMLText.appendLines(bytes, range, to: &text)
    }

    /// Takes note that the innermost element has ended; the walker is already past it.
    mutating func end(_ walker: XMLWalker) {
        surroundings.removeSubrange(min(walker.depth, surroundings.count)...)
        if let leaf {
            let path = XMLMembers.path(walker, walker.depth, leaf, nil)
            if walker.depth > 1 { surround(text, path) }
            keep(text, path)
        }
        leaf = nil
    }

    /// Takes note that the innermost element holds others.
    mutating func leaveLeaf() { leaf = nil }

    private mutating func note(_ name: [UInt8], _ walker: XMLWalker, _ depth: Int) {
        guard depth < 4, names.count < XMLMembers.maximumNames else { return }
        var parts = (0..<depth).map { String(decoding: walker.localName($0), as: UTF8.self) }
        parts.append(String(decoding: name, as: UTF8.self))
        let path = parts.joined(separator: "/")
        if !names.contains(path) { names.append(path) }
    }

    /// Adds a value to the innermost element around; those of one name are joined by line breaks.
    private mutating func surround(_ text: [UInt8], _ path: String) {
        guard keepsSurroundings, let level = surroundings.indices.last else { return }
        let name = Array(path.utf8)
        if let index = surroundings[level].firstIndex(where: { $0.name == name }) {
            surroundings[level][index].text += [0x0A] + text
        } else {
            surroundings[level].append(Surrounding(name: name, text: text))
        }
    }

    private mutating func keep(_ text: [UInt8], _ path: String) {
        guard text.count <= XMLMembers.maximumLength else { return }
        let text = String(decoding: text, as: UTF8.self)
        if let before = texts[path] {
            if before.utf8.count + text.utf8.count < XMLMembers.maximumLength { texts[path] = before + "\n" + text }
        } else if texts.count < XMLMembers.maximumCount {
            texts[path] = text
        }
    }

    /// The path of an element below the root, or the root's own name, and of an attribute.
    private static func path(_ walker: XMLWalker, _ depth: Int, _ name: [UInt8], _ attribute: [UInt8]?) -> String {
        var parts: [String] = []
        for level in 1..<max(depth, 1) { parts.append(String(decoding: walker.localName(level), as: UTF8.self)) }
        if depth > 0 || attribute == nil { parts.append(String(decoding: name, as: UTF8.self)) }
        if let attribute { parts.append(String(decoding: attribute, as: UTF8.self)) }
        return parts.joined(separator: ".")
    }
}
