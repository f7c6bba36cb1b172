/// A host's answer, without its body.
public struct Response: Sendable, Hashable {
    /// The HTTP status; 200 for a file.
    public var status: Int
    /// The header fields, in order.
    ///
    /// Names keep the letters they came in; look them up by ``header(_:)``.
    public var headers: [HeaderField]
    /// The address that answered in the end, secrets redacted.
    public var url: String

    /// One header field.
    public struct HeaderField: Sendable, Hashable {
        /// The name, as received.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes an answer.
    public init(status: Int = 200, headers: [HeaderField] = [], url: String) {
        self.status = status
        self.headers = headers
        self.url = url
    }

    /// Makes the answer that a saved file or a sample stands for.
    public init(fileName: String?, url: String) {
        let name = fileName.map { String($0.map { "\"\\".contains($0) ? "_" : $0 }) }
        self.init(
            headers: name.map { [HeaderField("Content-Disposition", "attachment; filename=\"\($0)\"")] } ?? [], url: url
        )
    }

    /// The value of a header field, whatever the letters' case in its name (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The media type without its parameters, in lower case.
    public var mediaType: String? {
        header("Content-Type").map { value in
            value.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        }
    }

    /// The file name of `Content-Disposition` (RFC 6266), `filename*` first.
    ///
    /// The last path component only: a server's file name is a label here, never a path.
    public var fileName: String? {
        guard let disposition = header("Content-Disposition") else { return nil }
        let parameters = ContentDisposition.parameters(of: disposition)
        var name = parameters["filename"]
        if let extended = parameters["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].lowercased() == "utf-8" {
                name = String(decoding: PercentEncoding.decoding(parts[2]), as: UTF8.self)
            }
        }
        guard let last = name?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else { return nil }
        return last.isEmpty || last == "." || last == ".." ? nil : String(last)
    }
}

/// The parameters of a `Content-Disposition` header.
private enum ContentDisposition {
    /// Values by name in lower case; a quoted value without its quotes.
    static func parameters(of text: String) -> [String: String] {
        var parameters: [String: String] = [:]
        var rest = text[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(of: "=") else { break }
            let name = rest[..<equals].lowercased().filter { $0 != " " }
            rest = rest[rest.index(after: equals)...].drop { $0 == " " }
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let letter = rest.popFirst(), letter != "\"" {
                    value.append(letter == "\\" ? rest.popFirst() ?? "\\" : letter)
                }
            } else {
                let token = rest.prefix { $0 != ";" }
                rest = rest[token.endIndex...]
                value = String(token)
                while value.last == " " { value.removeLast() }
            }
            parameters[name] = value
        }
        return parameters
    }
}
