public import OpenDataCore

/// Decodes records from JSON, strictly by RFC 8259.
///
/// Where the records are and how they are written is the layout's to say:
///
/// * an array of objects: each is a record, and the columns are their keys in order of first appearance;
/// * an array of arrays, with a member beside it that names the columns, in either order, or with the names as its
///   first element;
/// * an array of scalars: one column, `value`;
/// * an object whose members are the records, with their names as a column;
/// * an object that is the only record, or whose members are the columns;
/// * for the path `$`, objects one after the other, with or without line breaks between them (NDJSON). If the first
///   holds one of the layout's other paths, it is not a record but the object around the records.
///
/// Numbers keep their digits, and a member that is absent stays apart from one that is null. Objects and arrays within
/// a record become JSON on one line. A byte order mark at the start of a key is dropped.
///
/// Rejected: an object with a key twice, a row whose length is not that of the names, an element of another kind than
/// the first. Refused: everything that RFC 8259 does not allow, more than 512 levels of nesting, more than 2,048
/// columns, two paths with records, and a document without any of the paths.
public struct JSONRecordDecoder: RecordDecoder {
    /// What the decoder has come to.
    enum Phase {
        /// Only white space so far.
        case start
        /// In an object around the records: before a member or its end.
        case members
        /// In the array of records: before an element or its end.
        case elements
        /// In an object whose members are the records: before one or its end.
        case keyed
        /// Before the object that is the only record.
        case single
        /// Before the object whose members are the columns.
        case columns
        /// Among objects one after the other.
        case sequence
        /// After the document.
        case end
    }

    /// How the records of an array are written; the first element decides.
    enum Kind { case undecided, objects, rows, scalars }

    /// What a copy of the decoder looks ahead for, if that is what it is for.
    enum Ahead {
        case nothing
        /// An array, or null, at one of the paths; the first ends the search.
        case records
        /// The names of columns; arrays of records are passed like any value.
        case fields
    }

    let layout: JSONLayout
    var phase = Phase.start
    // Whether nothing has been read yet of the object or array that the phase is in.
    var isFirst = true
    // Whether the comma before the next element has been read.
    var isBehindComma = false
    var kind = Kind.undecided
    // The number of objects and arrays that are open, and those among them that are around the records.
    var depth = 0
    var levels: [Level] = []
    // Whether an array was found at a path of the layout, and the path if it had records.
    var hasFoundRecords = false
    var recordsPath: String?
    // Whether null was found at a path of the layout.
    var hasFoundNull = false
    var ahead = Ahead.nothing
    // Whether the decoder is not to read on behind the records.
    var stopsBehindRecords = false
    // The column for the names of records, of those that have any.
    var keyColumn: Int?
    // Whether members of objects within records become columns.
    let isFlat: Bool
    // The names of columns by the path of the object that holds them.
    var fields: [String: [String]] = [:]
    var found = JSONMembers()
    var keys = JSONColumns()
    var kernelUse = KernelUse()
    // The place of the next byte, and the payload's offset of the line that it is on.
    var place = JSONScanner.Place()
    var lineStart = 0

    // The columns of the last record, and the number of keys that they were made of.
    var columns = Columns([])
    // The size of the batch before, which the next one is likely to have too.
    private var cellCount = 0
    private var recordCount = 0

    /// Whether records may be arrays: whether anything names their columns.
    var namesColumns: Bool { layout.fields != nil || layout.hasHeaderRow || layout.columns != nil }

    // A batch ends early at so many cells or rejects, however short the records are: memory stays bounded.
    static let maximumCells = 1 << 20
    private static let maximumRejects = 1 << 12

    /// Makes a decoder for a layout.
    public init(_ layout: JSONLayout = JSONLayout()) {
        self.layout = layout
        isFlat = layout.nested == .columns || layout.lifted != nil
        if let lifted = layout.lifted { keys.lifted = Array("\(lifted).".utf8) }
        if let names = layout.columns {
            keys.add(known: names)
            columns = Columns(keys.names)
        }
    }

    /// The scalar members of the objects around the records, and of objects among those, by path: `stat`,
    /// `result.total`.
    ///
    /// Strings are unescaped, numbers as written; an array of strings is joined by line breaks. At most 64 members, of
    /// at most 16 KiB each. Complete when decoding ends, with an error or without.
    public var members: [String: String] { found.texts }

