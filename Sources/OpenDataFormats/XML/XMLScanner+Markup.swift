import OpenDataCore

// Tags, and what stands between `<!` or `<?` and its end.
extension XMLScanner {
    /// Reads a start tag or the tag of an empty element, from its `<` on, and adds its attributes.
    mutating func startTag(_ bytes: Span<UInt8>) throws(XMLStop) -> Tag {
        index += 1
        let start = index
        let local = try name(bytes, "the name of an element, or '&lt;' in place of '<'")
        var tag = Tag(name: start..<index, local: local, isEmpty: false)
        let first = attributes.count
        while true {
            let hasSpace = skipSpace(bytes)
            switch try peek(bytes) {
            case UInt8(ascii: ">"):
                index += 1
            case UInt8(ascii: "/"):
                guard try byte(bytes, at: index + 1) == UInt8(ascii: ">") else {
                    throw .unexpected(at: index + 1, wanted: "'>' behind '/'")
                }
                tag.isEmpty = true
                index += 2
            default:
                guard hasSpace else { throw .unexpected(at: index, wanted: "white space, '/>' or '>' in a tag") }
                guard attributes.count - first < XMLScanner.maximumAttributes else {
                    throw .tooMany(at: index, "a tag has more than \(XMLScanner.maximumAttributes) attributes")
                }
                attributes.append(try attribute(bytes))
                continue
            }
            try checkUnique(bytes, first)
            return tag
        }
    }

