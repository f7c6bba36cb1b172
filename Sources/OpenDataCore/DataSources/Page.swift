/// One payload of several, as ``DataSource/nextRequest(after:_:)`` sees it.
public struct Page: Sendable {
    /// What was requested.
    public var request: Request
    /// What surrounded the records.
    public var preamble: Preamble
    /// How many records it had, rejected ones included.
    public var recordCount: Int

    /// Makes a page.
    public init(request: Request, preamble: Preamble, recordCount: Int) {
        self.request = request
        self.preamble = preamble
        self.recordCount = recordCount
    }
}
