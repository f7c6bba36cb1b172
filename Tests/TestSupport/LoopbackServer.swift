import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A small HTTP server on 127.0.0.1 whose answers are raw bytes, so that it can misbehave.
///
/// ```swift
/// let server = try LoopbackServer { request, connection in connection.send("HTTP/1.1 200 OK\r\n\r\nbody") }
/// ```
/// One request a connection, which is closed when the handler returns. The server stops with its last reference.
public final class LoopbackServer: Sendable {
    /// A request as far as it was read: the header.
    public struct Request: Sendable {
        /// GET and the like.
        public var method: String
        /// The path and query as sent.
        public var target: String
        /// The header fields, names in lower case.
        public var headers: [String: String]
    }

    /// Answers a request, on a thread of its own.
    public typealias Handler = @Sendable (Request, Connection) -> Void

    private let port: UInt16
    private let seen = Guarded<[Request]>([])
    private let isStopped = Guarded(false)

    /// Starts listening on a free port.
    public init(_ handler: @escaping Handler) throws {
        let listener = try Socket.listen()
        port = listener.port
        let (seen, isStopped) = (seen, isStopped)
        Thread.detachNewThread {
            while !isStopped.current {
                guard let descriptor = Socket.accept(listener.descriptor, milliseconds: 50) else { continue }
                Thread.detachNewThread {
                    let connection = Connection(descriptor, isStopped)
                    guard let request = connection.readRequest() else { return }
                    seen.with { $0.append(request) }
                    handler(request, connection)
                }
            }
            _ = close(listener.descriptor)
        }
    }

    deinit { stop() }

    /// `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The requests that have come in so far.
    public var requests: [Request] { seen.current }

    /// Stops listening and ends the waits of handlers.
    public func stop() { isStopped.with { $0 = true } }
}

extension LoopbackServer {
    /// One client's connection; closed with its last reference.
    public final class Connection: Sendable {
        private let descriptor: Int32
        private let isStopped: Guarded<Bool>

        init(_ descriptor: Int32, _ isStopped: Guarded<Bool>) {
            self.descriptor = descriptor
            self.isStopped = isStopped
        }

        deinit { _ = close(descriptor) }

        /// Sends bytes; `false` if the client has gone.
        @discardableResult
        public func send(_ bytes: [UInt8]) -> Bool { Socket.send(bytes, to: descriptor) }

        /// Sends a text.
        @discardableResult
        public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// Sends a whole answer with its `Content-Length`.
        public func answer(_ status: Int = 200, headers: [String: String] = [:], body: String = "") {
            let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
            send("HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Waits; ends early if the client hangs up or the server stops, and says whether the client is still there.
        @discardableResult
        public func wait(seconds: Double) -> Bool {
            let end = Date(timeIntervalSinceNow: seconds)
            while Date() < end, !isStopped.current {
                if Socket.isClosed(descriptor, milliseconds: 20) { return false }
            }
            return true
        }

        /// Reads the next request on the same connection, up to the end of its header; `nil` if none comes.
        public func readRequest() -> Request? {
            guard let text = Socket.readHeader(descriptor) else { return nil }
            let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
            let words = (lines.first ?? "").split(separator: " ")
            guard words.count >= 2 else { return nil }
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...]
                headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
            }
            return Request(method: String(words[0]), target: String(words[1]), headers: headers)
        }
    }
}
