public import OpenDataCore

/// Keeps every answer as a snapshot, and asks hosts only for what has changed since the last one.
///
/// What may be used in place of an answer is for ``Request/cache`` and ``Request/freshness`` to say. A host that is
/// asked gets the validators of the newest snapshot (RFC 9110, 13); its 304 stands for that snapshot. What cannot be
/// kept, because the disk is full or can only be read, is handed on all the same, and a notice says so.
///
/// It stands within the coalescing of identical requests, so that the same answer is not kept twice, and without the
/// retries, so that what is judged, kept or replaced is the outcome of all attempts.
public struct StoreMiddleware: TransportMiddleware {
    private let store: SnapshotStore
    private let address: @Sendable (String) -> String
    private let onNotice: Notice.Handler
    private let now: @Sendable () -> Int

    /// Makes a middleware.
    /// - Parameters:
    ///   - store: Where snapshots are kept.
    ///   - address: The address that is asked in place of a published one: what a mirror sends is kept apart.
    ///   - onNotice: Hears what a snapshot is used for, and of what cannot be kept.
    public init(
        _ store: SnapshotStore, address: @escaping @Sendable (String) -> String = { $0 },
        onNotice: @escaping Notice.Handler = { _ in }
    ) {
        self.init(store, address: address, onNotice: onNotice, now: StoreFolder.now)
    }

    init(
        _ store: SnapshotStore, address: @escaping @Sendable (String) -> String, onNotice: @escaping Notice.Handler,
        now: @escaping @Sendable () -> Int
    ) {
        self.store = store
        self.address = address
        self.onNotice = onNotice
        self.now = now
    }

    /// Answers with a snapshot, or passes the request on and keeps the answer.
    ///
    /// Throws ``OpenDataError/Code/notCached`` where only a snapshot may be used and there is none.
    public func send(
        _ request: Request, next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        guard ["http", "https"].contains(request.scheme) else { return try await next(request) }
        let key = RequestIdentity.key(request, address: address(request.urlWithoutUser))
        switch request.cache.mode {
        case .offline: return try kept(request, key, asOf: nil)
        case .asOf(let time): return try kept(request, key, asOf: time)
        case .standard, .refresh: break
        }
        // Who asks conditionally wants to see the host's own answer.
        guard !request.headers.keys.contains(where: { $0.lowercased().hasPrefix("if-") }) else {
            return try await next(request)
        }
        let last = usable(key, request)
        if request.cache.mode == .standard, let last, isCurrent(last.snapshot, request) {
            onNotice(
                Notice("\(name(request)): the copy of \(shown(last.snapshot)) is still current; --refresh asks again"))
            return handedOut(last, .current)
        }
        return try await ask(request, key, last, next)
    }

    // MARK: The host

    private typealias Last = (snapshot: Snapshot, payload: Payload)

    private func ask(
        _ request: Request, _ key: String, _ last: Last?,
        _ next: @Sendable (Request) async throws(OpenDataError) -> Payload
    ) async throws(OpenDataError) -> Payload {
        var asked = request
        if request.cache.mode == .standard, let response = last?.payload.response {
            if let etag = response.header("ETag") { asked.headers["If-None-Match"] = etag }
            if let modified = response.header("Last-Modified") { asked.headers["If-Modified-Since"] = modified }
        }
        let start = now()
        let payload: Payload
        do throws(OpenDataError) {
            payload = try await next(asked)
        } catch {
            guard request.cache.useStaleIfHostFails, error.recovery == .retryLater, error.code != .cancelled, let last
            else { throw error }
            onNotice(
                Notice(
                    "\(name(request)): \(error.message); the copy of \(shown(last.snapshot)) stands in, which may be"
                        + " out of date"))
            return handedOut(last, .stale)
        }
        if payload.response.status == 304 {
            guard let last else {
                throw OpenDataError(
                    .badResponse, "\(request.host) says that nothing has changed, though it was not asked so",
                    url: request.redactedURL, status: 304)
            }
            return unchanged(last, payload.response)
        }
        return kept(payload, request, key, start)
    }

    /// The snapshot that a 304 stands for, with its time noted.
    private func unchanged(_ last: Last, _ response: Response) -> Payload {
        var last = last
        let time = DateTime(millisecondsSince1970: now())
        last.snapshot.provenance.revalidated = time
        do throws(OpenDataError) {
            try store.change(last.snapshot.name) { snapshot in snapshot.provenance.revalidated = time }
        } catch {
            onNotice(Notice("that the copy is still current could not be noted: \(error.message)"))
        }
        return handedOut(last, .unchanged)
    }

