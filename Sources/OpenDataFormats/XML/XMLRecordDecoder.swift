public import OpenDataCore

/// Decodes records from XML, strictly by XML 1.0 (fifth edition) and Namespaces in XML 1.0.
///
/// Where the records are is the layout's to say (``XMLLayout``). Of a record,
///
/// * the text of an element is a column, and so is each of its attributes;
/// * an element that is empty is the empty text, one that says `xsi:nil="true"` is null, one that is missing is absent,
///   and an empty one with attributes is these alone;
/// * several elements of one name within another become an array of JSON: nothing is lost, and nothing overwritten;
/// * an element with text and elements mixed is the text of its markup, as it is written;
/// * in JSON, an element with attributes is an object, whose text is the member `#text`.
///
/// References and CDATA sections are undone, comments and instructions are left out, line ends are line feeds.
///
/// Refused: everything that is not well-formed, a document type that declares entities or values of attributes, more
/// than 512 levels of nesting, more than 2,048 columns, more than 1,048,576 elements in a record, and a document that
/// has neither records at the layout's paths nor the element around them. Nothing is fetched, and no entity is
/// expanded.
public struct XMLRecordDecoder: RecordDecoder {
    let layout: XMLLayout
    // The layout's paths in names.
    let recordPaths: [[[UInt8]]]
    var walker: XMLWalker
    var paths: XMLPaths
    var found: XMLMembers
    // Whether a record, or the element around records, has been seen.
    var hasFoundRecords = false
    var isFinished = false
    // The physical line of the place up to which lines are counted, and where it begins; see `advance(to:_:)`.
    var line = XMLLine()
    // The tree of the record under way and the cells that it comes to, one for each column so far.
    var record = XMLRecord()
    var row: [Cell] = []
    // What each path has had last, to find several of one name: see `arrange(_:_:)`.
    var lists = XMLLists()

    private var columns: Columns
    // The size of the batch before, which the next one is likely to have too.
    private var cellCount = 0
    private var recordCount = 0

    // A batch ends early at so many cells, however short the records are: memory stays bounded.
    static let maximumCells = 1 << 20

    /// Makes a decoder for a layout.
    public init(_ layout: XMLLayout) {
        self.layout = layout
        recordPaths = layout.records.map(XMLRecordDecoder.names)
        walker = XMLWalker(isTolerant: layout.isFragment)
        paths = XMLPaths(columns: layout.columns)
        found = XMLMembers(keepsSurroundings: layout.includesSurroundings)
        columns = Columns(paths.columns)
    }

    /// The names of a path without their prefixes.
    static func names(of path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { name in
            Array(name.lastIndex(of: UInt8(ascii: ":")).map { name[name.index(after: $0)...] } ?? name)
        }
    }

    /// The texts of the elements outside the records that hold no others, and the attributes there.
    ///
    /// They are named by their path below the root, such as `head.issue-time` and `@version`. Those of one path are
    /// joined by line breaks. At most 64 members, of at most 16 KiB each. Complete when decoding ends, with an error or
    /// without.
    public var members: [String: String] { found.texts }

    /// Decodes the whole records of a window: see ``RecordDecoder/decode(_:isLast:)``.
    ///
    /// Throws ``OpenDataError/Code/malformed``, ``OpenDataError/Code/truncated`` and ``OpenDataError/Code/tooLarge``
    /// for a document that breaks the rules, ``OpenDataError/Code/schemaChanged`` for one without records where the
    /// layout says, ``OpenDataError/Code/emptyBody`` for nothing but white space, and
    /// ``OpenDataError/Code/badArgument`` for a layout without paths.
    public mutating func decode(_ batch: inout RecordBatch, isLast: Bool) throws(OpenDataError) -> Int {
        guard !recordPaths.isEmpty, recordPaths.allSatisfy({ !$0.isEmpty }) else {
            throw OpenDataError(
                .badArgument, "the layout has no path of elements that are records; name one like table/row")
        }
        guard batch.bytes.count <= Int32.max else {
            throw OpenDataError(.tooLarge, "a window has more than 2 GiB")
        }
        // (A slice, because older systems have no span of an array.)
        let bytes = batch.bytes[...]
        // Texts that do not stand in the window as they are go behind it.
        var extra: [UInt8] = []
        defer { if !extra.isEmpty { batch.bytes += extra } }
        batch.columns = columns
        batch.cells.reserveCapacity(min(cellCount, bytes.count))
        batch.origins.reserveCapacity(min(recordCount, bytes.count))
        defer { (cellCount, recordCount) = (batch.cells.count, batch.count) }

        line.start -= batch.byteOffset
        defer { line.start += batch.byteOffset }
        line.index = 0
        var scanner = XMLScanner()
        var start = 0
        while batch.cells.count < XMLRecordDecoder.maximumCells, !isFinished {
            start = scanner.index
            scanner.attributes.removeAll(keepingCapacity: true)
            let mark = walker.mark
            let extraCount = extra.count
            do throws(XMLStop) {
                try step(&scanner, bytes.span, &batch, &extra, isLast: isLast)
            } catch {
                // What was begun is left for the next window; an error as well, if there are records to hand on first.
                if batch.count == 0,
                    let failure = failure(error, start, bytes.span, batch, isLast: isLast, isInRecord: record.isOpen)
                {
                    throw failure
                }
                record.isOpen = false
                walker.rewind(to: mark)
                extra.removeSubrange(extraCount...)
                scanner.index = start
                break
            }
        }
        line.advance(to: scanner.index, bytes.span)
        if isFinished, !hasFoundRecords { throw missingRecords() }
        return scanner.index
    }

