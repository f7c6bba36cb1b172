import OpenDataCore

/// Goes through a document token by token and sees to it that tags match, that there is one root, and that prefixes are
/// declared.
///
/// A step that throws leaves the walker as it was; only the scanner's index is the caller's to set back.
struct XMLWalker: Sendable {
    /// What a step has come to.
    enum Event {
        /// An element begins; if its tag is that of an empty element, it ends too.
        case start(XMLScanner.Tag)
        /// The innermost element ends.
        case end
        /// Characters of the innermost element.
        case text(XMLScanner.Text)
        /// The characters of a CDATA section of the innermost element.
        case section(Range<Int>)
        /// What is no content: white space between declarations, a comment, an instruction.
        case other
        /// The document ends.
        case finish
    }

    /// A state to go back to, as long as the elements that were open then still are.
    struct Mark {
        fileprivate var depth: Int
        fileprivate var rootCount: Int
        fileprivate var scopeCount: Int
        fileprivate var looseEnd: String?
    }

    /// A prefix that an element has declared.
    private struct Scope {
        var depth: Int
        var prefix: [UInt8]
        var isInstance: Bool
    }

    /// The most elements that may be open at once.
    static let maximumDepth = 512
    private static let instance = "http://www.w3.org/2001/XMLSchema-instance"

    // The names of the open elements with their prefixes, one behind the other, where each begins, and where its local
    // part does.
    private var names: [UInt8] = []
    private var starts: [Int] = []
    private var locals: [Int] = []
    private var scopes: [Scope] = []
    private var isAtStart = true
    private var hasDocumentType = false
    /// Whether there has been nothing but white space so far.
    private(set) var isBlank = true
    /// The number of elements at the top so far.
    private(set) var rootCount = 0
    /// What makes the document a fragment of one: the first thing seen that no whole document has.
    private(set) var looseEnd: String?
    /// Whether fragments are read too.
    let isTolerant: Bool

    init(isTolerant: Bool) { self.isTolerant = isTolerant }

    /// The number of elements that are open.
    var depth: Int { starts.count }

    /// The name of an open element without its prefix; the root is 0.
    func localName(_ level: Int) -> ArraySlice<UInt8> {
        names[locals[level]..<(level + 1 < starts.count ? starts[level + 1] : names.count)]
    }

    /// The state now.
    var mark: Mark { Mark(depth: depth, rootCount: rootCount, scopeCount: scopes.count, looseEnd: looseEnd) }

    /// Goes back to an earlier state.
    mutating func rewind(to mark: Mark) {
        if mark.depth < starts.count {
            names.removeSubrange(starts[mark.depth]...)
            starts.removeSubrange(mark.depth...)
            locals.removeSubrange(mark.depth...)
        }
        scopes.removeSubrange(min(mark.scopeCount, scopes.count)...)
        rootCount = mark.rootCount
        looseEnd = mark.looseEnd
    }

    /// Reads the next token.
    ///
    /// One within the root is taken only if something follows it, since something has to: what ends too early is then
    /// never taken to its last byte, and told for what it is.
    mutating func next(_ scanner: inout XMLScanner, _ bytes: Span<UInt8>, isLast: Bool) throws(XMLStop) -> Event {
        if depth == 0 { return try nextAtTop(&scanner, bytes, isLast: isLast) }
        let event = try nextWithin(&scanner, bytes)
        if depth > 0, case .other = event { _ = try scanner.peek(bytes) }
        if depth > 0, case .section = event { _ = try scanner.peek(bytes) }
        return event
    }

    private mutating func nextWithin(_ scanner: inout XMLScanner, _ bytes: Span<UInt8>) throws(XMLStop) -> Event {
        guard try scanner.peek(bytes) == UInt8(ascii: "<") else { return .text(try scanner.text(bytes)) }
        switch try scanner.byte(bytes, at: scanner.index + 1) {
        case UInt8(ascii: "/"):
            try end(&scanner, bytes)
            return .end
        case UInt8(ascii: "!"):
            guard try scanner.byte(bytes, at: scanner.index + 2) == UInt8(ascii: "[") else {
                try scanner.comment(bytes)
                return .other
            }
            return .section(try scanner.section(bytes))
        case UInt8(ascii: "?"):
            try scanner.instruction(bytes)
            return .other
        default: return .start(try start(&scanner, bytes))
        }
    }

