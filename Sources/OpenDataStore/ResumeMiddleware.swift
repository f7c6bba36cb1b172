public import OpenDataCore

/// Goes on with downloads that were interrupted, where the host gave its answer a strong validator.
///
/// What had arrived is kept, and the next request for the same asks for the rest (`Range` with `If-Range`, RFC 9110,
/// 14). An answer other than the rest of the very same version is taken as a new one, and what was kept is forgotten; a
/// host that refuses the range is asked once more without it. What came compressed begins anew: ranges are of the bytes
/// on the way. It stands within the retries, so that each of them goes on where the last one ended.
public struct ResumeMiddleware: TransportMiddleware {
    private let store: SnapshotStore
    private let address: @Sendable (String) -> String
    private let onNotice: Notice.Handler

    /// Makes a middleware; the parameters are those of ``StoreMiddleware``.
    public init(
        _ store: SnapshotStore, address: @escaping @Sendable (String) -> String = { $0 },
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.store = store
        self.address = address
        self.onNotice = onNotice
    }

    /// Passes the request on, for the rest of an answer if the beginning is there, and returns the whole.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        let isMine = request.headers.keys.contains { ["range", "if-range"].contains($0.lowercased()) }
        guard request.cache.keepsDownloads, ["http", "https"].contains(request.scheme), !isMine else {
            return try await next(request)
        }
        let key = RequestIdentity.key(request, address: address(request.urlWithoutUser))
        guard request.cache.mode != .refresh, let partial = store.partial(key), partial.bytes < request.maximumBytes
        else { return try await whole(request, key, next) }
        var asked = request
        asked.headers["Range"] = "bytes=\(partial.bytes)-"
        asked.headers["If-Range"] = partial.etag
        // The range is one of the bytes as they are.
        asked.headers["Accept-Encoding"] = "identity"
        let answer: Payload
        do throws(OpenDataError) {
            answer = try await next(asked)
        } catch {
            if error.status == 416 {
                store.dropPartial(key)
                return try await whole(request, key, next)
            }
            keep(error, after: partial, key)
            throw error
        }
        if answer.response.status == 304 { return answer }
        guard answer.response.status == 206 else {
            store.dropPartial(key)
            return answer
        }
        guard let joined = try join(partial, answer, request) else {
            store.dropPartial(key)
            return try await whole(request, key, next)
        }
        store.dropPartial(key)
        onNotice(
            Notice("\(request.host): the download went on behind the \(partial.bytes) bytes that were there already"))
        return joined
    }

    private func whole(
        _ request: Request, _ key: String, _ next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        do throws(OpenDataError) {
            return try await next(request)
        } catch {
            keep(error, after: nil, key)
            throw error
        }
    }

    private func keep(_ error: OpenDataError, after partial: SnapshotStore.Partial?, _ key: String) {
        guard let answer = error.underlying as? PartialAnswer else { return }
        // Only time is lost where it cannot be kept.
        try? store.keep(answer, after: partial, key: key)
    }

    /// The beginning and the rest as one payload; `nil` unless the rest is of the same version and makes it whole.
    private func join(
        _ partial: SnapshotStore.Partial, _ rest: Payload, _ request: Request
    ) throws(OpenDataError) -> Payload? {
        guard let range = ContentRange(rest.response), range.first == partial.bytes, let total = range.total,
            range.last == total - 1, rest.size == total - partial.bytes,
            SnapshotStore.strongValidator(rest.response) == partial.etag
        else { return nil }
        guard total <= request.maximumBytes else {
            throw OpenDataError(
                .tooLarge,
                "the answer of \(request.host) has \(total) bytes; this request allows \(request.maximumBytes)",
                url: request.redactedURL)
        }
        let file = try TemporaryFile()
        for piece in [partial.body, rest] {
            try piece.forEachPiece { bytes throws(OpenDataError) in try file.append(bytes) }
        }
        var response = rest.response
        response.status = 200
        response.headers.removeAll { ["content-range", "content-length"].contains($0.name.lowercased()) }
        // The rest may leave out what the beginning has said (RFC 9110, 15.3.7).
        for field in partial.response.headers
        where response.header(field.name) == nil && field.name.lowercased() != "transfer-encoding" {
            response.headers.append(field)
        }
        return Payload(response: response, body: .temporary(file))
    }
}
