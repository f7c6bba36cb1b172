import OpenDataCore

/// A look through a whole document, for the arrays in it and for objects that may be records.
///
/// Reads windows like a decoder; of a long array of objects, the decoder itself reads the most part.
struct JSONFinderSurvey {
    /// What is found, arrays and objects in the order of their ends.
    private(set) var finds: [JSONFinderFind] = []
    /// The document, once it was read.
    private(set) var document: JSONFinderFrame?
    /// Whether the document is objects one after the other.
    private(set) var isSequence = false

    // Whether something was dropped that may have been records.
    private var hasLost = false

    private let wanted: String?
    private let windowSize: Int
    private var frames: [JSONFinderFrame] = []
    private var place = JSONScanner.Place()
    private var lineStart = 0
    // The decoder that reads on in the array, or the sequence, that is open.
    private var decoder: JSONRecordDecoder?

    /// So many objects of an array are looked into; the keys of the others are all that counts.
    private static let maximumObjects = 128
    /// The most arrays that are kept.
    private static let maximumFinds = 2000

    init(wanted: String?, windowSize: Int) {
        (self.wanted, self.windowSize) = (wanted, max(windowSize, 1))
    }

    /// Reads the document to its end.
    ///
    /// Throws what the source throws, and what a decoder throws for a broken document.
    mutating func read(_ source: inout some ByteSource) throws(OpenDataError) {
        var (pending, byteOffset, isAtEnd, size): ([UInt8], Int, Bool, Int) = ([], 0, false, windowSize)
        while true {
            while !isAtEnd, pending.count < size {
                isAtEnd = try source.read(size - pending.count, into: &pending) == 0
            }
            let isDecoding = decoder != nil
            let consumed =
                !isDecoding
                ? try scan(pending, at: byteOffset, isLast: isAtEnd)
                : try decode(&pending, at: byteOffset, isLast: isAtEnd)
            pending.removeFirst(consumed)
            byteOffset += consumed
            if isAtEnd, pending.isEmpty, decoder == nil && frames.isEmpty || isSequence { break }
            if consumed > 0 || isDecoding != (decoder != nil) {
                size = windowSize
            } else {
                guard !isAtEnd, pending.count < RecordReader.maximumRecord else {
                    throw OpenDataError(
                        .tooLarge, "a value has more than \(RecordReader.maximumRecord >> 20) MiB",
                        position: Position(byte: byteOffset))
                }
                size = min(max(pending.count * 2, windowSize), RecordReader.maximumRecord)
            }
        }
        if isSequence, let decoder { take(decoder) }
        if document == nil { throw OpenDataError(.emptyBody, "there is nothing but white space") }
    }

    /// Looks through a window and returns the number of bytes that are done with.
    private mutating func scan(_ window: [UInt8], at byteOffset: Int, isLast: Bool) throws(OpenDataError) -> Int {
        let bytes = window[...]
        place.index = 0
        place.lineStart = lineStart - byteOffset
        var scanner = JSONScanner(at: place, isLast: isLast)
        defer {
            place = scanner.place
            lineStart = place.lineStart + byteOffset
        }
        while decoder == nil {
            let start = scanner.place
            do throws(JSONStop) {
                guard try step(&scanner, bytes.span) else { break }
            } catch {
                if case .schema = error {
                    throw OpenDataError(
                        .unexpectedContent, "the document is a single value, neither an object nor an array")
                }
                var decoder = JSONRecordDecoder()
                decoder.phase = frames.isEmpty ? .start : .members
                let batch = RecordBatch(byteOffset: byteOffset)
                if let failure = decoder.failure(error, scanner.place, bytes.span, batch, isLast: isLast) {
                    throw failure
                }
                scanner.place = start
                break
            }
            try limitFinds()
        }
        return scanner.place.index
    }

