import OpenDataCore

/// What the elements of a whole document are, how often each occurs, and where it occurs more than once.
///
/// Memory: one window, and an entry for each different path.
struct XMLSurvey {
    /// The elements at one path.
    struct Element {
        /// The path of the element around it; 0 is the document.
        var parent: Int
        /// The name without a prefix.
        var name: String
        /// The number of elements.
        var count = 0
        /// The number of elements around with two of these or more.
        var repeatedParents = 0
        /// The different elements within.
        var children: [Int] = []
        /// Whether any has text that is not white space.
        var hasText = false
        /// Whether any has an attribute.
        var hasAttributes = false
        /// Whether it is a schema that describes the data, or within one.
        var isSchema = false
        /// The attribute that may name columns, as long as all have it and no other.
        var naming: Naming?
        // The number of the element around, and how many there have been within that.
        fileprivate var around = -1
        fileprivate var countThere = 0
    }

    /// What is known of an attribute that may name columns.
    struct Naming {
        /// The attribute's name.
        var name: String
        /// The values so far within one element around; `nil` once one has occurred twice.
        fileprivate var values: Set<String>?
        /// The values within the last element around.
        var lastValues: Set<String> { values ?? [] }
        /// Whether no two elements within one have the same value.
        var isDistinct: Bool { values != nil }
    }

    /// The elements by path; entry 0 is the document.
    private(set) var elements = [Element(parent: -1, name: "")]
    /// The first thing seen that makes the document a fragment of one.
    private(set) var looseEnd: String?

    private var paths = XMLPaths(columns: [])
    private var walker: XMLWalker
    // The paths and the numbers of the open elements; the document is the first.
    private var open = [(path: 0, number: 0)]
    private var elementCount = 0
    private var previousPath = 0

    /// Reads a payload.
    ///
    /// Throws what decoding it throws.
    /// - Parameter isTolerant: Whether fragments of documents are read too.
    init(
        _ payload: Payload, _ encoding: TextEncoding, _ invalid: TextSource.InvalidText, isTolerant: Bool,
        windowSize: Int
    ) throws(OpenDataError) {
        walker = XMLWalker(isTolerant: isTolerant)
        var source = try TextSource.open(payload, encodings: [encoding], invalid: invalid).source
        var line = XMLLine()
        var (window, offset, wanted, isAtEnd): ([UInt8], Int, Int, Bool) = ([], 0, windowSize, false)
        while true {
            while !isAtEnd, window.count < wanted {
                isAtEnd = try source.read(wanted - window.count, into: &window) == 0
            }
            let bytes = window[...]
            line.start -= line.index
            line.index = 0
            let (consumed, stop) = read(bytes.span, isLast: isAtEnd)
            if let stop {
                let failure = XMLFailure(line: line, byteOffset: offset, record: nil, isLast: isAtEnd)
                if let error = failure.error(stop, bytes.span, walker) { throw error }
            } else {
                break
            }
            line.advance(to: consumed, bytes.span)
            offset += consumed
            guard consumed > 0 || window.count < RecordReader.maximumRecord else {
                throw OpenDataError(
                    .tooLarge, "a text or a tag has more than \(RecordReader.maximumRecord >> 20) MiB",
                    position: Position(byte: offset))
            }
            wanted = consumed > 0 ? windowSize : min(window.count * 2, RecordReader.maximumRecord)
            window.removeFirst(consumed)
        }
        looseEnd = walker.looseEnd
    }

    /// Reads the whole tokens of a window; returns how far they go, and why they go no further.
    ///
    /// That is `nil` at the end of the document.
    private mutating func read(_ bytes: Span<UInt8>, isLast: Bool) -> (Int, XMLStop?) {
        var scanner = XMLScanner()
        var start = 0
        do throws(XMLStop) {
            while true {
                start = scanner.index
                scanner.attributes.removeAll(keepingCapacity: true)
                switch try walker.next(&scanner, bytes, isLast: isLast) {
                case .start(let tag): try begin(tag, scanner.attributes, bytes)
                case .end: open.removeLast()
                case .text(let text): if !text.isBlank { elements[open[open.count - 1].path].hasText = true }
                case .section(let range): if !range.isEmpty { elements[open[open.count - 1].path].hasText = true }
                case .other: break
                case .finish: return (start, nil)
                }
            }
        } catch {
            return (start, error)
        }
    }

    private mutating func begin(
        _ tag: XMLScanner.Tag, _ attributes: [XMLScanner.Attribute], _ bytes: Span<UInt8>
    ) throws(XMLStop) {
        let around = open[open.count - 1]
        let path = try paths.child(of: around.path, .element, bytes, tag.localName, after: previousPath)
        previousPath = path
        let isNew = path == elements.count
        if isNew {
            let name = XMLText.string(bytes, tag.localName)
            var element = Element(parent: around.path, name: name)
            let isSchema = name == "schema" && ["xs", "xsd"].contains(XMLText.string(bytes, tag.prefix))
            element.isSchema = isSchema || elements[around.path].isSchema
            elements.append(element)
            elements[around.path].children.append(path)
        }
        elementCount += 1
        elements[path].count += 1
        let isNewAround = elements[path].around != around.number
        if isNewAround {
            elements[path].around = around.number
            elements[path].countThere = 0
        }
        elements[path].countThere += 1
        if elements[path].countThere == 2 { elements[path].repeatedParents += 1 }

        let data = attributes.filter { $0.role == .data }
        if !data.isEmpty { elements[path].hasAttributes = true }
        if data.count == 1, isNew || elements[path].naming != nil {
            note(data[0], bytes, path, isNew: isNew, isNewAround: isNewAround)
        } else if elements[path].naming != nil {
            elements[path].naming = nil
        }
        if !tag.isEmpty { open.append((path, elementCount)) }
    }

    private mutating func note(
        _ attribute: XMLScanner.Attribute, _ bytes: Span<UInt8>, _ path: Int, isNew: Bool, isNewAround: Bool
    ) {
        let name = XMLText.string(bytes, attribute.localName)
        guard attribute.value.count <= 400, isNew || elements[path].naming?.name == name else {
            elements[path].naming = nil
            return
        }
        let value = XMLText.string(bytes, attribute.value)
        if isNew { elements[path].naming = Naming(name: name, values: []) }
        guard var values = elements[path].naming?.values else { return }
        elements[path].naming?.values = nil
        if isNewAround { values.removeAll(keepingCapacity: true) }
        if values.insert(value).inserted, values.count <= XMLPaths.maximumColumns {
            elements[path].naming?.values = values
        }
    }
}
