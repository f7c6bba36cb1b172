import OpenDataCore

// Document type declarations: one that says nothing about entities or the values of attributes is passed over.
extension XMLScanner {
    /// Reads a document type declaration from its `<` on.
    ///
    /// Nothing that it names is fetched, and nothing that it declares is expanded: what would have to be is refused.
    mutating func documentType(_ bytes: Span<UInt8>) throws(XMLStop) {
        try take("<!DOCTYPE", bytes)
        try takeSpace(bytes)
        _ = try name(bytes, "the name of the root element")
        var hasSpace = skipSpace(bytes)
        switch try peek(bytes) {
        case UInt8(ascii: "S") where hasSpace:
            try take("SYSTEM", bytes)
            try takeSpace(bytes)
            _ = try quoted(bytes)
            hasSpace = skipSpace(bytes)
        case UInt8(ascii: "P") where hasSpace:
            try take("PUBLIC", bytes)
            try takeSpace(bytes)
            _ = try quoted(bytes)
            try takeSpace(bytes)
            _ = try quoted(bytes)
            hasSpace = skipSpace(bytes)
        default: break
        }
        if try peek(bytes) == UInt8(ascii: "[") {
            index += 1
            try subset(bytes)
            skipSpace(bytes)
        }
        try take(">", bytes)
    }

    /// Reads the declarations between the brackets, and the closing one.
    private mutating func subset(_ bytes: Span<UInt8>) throws(XMLStop) {
        while true {
            skipSpace(bytes)
            switch try peek(bytes) {
            case UInt8(ascii: "]"):
                index += 1
                return
            case UInt8(ascii: "%"):
                throw .broken(at: index, "the document type refers to an entity, which is not expanded")
            case UInt8(ascii: "<"):
                if try byte(bytes, at: index + 1) == UInt8(ascii: "?") {
                    try instruction(bytes)
                } else if try byte(bytes, at: index + 1) == UInt8(ascii: "!"),
                    try byte(bytes, at: index + 2) == UInt8(ascii: "-")
                {
                    try comment(bytes)
                } else {
                    try markupDeclaration(bytes)
                }
            default: throw .unexpected(at: index, wanted: "a declaration or ']' in the document type")
            }
        }
    }

    private mutating func markupDeclaration(_ bytes: Span<UInt8>) throws(XMLStop) {
        let start = index
        try take("<!", bytes)
        _ = try name(bytes, "a declaration of the document type")
        let kind = XMLText.string(bytes, (start + 2)..<index)
        switch kind {
        case "ENTITY":
            throw .broken(at: start, "the document type declares an entity; documents with entities are refused")
        case "ELEMENT", "ATTLIST", "NOTATION": break
        default:
            throw .broken(at: start, "the document type has a declaration '\(kind.prefix(40))', which there is not")
        }
        try takeSpace(bytes)
        while true {
            switch try peek(bytes) {
            case UInt8(ascii: ">"):
                index += 1
                return
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if kind == "ATTLIST" {
                    throw .broken(
                        at: start,
                        "the document type declares the value of attributes that are not written; it is refused")
                }
                _ = try quoted(bytes)
            case UInt8(ascii: "%"), UInt8(ascii: "<"):
                throw .unexpected(at: index, wanted: "'>' of a declaration of the document type")
            default: try character(bytes)
            }
        }
    }
}