    /// Keeps no more than a number of finds: of a path that is wanted, what is at it and beside it.
    private mutating func limitFinds() throws(OpenDataError) {
        guard finds.count > JSONFinderSurvey.maximumFinds || hasLost else { return }
        guard let wanted else {
            throw OpenDataError(
                .tooLarge,
                "there are too many arrays that may be the records, in objects of different kinds; name one with --records "
                    + "PATH")
        }
        hasLost = false
        finds.removeAll { find in
            !find.isWanted && !find.container.isEmpty && !wanted.utf8.starts(with: "\(find.container).".utf8)
        }
        if finds.count > JSONFinderSurvey.maximumFinds { finds.removeAll { !$0.isWanted } }
    }

    /// Has the decoder read on.
    private mutating func decode(_ window: inout [UInt8], at byteOffset: Int, isLast: Bool) throws(OpenDataError) -> Int
    {
        guard var decoder else { return 0 }
        let read = frames.last?.find.count ?? document?.find.count ?? 0
        var batch = RecordBatch(bytes: window, byteOffset: byteOffset, recordOffset: read)
        window = []
        let consumed = try decoder.decode(&batch, isLast: isLast)
        window = batch.bytes
        let isOpen = decoder.phase == .elements || decoder.phase == .sequence
        if isSequence {
            document?.find.count += batch.readCount
        } else {
            frames[frames.count - 1].find.count += batch.readCount
            frames[frames.count - 1].find.others += batch.rejects.count { $0.code == .notARecord }
        }
        self.decoder = decoder
        if !isOpen {
            take(decoder)
            (place, lineStart) = (decoder.place, decoder.lineStart)
            self.decoder = nil
            close()
        }
        return consumed
    }

    /// Takes the keys that the decoder has seen.
    private mutating func take(_ decoder: JSONRecordDecoder) {
        if isSequence {
            document?.keys.add(decoder.keys.names)
        } else {
            frames[frames.count - 1].find.keys.add(decoder.keys.names)
        }
    }

    /// Has a decoder read what comes next, where a record begins.
    private mutating func delegate(_ scanner: JSONScanner, to phase: JSONRecordDecoder.Phase) {
        var decoder = JSONRecordDecoder()
        (decoder.phase, decoder.kind, decoder.isFirst) = (phase, .objects, false)
        (decoder.hasFoundRecords, decoder.stopsBehindRecords) = (true, true)
        decoder.isBehindComma = phase == .elements
        decoder.depth = frames.count
        decoder.place = scanner.place
        decoder.lineStart = scanner.place.lineStart + (lineStart - place.lineStart)
        self.decoder = decoder
    }

    // MARK: Steps

    /// Reads the next member, element or bracket; false at the end of the window.
    private mutating func step(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        scanner.skipSpace(bytes)
        let top = frames.count - 1
        if top < 0 { return try stepOutside(&scanner, bytes) }
        // (No copy of a frame is held while it is changed, which would make copies of all that it has.)
        let (isArray, isFirst) = (frames[top].isArray, frames[top].isFirst)
        if try scanner.peek(bytes) == (isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
            scanner.place.index += 1
            close()
            return true
        }
        if !isFirst {
            try scanner.take(UInt8(ascii: ","), bytes, else: isArray ? .commaOrBracket : .commaOrBrace)
            scanner.skipSpace(bytes)
            // What stands behind a comma is no closing bracket.
            let next = try scanner.peek(bytes)
            if isArray, next == UInt8(ascii: "]") { throw .unexpected(at: scanner.place.index, wanted: .value) }
        }
        if isArray {
            try readElement(&scanner, bytes)
        } else {
            try readMember(&scanner, bytes)
        }
        return true
    }

