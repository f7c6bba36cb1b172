import OpenDataCore
import OpenDataTransports
import TestSupport

extension Transport {
    /// The error of a request that must fail, or the text of its payload in place of one.
    func failure(_ request: Request) async -> OpenDataError {
        do {
            let payload = try await send(request)
            return OpenDataError(.init(rawValue: "none"), "status \(payload.response.status)")
        } catch { return error }
    }
}

extension Payload {
    /// All bytes of the body.
    func bytes() throws(OpenDataError) -> [UInt8] {
        var bytes: [UInt8] = []
        var source = try open()
        while try source.read(1 << 16, into: &bytes) > 0 {}
        return bytes
    }

    /// The body as text.
    func text() throws(OpenDataError) -> String { String(decoding: try bytes(), as: UTF8.self) }
}

/// A transport whose answers a closure gives, for middlewares.
struct StubTransport: Transport {
    let answer: @Sendable (Request) async throws(OpenDataError) -> Payload

    func send(_ request: Request) async throws(OpenDataError) -> Payload { try await answer(request) }

    static func payload(
        _ request: Request, _ status: Int = 200, _ headers: KeyValuePairs<String, String> = [:], _ body: String = "x"
    ) -> Payload {
        let fields = headers.map { Response.HeaderField($0, $1) }
        return Payload(
            response: Response(status: status, headers: fields, url: request.redactedURL),
            body: .bytes(Array(body.utf8)))
    }
}

/// Short limits for tests that provoke them; the total is long, so that a busy machine does not meet it first.
let impatient = HTTPTransport.Configuration(
    connectTimeout: .seconds(3), idleTimeout: .seconds(3), totalTimeout: .seconds(50))

/// Limits that nothing meets, so that whoever waits for them meets the test's own.
let patient = HTTPTransport.Configuration(
    connectTimeout: .seconds(500), idleTimeout: .seconds(500), totalTimeout: .seconds(500))

/// Waits until a condition holds; what hangs is ended by the test's time limit.
func until(_ condition: () async -> Bool) async throws {
    while await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
