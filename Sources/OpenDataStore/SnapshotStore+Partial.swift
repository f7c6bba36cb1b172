import OpenDataCore

extension SnapshotStore {
    /// The beginning of a download that was interrupted.
    struct Partial: Sendable {
        /// The answer's header, with its strong validator.
        var response: Response
        /// The bytes that had arrived.
        var body: Payload
        /// How many they are.
        var bytes: Int
        /// The version that they are of.
        var etag: String
    }

    /// The fewest bytes that are worth a second look.
    private static let fewest = 4 << 10

    /// A version that tells bytes apart (RFC 9110, 8.8.1), of an answer whose bytes came as they are.
    static func strongValidator(_ response: Response) -> String? {
        guard let etag = response.header("ETag"), etag.hasPrefix("\""), etag.hasSuffix("\""), etag.utf8.count > 2,
            response.header("Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true
        else { return nil }
        return etag
    }

    /// Keeps the beginning of a download, in one file: a line of JSON, then the bytes.
    ///
    /// Does nothing where the host gave no strong validator, or where there is too little of it.
    func keep(_ answer: PartialAnswer, after earlier: Partial?, key: String) throws(OpenDataError) {
        guard let etag = SnapshotStore.strongValidator(answer.response) else { return }
        var pieces: [Payload] = []
        var response = answer.response
        if response.status == 206 {
            // The rest of an earlier beginning, if it begins where that ended.
            guard let earlier, earlier.etag == etag, ContentRange(response)?.first == earlier.bytes else { return }
            pieces.append(earlier.body)
            response = earlier.response
        } else if response.status != 200 {
            return
        }
        pieces.append(Payload(response: response, body: answer.body))
        guard pieces.reduce(0, { $0 + ($1.size ?? 0) }) >= SnapshotStore.fewest else { return }
        // Nothing else is needed, and cookies are secrets.
        let headers = response.headers.filter { Provenance.relevant.contains($0.name.lowercased()) }
        let head = JSONText.object([
            ("url", .string(response.url)), ("status", .integer(response.status)),
            ("headers", .array(headers.map { .strings([$0.name, $0.value]) })),
        ])
        let line = head.document.split(separator: "\n").joined(separator: " ") + "\n"
        let folder = try withIndex(writes: true) { _, folder in folder }
        let path = folder.newIncoming()
        do throws(OpenDataError) {
            let file = try SystemFile(creating: path, permissions: 0o600)
            try file.write(Array(line.utf8))
            for piece in pieces {
                try piece.forEachPiece { bytes throws(OpenDataError) in try file.write(bytes) }
            }
            try StoreFolder.move(path, to: partialPath(key))
        } catch {
            StoreFolder.remove(path)
            throw error
        }
    }

    /// The beginning of a download that is kept of a request, if one is.
    func partial(_ key: String) -> Partial? {
        guard exists, let file = try? SystemFile(reading: partialPath(key)), let length = file.length else {
            return nil
        }
        var start: [UInt8] = []
        guard (try? file.read(64 << 10, at: 0, into: &start)) != nil,
            let end = start.firstIndex(of: UInt8(ascii: "\n")),
            let head = JSONText(parsing: String(decoding: start[..<end], as: UTF8.self)),
            let url = head["url"]?.text, let status = head["status"]?.number, let fields = head["headers"]?.elements
        else { return nil }
        let headers = fields.compactMap { field -> Response.HeaderField? in
            guard let parts = field.elements, parts.count == 2, let name = parts[0].text, let value = parts[1].text
            else { return nil }
            return Response.HeaderField(name, value)
        }
        let response = Response(status: status, headers: headers, url: url)
        let bytes = length - end - 1
        guard bytes > 0, let etag = SnapshotStore.strongValidator(response),
            let body = try? SnapshotStore.copy(file, from: end + 1)
        else { return nil }
        return Partial(
            response: response, body: Payload(response: response, body: .temporary(body)), bytes: bytes, etag: etag)
    }

    /// Forgets the beginning of a download.
    func dropPartial(_ key: String) { StoreFolder.remove(partialPath(key)) }

    private func partialPath(_ key: String) -> String { StoreFolder(path: path).partial + "/" + key }

    /// A temporary file with the bytes from an offset on.
    private static func copy(_ file: SystemFile, from start: Int) throws(OpenDataError) -> TemporaryFile {
        let result = try TemporaryFile()
        var offset = start
        while true {
            var buffer: [UInt8] = []
            let count = try file.read(1 << 20, at: offset, into: &buffer)
            if count == 0 { return result }
            try result.append(buffer)
            offset += count
        }
    }
}

/// What a `Content-Range` header says (RFC 9110, 14.4): `bytes 100-199/200`.
struct ContentRange: Sendable, Hashable {
    /// The offset of the first byte.
    let first: Int
    /// The offset of the last byte.
    let last: Int
    /// The length of the whole, if it is known.
    let total: Int?

    /// Reads the header of an answer; `nil` without one that makes sense.
    init?(_ response: Response) {
        guard let text = response.header("Content-Range") else { return nil }
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/")
        let ends = (parts.first ?? "").split(separator: "-").map { Int($0) }
        guard parts.count == 2, ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last
        else { return nil }
        let total = Int(parts[1])
        guard parts[1] == "*" || total.map({ $0 > last }) ?? false else { return nil }
        self.first = first
        self.last = last
        self.total = total
    }
}
