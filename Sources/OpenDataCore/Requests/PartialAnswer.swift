/// Beneath an ``OpenDataError``: the part of an answer that had arrived when its download ended.
package struct PartialAnswer: Error {
    /// The answer's status and headers.
    package let response: Response
    /// The bytes, from the first on.
    package let body: Payload.Body

    package init(response: Response, body: Payload.Body) {
        self.response = response
        self.body = body
    }
}