    private mutating func attribute(_ bytes: Span<UInt8>) throws(XMLStop) -> Attribute {
        let start = index
        let local = try name(bytes, "the name of an attribute, '/>' or '>'")
        let name = start..<index
        skipSpace(bytes)
        guard try peek(bytes) == UInt8(ascii: "=") else {
            throw .unexpected(at: index, wanted: "'=' behind the name of an attribute")
        }
        index += 1
        skipSpace(bytes)
        let quote = try peek(bytes)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .unexpected(at: index, wanted: "the value of an attribute in quotes")
        }
        index += 1
        let valueStart = index
        var isPlain = true
        while true {
            let byte = try peek(bytes)
            switch byte {
            case quote:
                let value = valueStart..<index
                index += 1
                return Attribute(name: name, local: local, value: value, isPlain: isPlain)
            case UInt8(ascii: "<"):
                throw .broken(at: index, "'<' stands in the value of an attribute, where it has to be '&lt;'")
            case UInt8(ascii: "&"):
                _ = try reference(bytes)
                isPlain = false
            case ..<0x20, 0xEF:
                if byte < 0x20 { isPlain = false }
                try character(bytes)
            default: index += 1
            }
        }
    }

    /// Throws if two attributes from `first` on have the same name.
    private func checkUnique(_ bytes: Span<UInt8>, _ first: Int) throws(XMLStop) {
        let count = attributes.count - first
        if count < 2 { return }
        if count > 16 {
            var names: Set<[UInt8]> = []
            for attribute in attributes[first...] where !names.insert(XMLText.copy(bytes, attribute.name)).inserted {
                throw duplicate(bytes, attribute)
            }
            return
        }
        for later in (first + 1)..<attributes.count {
            for earlier in first..<later
            where XMLText.areEqual(bytes, attributes[earlier].name, bytes, attributes[later].name) {
                throw duplicate(bytes, attributes[later])
            }
        }
    }

    private func duplicate(_ bytes: Span<UInt8>, _ attribute: Attribute) -> XMLStop {
        .broken(
            at: attribute.name.lowerBound, "a tag has the attribute '\(XMLText.string(bytes, attribute.name))' twice")
    }

    /// Reads an end tag from its `<` on and returns its name.
    mutating func endTag(_ bytes: Span<UInt8>) throws(XMLStop) -> Range<Int> {
        index += 2
        let start = index
        _ = try name(bytes, "the name of an element")
        let name = start..<index
        skipSpace(bytes)
        guard try peek(bytes) == UInt8(ascii: ">") else { throw .unexpected(at: index, wanted: "'>' of an end tag") }
        index += 1
        return name
    }

    /// Reads a comment from its `<` on.
    mutating func comment(_ bytes: Span<UInt8>) throws(XMLStop) {
        try take("<!--", bytes)
        while true {
            if try peek(bytes) == UInt8(ascii: "-"), try byte(bytes, at: index + 1) == UInt8(ascii: "-") {
                guard try byte(bytes, at: index + 2) == UInt8(ascii: ">") else {
                    throw .broken(at: index, "'--' stands in a comment")
                }
                index += 3
                return
            }
            try character(bytes)
        }
    }

    /// Reads a CDATA section from its `<` on and returns its characters.
    mutating func section(_ bytes: Span<UInt8>) throws(XMLStop) -> Range<Int> {
        try take("<![CDATA[", bytes)
        let start = index
        while true {
            if try peek(bytes) == UInt8(ascii: "]"), try byte(bytes, at: index + 1) == UInt8(ascii: "]"),
                try byte(bytes, at: index + 2) == UInt8(ascii: ">")
            {
                let range = start..<index
                index += 3
                return range
            }
            try character(bytes)
        }
    }

    /// Reads a processing instruction from its `<` on.
    mutating func instruction(_ bytes: Span<UInt8>) throws(XMLStop) {
        let start = index
        index += 2
        let local = try name(bytes, "the name of a processing instruction")
        if local != start + 2 { throw .broken(at: local - 1, "the name of a processing instruction has a colon") }
        if XMLText.string(bytes, (start + 2)..<index).lowercased() == "xml" {
            throw .broken(at: start, "an XML declaration stands elsewhere than at the start of the document")
        }
        if try !isAt("?>", bytes) { try takeSpace(bytes) }
        while try !isAt("?>", bytes) { try character(bytes) }
        index += 2
    }

    /// Reads the XML declaration, from its `<` on.
    mutating func declaration(_ bytes: Span<UInt8>) throws(XMLStop) {
        try take("<?xml", bytes)
        try takeSpace(bytes)
        try take("version", bytes)
        let version = try literal(bytes)
        guard XMLText.string(bytes, version).wholeMatch(prefix: "1.", rest: { "0"..."9" ~= $0 }) else {
            throw .broken(at: version.lowerBound, "the version is not 1.0")
        }
        var hasSpace = skipSpace(bytes)
        if try peek(bytes) == UInt8(ascii: "e"), hasSpace {
            try take("encoding", bytes)
            let encoding = try literal(bytes)
            let name = XMLText.string(bytes, encoding)
            guard let first = name.first, first.isLetter,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) })
            else { throw .broken(at: encoding.lowerBound, "the declared encoding has no name that one can have") }
            hasSpace = skipSpace(bytes)
        }
        if try peek(bytes) == UInt8(ascii: "s"), hasSpace {
            try take("standalone", bytes)
            let standalone = try literal(bytes)
            guard ["yes", "no"].contains(XMLText.string(bytes, standalone)) else {
                throw .broken(at: standalone.lowerBound, "standalone is neither yes nor no")
            }
            skipSpace(bytes)
        }
        try take("?>", bytes)
    }

    /// Reads an equals sign, with white space around it or without, and a value in quotes.
    private mutating func literal(_ bytes: Span<UInt8>) throws(XMLStop) -> Range<Int> {
        skipSpace(bytes)
        try take("=", bytes)
        skipSpace(bytes)
        return try quoted(bytes)
    }

    /// Reads a text in quotes, in which nothing is undone.
    mutating func quoted(_ bytes: Span<UInt8>) throws(XMLStop) -> Range<Int> {
        let quote = try peek(bytes)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .unexpected(at: index, wanted: "a text in quotes")
        }
        index += 1
        let start = index
        while try peek(bytes) != quote { try character(bytes) }
        index += 1
        return start..<(index - 1)
    }
}

extension String {
    /// Whether the text is a prefix and then at least one character, all of which fit.
    fileprivate func wholeMatch(prefix: String, rest: (Character) -> Bool) -> Bool {
        hasPrefix(prefix) && count > prefix.count && dropFirst(prefix.count).allSatisfy(rest)
    }
}
