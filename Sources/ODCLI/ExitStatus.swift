import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What the process says when it ends, by the numbers of sysexits.h where there is one.
struct ExitStatus: Sendable, Hashable {
    /// The number.
    let number: Int32
    /// The name in sysexits.h, or what the number is called elsewhere.
    let name: String
    /// When it is given.
    let meaning: String
    /// The failures that end so.
    var codes: [OpenDataError.Code] = []

    static let success = ExitStatus(number: 0, name: "EX_OK", meaning: "all went well")
    static let noData = ExitStatus(
        number: 1, name: "-", meaning: "the publisher has no records for what was asked", codes: [.noData])
    static let usage = ExitStatus(
        number: 64, name: "EX_USAGE", meaning: "the command line is wrong",
        codes: [.badArgument, .unknownDataset, .badAddress])
    static let dataError = ExitStatus(
        number: 65, name: "EX_DATAERR", meaning: "the data are not what they should be, or records were rejected",
        codes: [
            .malformed, .schemaChanged, .unexpectedContent, .invalidText, .rejected, .tooLarge, .valueNotFound,
            .damaged,
        ])
    static let noInput = ExitStatus(
        number: 66, name: "EX_NOINPUT",
        meaning: "the input file cannot be read, or no copy is kept of what is asked for offline",
        codes: [.unreadable, .notCached])
    static let unavailable = ExitStatus(
        number: 69, name: "EX_UNAVAILABLE", meaning: "the host cannot be reached or does not serve the data",
        codes: [.unreachable, .notFound, .httpStatus, .badResponse, .untrusted])
    static let software = ExitStatus(
        number: 70, name: "EX_SOFTWARE", meaning: "a failure that has no status of its own")
    static let cannotCreate = ExitStatus(
        number: 73, name: "EX_CANTCREAT", meaning: "the output file cannot be created", codes: [.unwritable])
    static let inputOutput = ExitStatus(
        number: 74, name: "EX_IOERR", meaning: "the output cannot be written, for example because the disk is full",
        codes: [.unwritable])
    static let tryLater = ExitStatus(
        number: 75, name: "EX_TEMPFAIL", meaning: "try again later: nothing is wrong with the request",
        codes: [.blocked, .rateLimited, .timedOut, .truncated, .emptyBody])
    static let noPermission = ExitStatus(
        number: 77, name: "EX_NOPERM", meaning: "a key is missing, wrong or expired", codes: [.unauthorised])
    static let interrupted = ExitStatus(
        number: 130, name: "SIGINT", meaning: "interrupted by Ctrl-C", codes: [.cancelled])
    static let closedPipe = ExitStatus(
        number: 141, name: "SIGPIPE", meaning: "whoever read the output has stopped, as in '| head -1'; nothing is said"
    )
    static let terminated = ExitStatus(number: 143, name: "SIGTERM", meaning: "told to end")

    /// Every status, by number: what the code uses, help shows and tests compare.
    static let table = [
        success, noData, usage, dataError, noInput, unavailable, software, cannotCreate, inputOutput, tryLater,
        noPermission, interrupted, closedPipe, terminated,
    ]

    /// The status that a failure ends with.
    ///
    /// What is wrong with a saved payload does not mend itself: there is no "later" for it.
    init(_ error: OpenDataError) {
        if error.code == .unwritable, let system = error.underlying as? SystemError {
            let lateFailures = [ENOSPC, EIO, EDQUOT, EFBIG, EBADF]
            self =
                system.isClosedPipe ? .closedPipe : lateFailures.contains(system.number) ? .inputOutput : .cannotCreate
        } else {
            let status = ExitStatus.table.first { $0.codes.contains(error.code) } ?? .software
            let isSaved = error.url?.hasPrefix("file:") == true
            self = isSaved && status == .tryLater ? .dataError : status
        }
    }

    private init(number: Int32, name: String, meaning: String, codes: [OpenDataError.Code] = []) {
        self.number = number
        self.name = name
        self.meaning = meaning
        self.codes = codes
    }
}
