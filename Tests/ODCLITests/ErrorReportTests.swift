import OpenDataCore
import Testing

@testable import ODCLI

@Suite("Errors for people")
struct ErrorReportTests {
    @Test("What went wrong, then every fact, then what to do")
    func everything() {
        let error = OpenDataError(
            .httpStatus, "the host answered 503", dataset: "test.prices", url: "https://example.tw/prices?key=REDACTED",
            status: 503, position: Position(record: 2, line: 3), field: "change")
        let expected = """
            odctl: httpStatus: the host answered 503
              data set:  test.prices
              field:     change
              position:  record 2, line 3
              address:   https://example.tw/prices?key=REDACTED
              status:    HTTP 503
              to do:     wait a while, then try again
            """
        #expect(ErrorReport.text(error, command: "fetch") == expected)
    }

    @Test(
        "What to do goes by the failure",
        arguments: [
            (OpenDataError(.badArgument, ""), "see 'odctl fetch --help'"),
            (OpenDataError(.unknownDataset, ""), "see 'odctl list'"),
            (OpenDataError(.rateLimited, "", retryAfter: .seconds(30)), "wait 30 s, then try again"),
            (OpenDataError(.notFound, "", status: 404), "look for a newer odctl"),
            (OpenDataError(.httpStatus, "", status: 418), "look for a newer odctl"),
            (OpenDataError(.malformed, ""), "the publisher's data are broken"),
            (OpenDataError(.malformed, "", url: "file:x.csv"), "check that these bytes are what the publisher sends"),
            (OpenDataError(.unauthorised, ""), "check the key"), (OpenDataError(.rejected, ""), "--allow-rejects N"),
        ])
    func hint(error: OpenDataError, hint: String) throws {
        let last = try #require(ErrorReport.text(error, command: "fetch").split(separator: "\n").last)
        #expect(last.hasPrefix("  to do:     ") && last.contains(hint))
    }

    @Test("A wrong command leads to the help of the whole, a call-off to nothing")
    func edges() {
        #expect(ErrorReport.text(OpenDataError(.badArgument, "x"), command: "fetsh").hasSuffix("see 'odctl help'"))
        #expect(ErrorReport.text(OpenDataError(.cancelled, "x"), command: "fetch") == "odctl: cancelled: x")
    }

    @Test("Of a saved payload the file is told, not an address")
    func file() {
        let text = ErrorReport.text(OpenDataError(.emptyBody, "x", url: "file:空.csv"), command: "fetch")
        #expect(text.contains("\n  file:      空.csv\n") && !text.contains("address"))
    }
}