    /// Reads the next token outside the records, or a record.
    private mutating func step(
        _ scanner: inout XMLScanner, _ bytes: Span<UInt8>, _ batch: inout RecordBatch, _ extra: inout [UInt8],
        isLast: Bool
    ) throws(XMLStop) {
        let start = scanner.index
        switch try walker.next(&scanner, bytes, isLast: isLast) {
        case .start(let tag):
            let depth = tag.isEmpty ? walker.depth : walker.depth - 1
            if isRecord(bytes, tag.localName, depth) {
                record.isOpen = true
                found.leaveLeaf()
                try readRecord(tag, &scanner, bytes, isLast: isLast)
                guard scanner.index - start <= RecordReader.maximumRecord else {
                    throw .tooMany(at: start, "a record has more than \(RecordReader.maximumRecord >> 20) MiB")
                }
                record.isOpen = false
                try fill(scanner.attributes, bytes, &extra, mayAdd: batch.count == 0)
                hasFoundRecords = true
                if columns.count != paths.columns.count { columns = Columns(paths.columns) }
                if batch.count == 0 { batch.columns = columns }
                batch.cells.append(contentsOf: row)
                line.advance(to: start, bytes)
                batch.origins.append(
                    RecordOrigin(
                        record: batch.recordOffset + batch.readCount + 1, line: line.number,
                        byte: batch.byteOffset + start))
            } else {
                begin(tag, scanner.attributes, bytes, depth)
            }
        case .end: found.end(walker)
        case .text(let text): found.add(bytes, text.range, isBlank: text.isBlank, isPlain: text.isPlain)
        case .section(let range): found.add(section: bytes, range)
        case .other: break
        // The end is left for a batch of its own, so that no records are lost if it is not what was due.
        case .finish: if batch.count == 0 { isFinished = true } else { throw .needsMore }
        }
    }

    /// Takes note of an element outside the records.
    private mutating func begin(
        _ tag: XMLScanner.Tag, _ attributes: [XMLScanner.Attribute], _ bytes: Span<UInt8>, _ depth: Int
    ) {
        for path in recordPaths where path.count == depth + 2 && matches(path, bytes, tag.localName, depth) {
            hasFoundRecords = true
        }
        found.begin(tag, attributes, bytes, walker, depth)
    }

    /// Whether an element at a depth, whose ancestors are open, is a record.
    @inline(__always)
    private func isRecord(_ bytes: Span<UInt8>, _ name: Range<Int>, _ depth: Int) -> Bool {
        for path in recordPaths where path.count == depth + 1 {
            if matches(path, bytes, name, depth) { return true }
        }
        return false
    }

    private func matches(_ path: [[UInt8]], _ bytes: Span<UInt8>, _ name: Range<Int>, _ depth: Int) -> Bool {
        guard XMLText.areEqual(path[depth][...], bytes, name) else { return false }
        for level in 0..<depth where walker.localName(level) != path[level][...] { return false }
        return true
    }
}

/// The physical line of a place in the text.
struct XMLLine: Sendable {
    /// The line, from 1.
    var number = 1
    /// The index at which the line begins, below 0 where it begins in an earlier window.
    var start = 0
    /// The index up to which lines are counted.
    var index = 0
    // Whether the last line end was a carriage return, to which a line feed may still belong.
    private var followsCarriageReturn = false

    /// Counts the lines up to an index; one before what was counted changes nothing.
    mutating func advance(to end: Int, _ bytes: Span<UInt8>) {
        while index < end {
            index = ByteScan.firstIndex(in: bytes, index..<end) { ByteScan.bytes(of: $0, lessThan: 0x0E) }
            guard index < end else { return }
            let byte = bytes[index]
            index += 1
            if byte == 0x0A {
                if !(followsCarriageReturn && start == index - 1) { number += 1 }
                (start, followsCarriageReturn) = (index, false)
            } else if byte == 0x0D {
                number += 1
                (start, followsCarriageReturn) = (index, true)
            }
        }
    }
}
