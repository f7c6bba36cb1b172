import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads documents by the system's parser into trees, and makes of records what the decoder should.
final class XMLReference: NSObject, XMLParserDelegate {
    /// An element with its text, and the elements within.
    final class Element {
        let name: String
        let attributes: [String: String]
        var children: [Element] = []
        var text = ""

        init(_ name: String, _ attributes: [String: String]) {
            (self.name, self.attributes) = (XMLReference.local(name), attributes)
        }

        var hasText: Bool { !text.allSatisfy { " \n\r\t\r\n".contains($0) } }
        var values: [(String, String)] {
            attributes.filter { !$0.key.hasPrefix("xmlns") && !$0.key.hasPrefix("xsi:") }
                .map { ("@" + XMLReference.local($0.key), $0.value) }
        }
    }

    private(set) var root: Element?
    private var open: [Element] = []
    private(set) var hasFailed = false

    static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    // The parser of some systems is not made for several threads.
    private static let lock = NSLock()

    /// The root of a document; `nil` if it is not well-formed.
    static func root(of bytes: [UInt8]) -> Element? {
        lock.lock()
        defer { lock.unlock() }
        let reference = XMLReference()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reference
        let isSound = parser.parse()
        return isSound && parser.parserError == nil && !reference.hasFailed ? reference.root : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        if open.isEmpty { root = element }
        open.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }

    func parser(_ parser: XMLParser, foundCDATA data: Data) { open.last?.text += String(decoding: data, as: UTF8.self) }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) { hasFailed = true }

    // MARK: What records become

    /// The records of a document.
    static func records(of root: Element) -> [[String: String]] {
        root.children.flatMap { child in
            child.name == "r"
                ? [record(child)] : child.name == "g" ? child.children.filter { $0.name == "r" }.map(record) : []
        }
    }

    /// A record as columns with their texts, JSON among them; without the text of its own.
    private static func record(_ element: Element) -> [String: String] {
        var row: [String: String] = [:]
        flatten(element, "", &row)
        return row
    }

    private static func flatten(_ element: Element, _ path: String, _ row: inout [String: String]) {
        for (name, members) in grouped(element.children) {
            let path = path.isEmpty ? name : path + "." + name
            if members.count > 1 {
                row[path] = "[" + members.map(json).joined(separator: ",") + "]"
            } else if members[0].children.isEmpty {
                if members[0].hasText || members[0].values.isEmpty { row[path] = members[0].text }
                for (name, value) in members[0].values { row[path + "." + name] = value }
            } else {
                flatten(members[0], path, &row)
                for (name, value) in members[0].values { row[path + "." + name] = value }
            }
        }
        if path.isEmpty { for (name, value) in element.values { row[name] = value } }
    }

    private static func grouped(_ elements: [Element]) -> [(String, [Element])] {
        var groups: [(String, [Element])] = []
        for element in elements {
            if let index = groups.firstIndex(where: { $0.0 == element.name }) {
                groups[index].1.append(element)
            } else {
                groups.append((element.name, [element]))
            }
        }
        return groups
    }

    private static func json(_ element: Element) -> String {
        let values = element.values.sorted { $0.0 < $1.0 }.map { quoted($0.0) + ":" + quoted($0.1) }
        if element.children.isEmpty {
            if values.isEmpty { return quoted(element.text) }
            return "{"
                + ((element.hasText ? ["\"#text\":" + quoted(element.text)] : []) + values).joined(separator: ",") + "}"
        }
        let members = grouped(element.children).map { name, members in
            quoted(name) + ":"
                + (members.count == 1 ? json(members[0]) : "[" + members.map(json).joined(separator: ",") + "]")
        }
        return "{" + (members + values).joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
