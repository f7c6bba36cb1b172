#if !canImport(Darwin)
    import OpenDataCore

    /// The status line and header fields of an answer, read from the lines that libcurl passes on.
    ///
    /// Interim answers (103 Early Hints) are skipped; what comes behind the header, such as trailers, is not read.
    struct AnswerHeader {
        /// How many bytes all lines of an answer, interim ones included, may have.
        static let limit = 256 << 10

        /// The status, as soon as the header is complete.
        private(set) var status: Int?
        /// The fields, in order, names and values as received.
        private(set) var fields: [Response.HeaderField] = []
        /// What is wrong with the header; nothing behind it is read.
        private(set) var problem: String?
        /// How many bytes of lines have come.
        private(set) var length = 0

        /// The encodings of the body, in lower case, that have to be undone.
        var encodings: [String] {
            fields.filter { $0.name.lowercased() == "content-encoding" }
                .flatMap { $0.value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) }
                .map(String.init).filter { $0 != "identity" }
        }

        private var current: Int?

        /// Reads the next line, with its end.
        mutating func add(_ line: UnsafeRawBufferPointer) {
            guard status == nil, problem == nil else { return }
            length += line.count
            if length > AnswerHeader.limit { return problem = "the header has more than \(AnswerHeader.limit) bytes" }
            let bytes = unsafe Array(line)
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.utf8.elementsEqual(bytes) else { return problem = "a header field is not text in UTF-8" }
            var rest = text.unicodeScalars[...]
            while rest.last == "\n" || rest.last == "\r" { rest.removeLast() }
            if rest.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
                return problem = "a header field holds a control character"
            }
            if rest.starts(with: "HTTP/".unicodeScalars) {
                begin(Substring(rest))
            } else if current == nil {
                problem = "the answer does not begin with a status"
            } else if rest.isEmpty {
                end()
            } else {
                addField(Substring(rest))
            }
        }

        private mutating func begin(_ line: Substring) {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, words[1].utf8.count == 3, let number = Int(words[1]), number >= 100 else {
                return problem = "'\(line.prefix(60))' is no status"
            }
            current = number
            fields = []
        }

        private mutating func addField(_ line: Substring) {
            if line.first == " " || line.first == "\t" {
                // A value folded into several lines (RFC 9112, 5.2).
                guard let last = fields.indices.last else { return problem = "a folded line has no field before it" }
                return fields[last].value += " " + AnswerHeader.trimmed(line)
            }
            guard let colon = line.firstIndex(of: ":"), HTTPOrder.isName(line[..<colon]) else {
                return problem = "the header field '\(line.prefix(60))' has no name"
            }
            let value = AnswerHeader.trimmed(line[line.index(after: colon)...])
            fields.append(Response.HeaderField(String(line[..<colon]), String(value)))
        }

        private mutating func end() {
            guard let number = current, number >= 200 else { return fields = [] }
            let lengths = Set(fields.filter { $0.name.lowercased() == "content-length" }.map(\.value))
            if lengths.count > 1 { return problem = "the header names several lengths" }
            if let length = lengths.first, Int(length) ?? -1 < 0 {
                return problem = "the length '\(length.prefix(40))' is no number"
            }
            status = number
        }

        private static func trimmed(_ text: Substring) -> Substring {
            var text = text.drop { $0 == " " || $0 == "\t" }
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return text
        }
    }
#endif
