import OpenDataCore

/// What the first bytes of a payload say it is, whatever its name or media type says.
public enum ContentKind: String, Sendable {
    /// Nothing but white space, or an object of JSON without members.
    case blank = "nothing"
    /// An object or array of JSON.
    case json = "JSON"
    /// A page.
    case html = "an HTML page"
    /// Another document of XML.
    case xml = "XML"
    /// A ZIP archive, which spreadsheets are too.
    case zip = "a ZIP archive"
    /// A gzip file.
    case gzip = "a gzip file"
    /// A PDF.
    case pdf = "a PDF"
    /// A document of an office program of before 2007, such as a spreadsheet with the ending `xls`.
    case office = "a spreadsheet or another office document"
    /// A picture.
    case image = "a picture"
    /// Any other text.
    case text = "text"

    /// Looks at the first bytes; a few kilobytes are plenty.
    public init(head: some Collection<UInt8>) {
        // A few kilobytes from the first letter on.
        let lead = head.prefix { $0 == 0x20 || 0x09...0x0D ~= $0 }.count
        let bytes = Array(head.dropFirst(lead).prefix(4096))
        if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: "%PDF".utf8) {
            self = .pdf
        } else if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self = .office
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
            || bytes.starts(with: "GIF8".utf8)
        {
            self = .image
        } else {
            self = ContentKind(text: ContentKind.narrowed(bytes))
        }
    }

    private init(text: [UInt8]) {
        guard let start = text.firstIndex(where: { !($0 == 0x20 || 0x09...0x0D ~= $0) }) else {
            self = .blank
            return
        }
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let rest = text[start...].prefix(64).filter { !($0 == 0x20 || 0x09...0x0D ~= $0) }
            self = rest.elementsEqual("{}".utf8) ? .blank : .json
        case UInt8(ascii: "<"): self = ContentKind.isPage(text[start...]) ? .html : .xml
        default: self = .text
        }
    }

    /// Whether markup is that of a page, by its document type or its first element.
    ///
    /// Other documents have elements called `title` or `table` too, and pages within texts: the first element decides,
    /// and behind an XML declaration only `html` does.
    private static func isPage(_ markup: ArraySlice<UInt8>) -> Bool {
        var rest = String(decoding: markup, as: UTF8.self).lowercased()[...]
        let isDeclared = rest.hasPrefix("<?xml")
        while true {
            rest = rest.drop { $0.isWhitespace }
            if rest.hasPrefix("<!doctype html") { return true }
            guard let end = rest.hasPrefix("<!--") ? "-->" : rest.hasPrefix("<?") || rest.hasPrefix("<!") ? ">" : nil
            else { break }
            while !rest.isEmpty, !rest.hasPrefix(end) { rest.removeFirst() }
            rest = rest.dropFirst(end.count)
        }
        guard rest.first == "<" else { return false }
        let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber }
        if isDeclared { return name == "html" }
        if rest.hasPrefix("<p>") { return true }
        return pageElements.contains(String(name))
    }

    private static let pageElements: Set<String> = [
        "html", "head", "body", "script", "meta", "title", "div", "br", "center", "font", "img", "iframe", "form",
        "noscript", "h1", "h2", "h3", "span",
    ]

    /// Text without its byte order mark; of UTF-16, the low bytes, which do to recognise ASCII.
    private static func narrowed(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes[3...]) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let low = bytes[0] == 0xFF ? 0 : 1
            return stride(from: 2 + low, to: bytes.count, by: 2).map { bytes[$0] }
        }
        return bytes
    }

    /// Whether the first letters of such a payload say something to a person.
    public var isText: Bool {
        switch self {
        case .blank, .json, .html, .xml, .text: true
        case .zip, .gzip, .pdf, .office, .image: false
        }
    }

    /// The first letters of a payload on one line, at most 80, for errors.
    public static func excerpt(of head: [UInt8]) -> String {
        String(decoding: narrowed(head).prefix(400), as: UTF8.self)
            .split {
                $0.isWhitespace || $0 == "\u{FFFD}" || $0.unicodeScalars.contains { VisibleText.isControl($0) }
            }
            .joined(separator: " ").prefix(80).description
    }

    /// Which data were due and what came, for errors: `records were due and an HTML page came: <html>`.
    static func mismatch(_ due: String, _ head: [UInt8]) -> String {
        let kind = ContentKind(head: head)
        let start = kind.isText ? ": \(excerpt(of: head))" : ""
        let advice = kind == .office ? "; look for the same data as CSV, JSON or XML" : ""
        return "\(due) and \(kind.rawValue) came\(start)\(advice)"
    }
}

extension ContentKind {
    /// Why a payload that begins like this cannot be in a format, in words; `nil` if it may be.
    ///
    /// - Parameter format: The registered name of a format, such as `csv`.
    public func contradiction(of format: String) -> String? {
        let isPossible =
            switch (self, format) {
            case (.json, "json"), (.xml, "xml"), (.text, "csv"): true
            // Of delimited text no first cell is known that begins like the other two.
            case (_, "csv"), (_, "json"), (_, "xml"): false
            default: true
            }
        return isPossible ? nil : "\(format.uppercased()) was due and \(rawValue) came"
    }
}
