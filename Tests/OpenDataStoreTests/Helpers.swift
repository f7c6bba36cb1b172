import Foundation
import OpenDataCore
import OpenDataStore
import TestSupport
import Testing

/// A store in a folder of its own, which goes with the last reference.
struct Place {
    let folder: TemporaryFolder
    let notices = Guarded<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    var cache: CacheDirectory { CacheDirectory(path: folder.url.path) }
    var snapshots: URL { folder.url.appendingPathComponent("snapshots") }

    /// Another store in the same place, as another process would have it.
    func store() -> SnapshotStore {
        SnapshotStore(cache) { [notices] notice in notices.with { $0.append(notice.message) } }
    }

    /// A middleware of the store.
    func middleware(_ store: SnapshotStore? = nil) -> StoreMiddleware {
        StoreMiddleware(
            store ?? self.store(), onNotice: { [notices] notice in notices.with { $0.append(notice.message) } })
    }

    /// The files below the store's folder, by their paths in it, without those of the index.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: snapshots.path)?.compactMap { $0 as? String } ?? []
        return all.filter { path in
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(
                atPath: snapshots.appendingPathComponent(path).path, isDirectory: &isFolder)
            return !isFolder.boolValue && !path.hasPrefix("index.")
        }.sorted()
    }

    /// The place of a snapshot's bytes.
    func object(_ snapshot: Snapshot) -> URL {
        let hash = snapshot.provenance.sha256
        return snapshots.appendingPathComponent("objects/\(hash.prefix(2))/\(hash.dropFirst(2))")
    }
}

/// A host that sends what it is told to, and counts.
final class Host: Sendable {
    let body: Guarded<String>
    let headers: Guarded<[Response.HeaderField]>
    let failure = Guarded<OpenDataError?>(nil)
    let requests = Guarded<[Request]>([])

    init(_ body: String, headers: [Response.HeaderField] = []) {
        self.body = Guarded(body)
        self.headers = Guarded(headers)
    }

    /// Answers; with 304 where the request names the version that is there.
    func answer(_ request: Request) throws(OpenDataError) -> Payload {
        requests.with { $0.append(request) }
        if let failure = failure.current { throw failure }
        let response = Response(status: 200, headers: headers.current, url: request.redactedURL)
        if let etag = response.header("ETag"), request.headers["If-None-Match"] == etag {
            return Payload(
                response: Response(status: 304, headers: headers.current, url: request.redactedURL), body: .bytes([]))
        }
        return Payload(response: response, body: .bytes(Array(body.current.utf8)))
    }
}

extension StoreMiddleware {
    /// Asks a host through the middleware.
    func send(_ request: Request, to host: Host) async throws(OpenDataError) -> Payload {
        try await send(request) { (request) async throws(OpenDataError) -> Payload in try host.answer(request) }
    }
}

extension Payload {
    /// The body as text.
    func text() throws(OpenDataError) -> String {
        var bytes: [UInt8] = []
        var source = try open()
        while try source.read(1 << 16, into: &bytes) > 0 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A request for a data set.
func request(
    _ url: String = "https://example.tw/a.csv", dataset: String = "test.a", secrets: Set<String> = []
) throws(OpenDataError) -> Request {
    var request = try Request(url, secrets: secrets)
    request.dataset = dataset
    request.connectorVersion = "1"
    return request
}