    /// The answer, kept if it can be and may be.
    private func kept(_ payload: Payload, _ request: Request, _ key: String, _ start: Int) -> Payload {
        let mirror = address(request.urlWithoutUser)
        let end = now()
        func describe(_ bytes: Int, _ sha256: String) -> Provenance {
            let (requested, fetched) = (DateTime(millisecondsSince1970: start), DateTime(millisecondsSince1970: end))
            return Provenance(
                dataset: request.dataset, connectorVersion: request.connectorVersion, url: request.redactedURL,
                mirror: mirror == request.urlWithoutUser ? nil : RequestIdentity.redacted(mirror, like: request),
                response: payload.response, requested: requested ?? .epoch, fetched: fetched ?? .epoch, bytes: bytes,
                sha256: sha256)
        }
        guard request.cache.keepsDownloads else {
            return (try? withProvenance(payload, describe)) ?? payload
        }
        do throws(OpenDataError) {
            let snapshot = try store.save(payload, key: key, describe: describe)
            var copy = payload
            copy.provenance = snapshot.provenance
            copy.provenance?.origin = .downloaded
            return copy
        } catch {
            onNotice(Notice("the download of \(name(request)) is not kept: \(error.message)"))
            return (try? withProvenance(payload, describe)) ?? payload
        }
    }

    /// The payload with its record, although nothing is kept.
    private func withProvenance(
        _ payload: Payload, _ describe: (Int, String) -> Provenance
    ) throws(OpenDataError) -> Payload {
        var (hash, bytes) = (SHA256(), 0)
        try payload.forEachPiece { piece in
            hash.update(piece)
            bytes += piece.count
        }
        var copy = payload
        copy.provenance = describe(bytes, hash.hex())
        return copy
    }

    // MARK: Snapshots

    /// The newest snapshot of a request with its bytes proved; `nil` if there is none, whatever the reason.
    private func usable(_ key: String, _ request: Request) -> Last? {
        do throws(OpenDataError) {
            while let snapshot = try store.newest(key), snapshot.provenance.bytes <= request.maximumBytes {
                do throws(OpenDataError) {
                    return (snapshot, try store.payload(of: snapshot))
                } catch {
                    guard error.code == .damaged else { throw error }
                    onNotice(Notice("\(error.message); it is put aside"))
                    try store.discard(snapshot)
                }
            }
        } catch {
            // What cannot be read cannot be written either; keeping the answer will say so.
        }
        return nil
    }

    private func kept(_ request: Request, _ key: String, asOf time: DateTime?) throws(OpenDataError) -> Payload {
        guard let snapshot = try store.newest(key, asOf: time?.millisecondsSince1970 ?? .max) else {
            let when = time.map { " that was downloaded by \($0)" } ?? ""
            let remedy =
                time == nil
                ? "fetch it once without --offline" : "'odctl history \(name(request))' shows which are"
            throw OpenDataError(
                .notCached, "no copy of this\(when) is kept; \(remedy)", dataset: request.dataset,
                url: request.redactedURL)
        }
        guard snapshot.provenance.bytes <= request.maximumBytes else {
            throw OpenDataError(
                .tooLarge,
                "the copy has \(snapshot.provenance.bytes) bytes; this request allows \(request.maximumBytes)",
                dataset: request.dataset, url: request.redactedURL)
        }
        let payload = try store.payload(of: snapshot)
        onNotice(Notice("\(name(request)): the copy of \(shown(snapshot)) is used"))
        return handedOut((snapshot, payload), .snapshot)
    }

    private func handedOut(_ last: Last, _ origin: Provenance.Origin) -> Payload {
        var payload = last.payload
        payload.provenance = last.snapshot.provenance
        payload.provenance?.origin = origin
        return payload
    }

    private func isCurrent(_ snapshot: Snapshot, _ request: Request) -> Bool {
        guard snapshot.isUsable == true else { return false }
        let freshness = request.cache.maximumAge.map { Freshness.age($0) } ?? request.freshness
        return freshness.covers(from: snapshot.seen, to: now())
    }

    private func name(_ request: Request) -> String { request.dataset ?? request.host }

    private func shown(_ snapshot: Snapshot) -> String {
        let time = snapshot.provenance.fetched.millisecondsSince1970
        return DateTime(millisecondsSince1970: time / 1000 * 1000, zone: .taipei)?.description ?? "an unknown time"
    }
}

extension DateTime {
    /// The start of 1970, for clocks that are beyond all reason.
    static let epoch: DateTime = {
        guard let time = DateTime(millisecondsSince1970: 0) else { preconditionFailure("1970 is a year") }
        return time
    }()
}
