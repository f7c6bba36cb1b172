/// A way to get from a request to its payload.
///
/// Conforming: return a payload for a success (status 2xx), throw ``OpenDataError`` for everything else, observe task
/// cancellation with ``OpenDataError/Code/cancelled``, and never hold more than a small part of a body in memory.
public protocol Transport: Sendable {
    /// Sends a request and returns the answer when its body is complete.
    func send(_ request: Request) async throws(OpenDataError) -> Payload
}
