import OpenDataCore
import Testing

@testable import ODCLI

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite("Exit statuses")
struct ExitStatusTests {
    private static let expected: [(OpenDataError.Code, Int32)] = [
        (.noData, 1), (.badArgument, 64), (.unknownDataset, 64), (.badAddress, 64), (.malformed, 65),
        (.schemaChanged, 65), (.unexpectedContent, 65), (.invalidText, 65), (.rejected, 65), (.tooLarge, 65),
        (.valueNotFound, 65), (.damaged, 65), (.unreadable, 66), (.notCached, 66), (.unreachable, 69), (.notFound, 69),
        (.httpStatus, 69),
        (.badResponse, 69), (.untrusted, 69), (.unwritable, 73), (.blocked, 75), (.rateLimited, 75), (.timedOut, 75),
        (.truncated, 75), (.emptyBody, 75), (.unauthorised, 77), (.cancelled, 130),
        (OpenDataError.Code(rawValue: "ofAConnector"), 70),
    ]

    private static let failures: [(Int32, Int32)] = [
        (ENOSPC, 74), (EIO, 74), (EDQUOT, 74), (EFBIG, 74), (ENOENT, 73), (EACCES, 73), (EROFS, 73), (EPIPE, 141),
    ]

    @Test("Every failure has its status", arguments: expected)
    func status(code: OpenDataError.Code, number: Int32) {
        #expect(ExitStatus(OpenDataError(code, "")).number == number)
    }

    @Test(
        "An output that cannot be written is told from one that cannot be created by the system's number",
        arguments: failures)
    func unwritable(failure: Int32, number: Int32) {
        errno = failure
        #expect(ExitStatus(SystemFile.error(.unwritable, "cannot be written", "x")).number == number)
    }

    @Test("The table has every status once, by number, and each code of it leads back to it")
    func table() {
        let numbers = ExitStatus.table.map(\.number)
        #expect(numbers == Set(numbers).sorted())
        let codes = ExitStatus.table.flatMap { status in status.codes.map { ($0, status.number) } }
        for (code, number) in codes where code != .unwritable {
            #expect(ExitStatus(OpenDataError(code, "")).number == number)
        }
        #expect(Set(codes.map(\.0)) == Set(ExitStatusTests.expected.map(\.0).filter { $0.rawValue != "ofAConnector" }))
    }
}
