import OpenDataCore

// The objects around the records.
extension JSONRecordDecoder {
    private static let document = "$"

    /// An object or array around the records that is open.
    struct Level {
        /// The path, empty for the document if it is an object.
        let name: String
        /// Whether it is an array, and the index of its next element.
        let isArray: Bool
        var index = 0
    }

    /// The path of the object or array around what comes next.
    var container: String { levels.last?.name ?? "" }

    private func isPath(_ name: String) -> Bool { layout.records.contains { $0.utf8.elementsEqual(name.utf8) } }

    /// Whether a path leads through the object or array at another.
    private func leads(through name: String, _ separator: String) -> Bool {
        layout.records.contains { $0.utf8.starts(with: "\(name)\(separator)".utf8) && !isPath(name + "{}") }
    }

    /// Reads the document's first bracket and decides what the document is.
    mutating func begin(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        let document = JSONRecordDecoder.document
        let isRecords = isPath(document)
        let first = try scanner.peek(bytes)
        switch first {
        case UInt8(ascii: "[") where isRecords && layout.form == .records:
            if layout.fields != nil, layout.columns == nil, try !isArrayOfObjects(&scanner, bytes) {
                throw .schema(.noFields)
            }
            scanner.place.index += 1
            hasFoundRecords = true
            (phase, depth) = (.elements, 1)
        case UInt8(ascii: "[") where leads(through: document, "["):
            open(&scanner, document, isArray: true)
        case UInt8(ascii: "{"):
            if isPath(document + "{}") {
                openKeyed(&scanner)
            } else if isRecords, layout.form != .records {
                hasFoundRecords = true
                phase = layout.form == .record ? .single : .columns
            } else if isRecords, try !isAroundRecords(&scanner, bytes) {
                (phase, hasFoundRecords) = (.sequence, true)
            } else {
                open(&scanner, "", isArray: false)
            }
        default:
            _ = try scanner.skipValue(bytes, depth: 0)
            throw .schema(.document)
        }
    }

    private mutating func open(_ scanner: inout JSONScanner, _ name: String, isArray: Bool) {
        scanner.place.index += 1
        depth += 1
        levels.append(Level(name: name, isArray: isArray))
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
        copy.open(&scanner, "", isArray: false)
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

    /// Reads a member of an object around the records, or an element of an array around them, with the comma before it,
    /// or the closing bracket.
    ///
    /// Of what stands at one of the paths, or on the way to one, only the opening bracket is read.
    mutating func readMember(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) {
        guard let level = levels.last else { return }
        scanner.skipSpace(bytes)
        let closing = level.isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
        if try scanner.peek(bytes) == closing {
            scanner.place.index += 1
            depth -= 1
            isFirst = false
            levels.removeLast()
            if depth == 0 { phase = .end }
            return
        }
        if !isFirst {
            try scanner.take(UInt8(ascii: ","), bytes, else: level.isArray ? .commaOrBracket : .commaOrBrace)
            scanner.skipSpace(bytes)
        }
        if level.isArray {
            let name = "\(level.name)[\(level.index)]"
            try readValue(&scanner, bytes, name, isFields: false)
            return
        }
        let keyStart = scanner.place.index
        guard try scanner.peek(bytes) == JSONStrings.quote else { throw .unexpected(at: keyStart, wanted: .key) }
        _ = try scanner.string(bytes)
        let key = JSONStrings.text(bytes, (keyStart + 1)..<(scanner.place.index - 1)).droppingByteOrderMark
        scanner.skipSpace(bytes)
        try scanner.take(UInt8(ascii: ":"), bytes, else: .colon)
        scanner.skipSpace(bytes)
        let isFields = layout.fields.map { $0.utf8.elementsEqual(key.utf8) } ?? false
        try readValue(&scanner, bytes, levels.count == 1 ? key : "\(level.name).\(key)", isFields: isFields)
    }

    /// Reads the value of a path around the records, or goes into it.
    private mutating func readValue(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, _ name: String, isFields: Bool
    ) throws(JSONStop) {
        let first = try scanner.peek(bytes)
        let isObject = first == UInt8(ascii: "{")
        let isKeyed = isObject && isPath(name + "{}")
        let isOfForm = first == (layout.form == .records ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        let isRecords = isKeyed || isOfForm && isPath(name)
        let parent = levels.count - 1
        if isRecords, ahead == .records {
            hasFoundRecords = true
        } else if isRecords, ahead == .nothing {
            try openRecords(&scanner, bytes, name, isKeyed: isKeyed)
            found.note(name)
            levels[parent].index += 1
        } else if isObject && leads(through: name, ".") || first == UInt8(ascii: "[") && leads(through: name, "[") {
            levels[parent].index += 1
            open(&scanner, name, isArray: !isObject)
            found.note(name)
        } else {
            let start = scanner.place.index
            _ = try scanner.skipValue(bytes, depth: depth)
            let value = bytes.extracting(start..<scanner.place.index)
            if isFields, let names = JSONMembers.strings(of: value) {
                fields[container] = names.map(\.droppingByteOrderMark)
            }
            if first == UInt8(ascii: "n"), isPath(name) || isPath(name + "{}") { hasFoundNull = true }
            if ahead != .records {
                found.note(name)
                found.take(value, as: name)
            }
            isFirst = false
            levels[parent].index += 1
        }
    }

    /// Reads the opening bracket of the records.
    private mutating func openRecords(
        _ scanner: inout JSONScanner, _ bytes: Span<UInt8>, _ name: String, isKeyed: Bool
    ) throws(JSONStop) {
        if !isKeyed, layout.form != .records {
            guard recordsPath == nil else { throw .schema(.secondTable) }
            (recordsPath, hasFoundRecords) = (name, true)
            phase = layout.form == .record ? .single : .columns
            return
        }
        if !isKeyed, layout.fields != nil, layout.columns == nil, fields[container] == nil,
            try !isArrayOfObjects(&scanner, bytes)
        {
            fields[container] = try fieldsAhead(&scanner, bytes)
        }
        let place = scanner.place
        scanner.place.index += 1
        scanner.skipSpace(bytes)
        if try scanner.peek(bytes) != (isKeyed ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            guard recordsPath == nil else { throw .schema(.secondTable) }
            recordsPath = name
        }
        scanner.place = place
        if isKeyed { return openKeyed(&scanner) }
        scanner.place.index += 1
        hasFoundRecords = true
        depth += 1
        (phase, isFirst) = (.elements, true)
    }

    /// Reads the opening bracket of an object whose members are the records.
    private mutating func openKeyed(_ scanner: inout JSONScanner) {
        scanner.place.index += 1
        hasFoundRecords = true
        depth += 1
        (phase, isFirst) = (.keyed, true)
        guard let name = layout.keyColumn else { return }
        keys.add(known: [name])
        columns = Columns(keys.names)
        keyColumn = keys.names.firstIndex { $0.utf8.elementsEqual(name.utf8) }
    }

    /// The names of the columns, which come after the array of rows that begins here.
    ///
    /// If they do not, the members that were passed are kept, since the document is not read on.
    private mutating func fieldsAhead(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) throws(JSONStop) -> [String] {
        let place = scanner.place
        let parent = container
        var copy = self
        (copy.ahead, copy.isFirst) = (.fields, false)
        _ = try scanner.skipValue(bytes, depth: depth)
        while copy.phase == .members, copy.levels.count >= levels.count {
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
    var droppingByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
