import OpenDataCore

// The objects around the records.
extension JSONRecordDecoder {
    private static let document = "$"

    /// Reads the document's first bracket and decides what the document is.
    mutating func begin(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        let isRecords = layout.records.contains(JSONRecordDecoder.document)
        let first = try scanner.peek(bytes)
        switch first {
        case UInt8(ascii: "["):
            guard isRecords else { throw .schema(.document) }
            if layout.fields != nil, try !isArrayOfObjects(&scanner, bytes) { throw .schema(.noFields) }
            scanner.place.index += 1
            hasFoundRecords = true
            (phase, depth) = (.elements, 1)
        case UInt8(ascii: "{"):
            if isRecords, try !isAroundRecords(&scanner, bytes) {
                (phase, hasFoundRecords) = (.sequence, true)
            } else {
                open(&scanner)
            }
        default:
            _ = try scanner.skipValue(bytes, depth: 0)
            throw .schema(.document)
        }
    }

    private mutating func open(_ scanner: inout JSONScanner) {
        scanner.place.index += 1
        depth += 1
        (phase, isFirst) = (.members, true)
    }

    /// Whether the object that begins here holds one of the paths.
    ///
    /// Reads on no further than it must to tell.
    private func isAroundRecords(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        guard layout.records.count > 1 else { return false }
        let place = scanner.place
        var copy = self
        copy.ahead = .records
        copy.open(&scanner)
        while copy.phase == .members, !copy.hasFoundRecords, !copy.hasFoundNull {
            try copy.readMember(&scanner, bytes)
        }
        scanner.place = place
        return copy.hasFoundRecords || copy.hasFoundNull
    }

    /// Whether the array that begins here is empty or its first element is an object: rows need no names then.
    private func isArrayOfObjects(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        let place = scanner.place
        scanner.place.index += 1
        scanner.skipSpace(bytes)
        let first = try scanner.peek(bytes)
        scanner.place = place
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "]")
    }

    /// Reads a member of an object around the records with the comma before it, or the object's end.
    ///
    /// Of an array at one of the paths, or an object on the way to one, only the opening bracket is read.
    mutating func readMember(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        scanner.skipSpace(bytes)
        if try scanner.peek(bytes) == UInt8(ascii: "}") {
            scanner.place.index += 1
            depth -= 1
            isFirst = false
            if depth == 0 { phase = .end } else { path.removeLast() }
            return
        }
        if !isFirst {
            try scanner.take(UInt8(ascii: ","), bytes, else: .commaOrBrace)
            scanner.skipSpace(bytes)
        }
        let keyStart = scanner.place.index
        guard try scanner.peek(bytes) == JSONStrings.quote else { throw .unexpected(at: keyStart, wanted: .key) }
        _ = try scanner.string(bytes)
        let key = JSONStrings.text(bytes, (keyStart + 1)..<(scanner.place.index - 1))
        scanner.skipSpace(bytes)
        try scanner.take(UInt8(ascii: ":"), bytes, else: .colon)
        scanner.skipSpace(bytes)

        let name = (path + [key]).joined(separator: ".")
        let first = try scanner.peek(bytes)
        let isPath = layout.records.contains { $0.utf8.elementsEqual(name.utf8) }
        if isPath, first == UInt8(ascii: "["), ahead == .records {
            hasFoundRecords = true
        } else if isPath, first == UInt8(ascii: "["), ahead == .nothing {
            try openRecords(&scanner, bytes, name)
            found.note(name)
        } else if first == UInt8(ascii: "{"), layout.records.contains(where: { $0.utf8.starts(with: "\(name).".utf8) })
        {
            open(&scanner)
            path.append(key)
            found.note(name)
        } else {
            let start = scanner.place.index
            _ = try scanner.skipValue(bytes, depth: depth)
            let value = bytes.extracting(start..<scanner.place.index)
            if key == layout.fields, let names = JSONMembers.strings(of: value) {
                fields[path.joined(separator: ".")] = names.map(\.droppingByteOrderMark)
            }
            if isPath, first == UInt8(ascii: "n") { hasFoundNull = true }
            if ahead != .records {
                found.note(name)
                found.take(value, as: name)
            }
            isFirst = false
        }
    }

    /// Reads the opening bracket of an array of records.
    private mutating func openRecords(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, _ name: String
    ) throws(JSONStop) {
        if layout.fields != nil, fields[path.joined(separator: ".")] == nil, try !isArrayOfObjects(&scanner, bytes) {
            fields[path.joined(separator: ".")] = try fieldsAhead(&scanner, bytes)
        }
        scanner.place.index += 1
        let place = scanner.place
        scanner.skipSpace(bytes)
        if try scanner.peek(bytes) != UInt8(ascii: "]") {
            guard recordsPath == nil else { throw .schema(.secondTable) }
            recordsPath = name
        }
        scanner.place = place
        hasFoundRecords = true
        depth += 1
        (phase, isFirst) = (.elements, true)
    }

    /// The names of the columns, which come after the array of rows that begins here.
    ///
    /// If they do not, the members that were passed are kept, since the document is not read on.
    private mutating func fieldsAhead(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> [String] {
        let place = scanner.place
        let parent = path.joined(separator: ".")
        var copy = self
        (copy.ahead, copy.isFirst) = (.fields, false)
        _ = try scanner.skipValue(bytes, depth: depth)
        while copy.phase == .members, copy.path.count >= path.count {
            try copy.readMember(&scanner, bytes)
            if let names = copy.fields[parent] {
                scanner.place = place
                return names
            }
        }
        found = copy.found
        throw .schema(.noFields)
    }
}

extension String {
    /// The text without a byte order mark at its start.
    fileprivate var droppingByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