    /// Decodes the whole records of a window: see ``RecordDecoder/decode(_:isLast:)``.
    ///
    /// Throws ``OpenDataError/Code/malformed``, ``OpenDataError/Code/truncated`` and ``OpenDataError/Code/tooLarge``
    /// for a document that breaks the rules, ``OpenDataError/Code/schemaChanged`` for one without records where the
    /// layout says, and ``OpenDataError/Code/emptyBody`` for nothing but white space.
    public mutating func decode(_ batch: inout RecordBatch, isLast: Bool) throws(OpenDataError) -> Int {
        // Local and unique: the scanner reads and the unescaping writes the same bytes.
        // (A slice, because older systems have no span of an array; of a whole array it is the array's own storage.)
        var bytes = batch.bytes[...]
        batch.bytes = []
        defer { batch.bytes = Array(bytes) }
        batch.columns = columns
        batch.cells.reserveCapacity(min(cellCount, bytes.count))
        batch.origins.reserveCapacity(min(recordCount, bytes.count))
        place.index = 0
        place.lineStart = lineStart - batch.byteOffset
        var scanner = JSONScanner(at: place, isLast: isLast)
        defer {
            place = scanner.place
            lineStart = place.lineStart + batch.byteOffset
            (cellCount, recordCount) = (batch.cells.count, batch.count)
        }

        while true {
            takeLikeRecords(&scanner, &bytes, &batch)
            if batch.cells.count >= JSONRecordDecoder.maximumCells { break }
            let start = scanner.place
            let cellCount = batch.cells.count
            do throws(JSONStop) {
                guard try step(&scanner, &bytes, &batch) else { break }
            } catch {
                // What was begun is left for the next window; an error as well, if there are records to hand on first.
                if batch.readCount == 0, let failure = failure(error, scanner.place, bytes.span, batch, isLast: isLast)
                {
                    throw failure
                }
                batch.cells.removeSubrange(cellCount...)
                scanner.place = start
                break
            }
        }
        // A header row without records behind it has its names all the same.
        if batch.readCount == 0 { batch.columns = columns }
        if isLast, scanner.place.index == bytes.count {
            if phase == .start { throw OpenDataError(.emptyBody, "there is nothing but white space") }
            if phase == .end, !hasFoundRecords { throw missingRecords() }
        }
        return scanner.place.index
    }

    /// Reads the next member, record or bracket; false at a place where the batch ends.
    private mutating func step(
        _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>, _ batch: inout RecordBatch
    ) throws(JSONStop) -> Bool {
        if stopsBehindRecords, phase == .members || phase == .end { return false }
        switch phase {
        case .elements, .keyed:
            return try readElement(&scanner, &bytes, &batch)
        case .single:
            guard batch.readCount == 0 else { return false }
            scanner.skipSpace(bytes.span)
            _ = try readRecord(&scanner, &bytes, &batch)
            leaveRecords()
            return false
        case .columns:
            guard batch.readCount == 0 else { return false }
            try readColumns(&scanner, &bytes, &batch)
            leaveRecords()
            return false
        case .sequence:
            scanner.skipSpace(bytes.span)
            if scanner.place.index == bytes.count { return false }
            return try readRecord(&scanner, &bytes, &batch)
        case .members:
            try readMember(&scanner, bytes.span)
        case .start:
            scanner.skipSpace(bytes.span)
            if scanner.place.index == bytes.count { return false }
            try begin(&scanner, bytes.span)
        case .end:
            scanner.skipSpace(bytes.span)
            if scanner.place.index < bytes.count { throw .unexpected(at: scanner.place.index, wanted: .end) }
            return false
        }
        return true
    }

    /// Reads an element of the array of records, or the array's end.
    ///
    /// The element is taken only if what follows is seen to be a comma or the end, so that no record is left behind
    /// when the document is found to be broken right after it. The end is left for a batch of its own, for the same
    /// reason.
    private mutating func readElement(
        _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>, _ batch: inout RecordBatch
    ) throws(JSONStop) -> Bool {
        scanner.skipSpace(bytes.span)
        let next = try scanner.peek(bytes.span)
        let isKeyed = phase == .keyed
        if next == (isKeyed ? UInt8(ascii: "}") : UInt8(ascii: "]")), !isBehindComma {
            guard batch.readCount == 0 else { return false }
            scanner.place.index += 1
            depth -= 1
            leaveRecords()
            return true
        }
        if !isFirst, !isBehindComma {
            try scanner.take(UInt8(ascii: ","), bytes.span, else: isKeyed ? .commaOrBrace : .commaOrBracket)
            scanner.skipSpace(bytes.span)
        }
        if isKeyed {
            let name = try keyCell(&scanner, bytes.span)
            return try readRecord(&scanner, &bytes, &batch, name)
        }
        if kind == .undecided, layout.hasHeaderRow, layout.columns == nil,
            try scanner.peek(bytes.span) == UInt8(ascii: "[")
        {
            try readHeader(&scanner, bytes.span)
            return true
        }
        return try readRecord(&scanner, &bytes, &batch)
    }

    /// Goes on behind the records.
    private mutating func leaveRecords() {
        phase = depth == 0 ? .end : .members
        isFirst = false
        isBehindComma = false
    }