    private mutating func stepOutside(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        if scanner.place.index == bytes.count { return false }
        let first = bytes[scanner.place.index]
        if let document {
            guard first == UInt8(ascii: "{"), !document.isArray else {
                throw .unexpected(at: scanner.place.index, wanted: .end)
            }
            finds = []
            isSequence = true
            self.document?.find.count = 1
            delegate(scanner, to: .sequence)
            return true
        }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            _ = try scanner.skipValue(bytes, depth: 0)
            throw .schema(.document)
        }
        let isArray = first == UInt8(ascii: "[")
        push(JSONFinderFind(isArray ? "$" : "", in: "", ""), isArray: isArray, &scanner)
        return true
    }

    private mutating func readMember(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        let top = frames.count - 1
        let start = scanner.place.index
        guard try scanner.peek(bytes) == JSONStrings.quote else { throw .unexpected(at: start, wanted: .key) }
        _ = try scanner.string(bytes)
        let end = scanner.place.index - 1
        scanner.skipSpace(bytes)
        try scanner.take(UInt8(ascii: ":"), bytes, else: .colon)
        scanner.skipSpace(bytes)
        let first = try scanner.peek(bytes)
        let isOpening = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let cell = isOpening ? nil : try scanner.cell(bytes, depth: frames.count)
        frames[top].key = JSONStrings.text(bytes, (start + 1)..<end).droppingByteOrderMark
        frames[top].isFirst = false
        guard let cell else {
            guard frames.count < JSONScanner.maximumDepth else { throw .tooDeep(at: scanner.place.index) }
            let (path, key) = (frames[top].find.path, frames[top].key)
            let find = JSONFinderFind(top == 0 ? key : "\(path).\(key)", in: path, key)
            return push(find, isArray: first == UInt8(ascii: "["), &scanner)
        }
        frames[top].take(JSONFinderFrame.text(cell, bytes))
    }

    private mutating func readElement(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        let top = frames.count - 1
        let first = try scanner.peek(bytes)
        let (array, kind, count) = (frames[top].find.path, frames[top].find.kind, frames[top].find.count)
        let path = first == UInt8(ascii: "{") || kind == .objects || wanted != nil ? "\(array)[\(count)]" : ""
        let leadsThrough = wanted != nil && leads(through: path)
        guard frames.count < JSONScanner.maximumDepth || first != UInt8(ascii: "{") && first != UInt8(ascii: "[") else {
            throw .tooDeep(at: scanner.place.index)
        }
        switch first {
        case UInt8(ascii: "{") where kind == .undecided || kind == .objects || leadsThrough:
            if count >= JSONFinderSurvey.maximumObjects, kind == .objects, !frames[top].find.containsTables,
                !leads(through: array)
            {
                return delegate(scanner, to: .elements)
            }
            frames[top].isFirst = false
            if kind == .undecided { frames[top].find.kind = .objects }
            frames[top].find.count += 1
            push(JSONFinderFind(path, in: path, ""), isArray: false, &scanner)
        case UInt8(ascii: "[")
        where leadsThrough || path == wanted || kind == .objects && count < JSONFinderSurvey.maximumObjects:
            frames[top].isFirst = false
            frames[top].find.count += 1
            if kind != .undecided, kind != .rows { frames[top].find.others += 1 }
            push(JSONFinderFind(path, in: array, ""), isArray: true, &scanner)
        case UInt8(ascii: "[") where kind == .undecided || kind == .rows:
            var cells: [Cell] = []
            _ = try scanner.row(bytes, into: &cells, depth: frames.count)
            frames[top].takeRow(cells, bytes)
        case let first
        where first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
            && (kind == .undecided || kind == .scalars):
            frames[top].takeScalar(try scanner.cell(bytes, depth: frames.count), bytes)
        default:
            _ = try scanner.skipValue(bytes, depth: frames.count)
            frames[top].find.count += 1
            frames[top].find.others += 1
            frames[top].find.strings = nil
        }
        frames[top].isFirst = false
    }

    private mutating func push(_ find: JSONFinderFind, isArray: Bool, _ scanner: inout JSONScanner) {
        scanner.place.index += 1
        frames.append(JSONFinderFrame(find, isArray: isArray, firstFind: finds.count))
    }

    // MARK: Ends

    /// Whether the path that is wanted goes through the object or array at another.
    private func leads(through path: String) -> Bool {
        guard let wanted else { return false }
        if path.isEmpty { return wanted != "$" && wanted != "${}" }
        return wanted.utf8.starts(with: "\(path).".utf8) || wanted.utf8.starts(with: "\(path)[".utf8)
    }

    /// Takes what the object or array that ends here is.
    private mutating func close() {
        guard var frame = frames.popLast() else { return }
        if frame.isArray {
            frame.find.isWanted = frame.find.path == wanted
            // Only few objects that stand in no other array may describe columns.
            if frame.find.count > JSONFinderSurvey.maximumObjects || frames.contains(where: \.isArray) {
                frame.find.values = [:]
            }
            if !frame.find.containsTables || frame.find.isWanted { finds.append(frame.find) }
        } else {
            closeObject(&frame)
        }
        guard let top = frames.indices.last else {
            document = frame
            return
        }
        if !frames[top].isArray {
            if frame.isArray { return frames[top].take(nil) }
            frames[top].takeMember(frame)
            // There may be any number of records; what is in them is not kept.
            if frames[top].mayBeKeyed, frames[top].find.count > JSONFinderSurvey.maximumObjects,
                !leads(through: frames[top].find.path)
            {
                frames[top].hasDropped = true
                finds.removeSubrange(frame.firstFind...)
            }
        } else if !frame.isArray {
            closeElement(frame, top)
        }
    }

    private mutating func closeObject(_ frame: inout JSONFinderFrame) {
        let path = frame.find.path
        let inner = frame.firstFind..<finds.count
        let title = frame.texts.first { $0.name == "title" }?.text
        for index in inner where finds[index].container == path {
            if finds[index].title == nil { finds[index].title = title }
            let count = finds[index].count
            if frame.texts.contains(where: { JSONFinderSurvey.isTotal($0.name) && Int($0.text) == count }) {
                finds[index].isCounted = true
            }
        }
        let holdsArrays = finds[inner].contains { $0.hasRecords }
        frame.find.isKeyed = frame.isKeyed(holdsArrays: holdsArrays)
        let label = frames.isEmpty ? "$" : path
        let isWanted = label == wanted || label + "{}" == wanted
        if frame.hasDropped, !frame.find.isKeyed { hasLost = true }
        guard isWanted || frame.mayBeKeyed && !leads(through: path) else { return }
        var find = JSONFinderFind(label, in: frame.find.container, frame.find.name)
        (find.isWanted, find.isKeyed) = (isWanted, frame.find.isKeyed)
        if label + "{}" == wanted || find.isKeyed || !isWanted {
            find.kind = .keyed
            (find.count, find.keys, find.repeating) = (frame.find.count, frame.find.keys, frame.find.repeating)
        } else {
            (find.kind, find.count, find.keys) = (.object, 1, frame.keys)
        }
        if find.isKeyed || isWanted && find.kind == .keyed { finds.removeSubrange(inner) }
        finds.append(find)
    }

    /// Takes an object that is an element: a record, or an object around tables.
    private mutating func closeElement(_ frame: JSONFinderFrame, _ top: Int) {
        let path = frame.find.path
        frames[top].takeElement(frame)
        let inner = finds[frame.firstFind...]
        for find in inner where find.container == path && find.hasRecords {
            frames[top].find.nestedArrays.add(find.name)
        }
        if JSONFinderSurvey.isTable(inner.filter { $0.container == path }) {
            frames[top].find.containsTables = true
            return
        }
        let containers = inner.filter(\.isWanted).map(\.container)
        finds.removeSubrange(frame.firstFind...)
        if !containers.isEmpty { finds += inner.filter { containers.contains($0.container) } }
    }

    /// Whether an object holds rows beside their names, or would if it had any.
    private static func isTable(_ members: [JSONFinderFind]) -> Bool {
        let names = members.filter { $0.strings?.isEmpty == false && $0.kind == .scalars }
        return members.contains { member in
            if member.kind == .rows { return names.contains { $0.count == member.width } }
            return member.count == 0 && ["data", "rows", "records", "aaData"].contains(member.name)
                && names.contains { isFields($0.name) }
        }
    }

    /// Whether a member of that name says how the columns are named.
    static func isFields(_ name: String) -> Bool {
        ["fields", "columns", "header", "headers", "columnnames", "column_names"].contains(name.lowercased())
    }

    /// Whether a member of that name says how many records there are.
    private static func isTotal(_ name: String) -> Bool {
        ["total", "totalcount", "total_count", "count", "totalrecords", "recordcount", "numberreturned"]
            .contains(name.lowercased())
    }
}