    /// Reads the next token outside every element.
    private mutating func nextAtTop(
        _ scanner: inout XMLScanner, _ bytes: Span<UInt8>, isLast: Bool
    ) throws(XMLStop) -> Event {
        if isAtStart {
            // An instruction whose name begins with "xml" is another thing than the declaration.
            if try scanner.byte(bytes, at: scanner.index) == UInt8(ascii: "<"), try scanner.isAt("<?xml", bytes),
                XMLCharacters.isSpace(try scanner.byte(bytes, at: scanner.index + 5))
            {
                try scanner.declaration(bytes)
                isBlank = false
            }
            isAtStart = false
            return .other
        }
        if scanner.skipSpace(bytes) { return .other }
        if scanner.index == bytes.count {
            guard isLast, rootCount > 0 else { throw .needsMore }
            return .finish
        }
        isBlank = false
        let wanted = rootCount == 0 ? "the root element" : "the end of the document"
        guard try scanner.peek(bytes) == UInt8(ascii: "<") else { throw .unexpected(at: scanner.index, wanted: wanted) }
        switch try scanner.byte(bytes, at: scanner.index + 1) {
        case UInt8(ascii: "?"): try scanner.instruction(bytes)
        case UInt8(ascii: "!"):
            guard try scanner.byte(bytes, at: scanner.index + 2) == UInt8(ascii: "D") else {
                try scanner.comment(bytes)
                return .other
            }
            if hasDocumentType || rootCount > 0 {
                throw .broken(
                    at: scanner.index, "a document type declaration stands elsewhere than before the root element")
            }
            try scanner.documentType(bytes)
            hasDocumentType = true
        case UInt8(ascii: "/"): throw .broken(at: scanner.index, "an end tag stands where no element is open")
        default:
            if rootCount > 0 {
                guard isTolerant else {
                    throw .broken(
                        at: scanner.index, "there is a second element at the top, where a document has one root")
                }
                if looseEnd == nil { looseEnd = "several elements at the top" }
            }
            return .start(try start(&scanner, bytes))
        }
        return .other
    }

    private mutating func start(_ scanner: inout XMLScanner, _ bytes: Span<UInt8>) throws(XMLStop) -> XMLScanner.Tag {
        let index = scanner.index
        let first = scanner.attributes.count
        let before = mark
        do throws(XMLStop) {
            let tag = try scanner.startTag(bytes)
            guard depth < XMLWalker.maximumDepth else { throw XMLStop.tooDeep(at: index) }
            if scanner.attributes.count > first { try declare(&scanner.attributes[first...], bytes) }
            if !tag.prefix.isEmpty { try checkPrefix(bytes, tag.prefix) }
            if depth > 0 || !tag.isEmpty { _ = try scanner.peek(bytes) }
            if depth == 0 { rootCount += 1 }
            if tag.isEmpty {
                scopes.removeSubrange(before.scopeCount...)
            } else {
                starts.append(names.count)
                locals.append(names.count + tag.local - tag.name.lowerBound)
                XMLText.append(bytes, tag.name, to: &names)
            }
            return tag
        } catch {
            rewind(to: before)
            throw error
        }
    }

    private mutating func end(_ scanner: inout XMLScanner, _ bytes: Span<UInt8>) throws(XMLStop) {
        let index = scanner.index
        let name = try scanner.endTag(bytes)
        let open = starts[depth - 1]..<names.count
        guard XMLText.areEqual(names[open], bytes, name) else {
            let expected = String(decoding: names[open], as: UTF8.self)
            throw .broken(
                at: index, "the end tag '</\(XMLText.string(bytes, name).prefix(80))>' ends '<\(expected.prefix(80))>'")
        }
        if depth > 1 { _ = try scanner.peek(bytes) }
        names.removeSubrange(open)
        starts.removeLast()
        locals.removeLast()
        while let scope = scopes.last, scope.depth > depth { scopes.removeLast() }
    }

    // MARK: Prefixes

    /// Takes note of the prefixes that a tag declares for the element that it begins, and of what its attributes tell.
    private mutating func declare(
        _ attributes: inout ArraySlice<XMLScanner.Attribute>, _ bytes: Span<UInt8>
    ) throws(XMLStop) {
        for index in attributes.indices {
            let attribute = attributes[index]
            if attribute.prefix.isEmpty {
                if XMLText.equals(bytes, attribute.name, "xmlns") { attributes[index].role = .declaration }
                continue
            }
            guard XMLText.equals(bytes, attribute.prefix, "xmlns") else { continue }
            attributes[index].role = .declaration
            if attribute.value.isEmpty { throw .broken(at: attribute.local, "a prefix is declared as nothing") }
            if XMLText.equals(bytes, attribute.localName, "xmlns") {
                throw .broken(at: attribute.local, "the prefix 'xmlns' cannot be declared")
            }
            scopes.append(
                Scope(
                    depth: depth + 1, prefix: XMLText.copy(bytes, attribute.localName),
                    isInstance: XMLText.equals(bytes, attribute.value, XMLWalker.instance)))
        }
        for index in attributes.indices where attributes[index].role == .data && !attributes[index].prefix.isEmpty {
            if try checkPrefix(bytes, attributes[index].prefix) { attributes[index].role = .instance }
        }
    }

    /// Throws unless a prefix is declared, and says whether it is that of an XML Schema instance.
    @discardableResult
    private mutating func checkPrefix(_ bytes: Span<UInt8>, _ prefix: Range<Int>) throws(XMLStop) -> Bool {
        let scope = scopes.last { XMLText.areEqual($0.prefix[...], bytes, prefix) }
        if let scope { return scope.isInstance }
        if XMLText.equals(bytes, prefix, "xml") { return false }
        let name = XMLText.string(bytes, prefix)
        guard isTolerant else {
            throw .broken(
                at: prefix.lowerBound, "the prefix '\(name.prefix(40))' is not declared by an 'xmlns:' attribute")
        }
        if looseEnd == nil { looseEnd = "the prefix '\(name.prefix(40))', which nothing declares" }
        return name == "xsi"
    }
}