    /// Reads a record, or what stands in the place of one; false if the batch is large enough.
    private mutating func readRecord(
        _ scanner: inout JSONScanner, _ bytes: inout ArraySlice<UInt8>, _ batch: inout RecordBatch, _ name: Cell? = nil
    ) throws(JSONStop) -> Bool {
        let start = scanner.place
        let firstCell = batch.cells.count
        scanner.hasEscapes = false
        var reject: JSONReject?
        var kind = kind
        switch try scanner.peek(bytes.span) {
        case UInt8(ascii: "{") where kind == .objects || kind == .undecided:
            let mayWiden = batch.count == 0 && layout.columns == nil
            var duplicate =
                isFlat
                ? try scanner.flatObject(
                    bytes.span, into: &batch.cells, &keys, layout, mayWiden: mayWiden, depth: depth)
                : try scanner.object(bytes.span, into: &batch.cells, &keys, mayWiden: mayWiden, depth: depth)
            kind = .objects
            if let name, let keyColumn {
                if batch.cells[firstCell + keyColumn].kind != .absent { duplicate = duplicate ?? keyColumn }
                batch.cells[firstCell + keyColumn] = name
                if name.isEscaped { scanner.hasEscapes = true }
            }
            if let duplicate { reject = .duplicate(keys.names[duplicate]) }
        case UInt8(ascii: "[") where namesColumns && name == nil && (kind == .rows || kind == .undecided):
            if kind == .undecided {
                guard let names = layout.columns ?? fields[container] else { throw .schema(.noFields) }
                columns = Columns(layout.hasUniqueNames ? JSONLayout.uniqueNames(names) : names)
            }
            let count = try scanner.row(bytes.span, into: &batch.cells, depth: depth)
            kind = .rows
            if count != columns.count { reject = .count(columns.count, count) }
        case let first
        where first != UInt8(ascii: "{") && first != UInt8(ascii: "[") && phase == .elements
            && (kind == .scalars || kind == .undecided && layout.fields == nil && !layout.hasHeaderRow):
            let cell = try scanner.cell(bytes.span, depth: depth)
            if kind == .undecided { columns = Columns([layout.columns?.first ?? "value"]) }
            batch.cells.append(cell)
            kind = .scalars
        case let first:
            _ = try scanner.skipValue(bytes.span, depth: depth)
            reject = .notARecord(first, phase == .keyed ? .objects : kind, namesColumns: namesColumns)
        }
        let end = scanner.place.index
        if phase == .elements || phase == .keyed {
            let closing = phase == .keyed ? UInt8(ascii: "}") : UInt8(ascii: "]")
            // The comma behind it is read at once, so that a window can end between two records.
            scanner.skipSpace(bytes.span)
            let next = try scanner.peek(bytes.span)
            guard next == UInt8(ascii: ",") || next == closing else {
                throw .unexpected(at: scanner.place.index, wanted: phase == .keyed ? .commaOrBrace : .commaOrBracket)
            }
            // A comma that ends the document is left: not all of that is to be consumed.
            isBehindComma = next == UInt8(ascii: ",") && !(scanner.isLast && scanner.place.index + 1 == bytes.count)
            if isBehindComma { scanner.place.index += 1 }
        } else if phase == .single {
            try lookBehind(&scanner, bytes.span)
        }

        self.kind = kind
        isFirst = false
        if kind == .objects, columns.count != keys.count { columns = Columns(keys.names) }
        if batch.columns.count != columns.count || batch.count == 0 { batch.columns = columns }
        let origin = RecordOrigin(
            record: batch.recordOffset + batch.readCount + 1, line: start.line, byte: batch.byteOffset + start.index)
        if let reject {
            batch.cells.removeSubrange(firstCell...)
            batch.rejects.append(reject.reject(at: origin, bytes.span, start.index..<end))
        } else {
            if scanner.hasEscapes { JSONRecordDecoder.unescape(&batch.cells, from: firstCell, in: &bytes) }
            batch.origins.append(origin)
        }
        return batch.cells.count < JSONRecordDecoder.maximumCells
            && batch.rejects.count < JSONRecordDecoder.maximumRejects
    }

    /// Undoes the escapes of texts and takes the white space out of JSON, in the cells from `first` on.
    static func unescape(_ cells: inout [Cell], from first: Int, in bytes: inout ArraySlice<UInt8>) {
        for number in first..<cells.count where cells[number].isEscaped {
            let cell = cells[number]
            let isText = cell.kind == .text
            let length = isText ? JSONStrings.unescape(&bytes, cell.range) : JSONStrings.minify(&bytes, cell.range)
            // (What is found at or behind the end is no part of the text; its old closing quote is, at the latest.)
            let isPlain = isText && JSONStrings.end(in: bytes.span, from: cell.offset) >= cell.offset + length
            cells[number] = Cell(cell.kind, offset: cell.offset, length: length, quoted: isText, plain: isPlain)
        }
    }
}
