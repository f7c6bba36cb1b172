extension OpenDataError {
    /// The name of a failure: an extensible identifier, compared by its text.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, such as `schemaChanged`.
        public let rawValue: String

        /// Makes a code; a connector may have codes of its own.
        public init(rawValue: String) { self.rawValue = rawValue }

        // What the caller asked for.

        /// An argument, flag or parameter value is missing, unknown or out of range.
        public static let badArgument = Code(rawValue: "badArgument")
        /// No data set is registered under the id.
        public static let unknownDataset = Code(rawValue: "unknownDataset")
        /// The address is not one that can be requested.
        public static let badAddress = Code(rawValue: "badAddress")

        // The way to the host and back.

        /// The host could not be found or reached.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The connection, the wait for bytes, or the whole request took longer than allowed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The host's certificate chain could not be verified.
        public static let untrusted = Code(rawValue: "untrusted")
        /// The answer is not HTTP, or leads nowhere: a broken header, a redirect loop, a refused redirect.
        public static let badResponse = Code(rawValue: "badResponse")
        /// The host has shut this address out, or answered with the page that precedes it.
        public static let blocked = Code(rawValue: "blocked")
        /// The host asks for fewer requests (429, or 402 where a publisher uses it so).
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The host has nothing at the address (404, 410): it may have moved.
        public static let notFound = Code(rawValue: "notFound")
        /// A key is missing, wrong or expired (401, 403, or a sentence that says so).
        public static let unauthorised = Code(rawValue: "unauthorised")
        /// The host answered with any other status that is not a success.
        public static let httpStatus = Code(rawValue: "httpStatus")
        /// Fewer bytes or an earlier end than announced.
        public static let truncated = Code(rawValue: "truncated")
        /// More bytes than the data set, the record or the nesting may have.
        public static let tooLarge = Code(rawValue: "tooLarge")

        // What came back.

        /// Nothing, or nothing but white space.
        public static let emptyBody = Code(rawValue: "emptyBody")
        /// Another kind of content than asked for: a page, a sentence, an archive.
        public static let unexpectedContent = Code(rawValue: "unexpectedContent")
        /// The publisher says that there are no records for what was asked.
        public static let noData = Code(rawValue: "noData")
        /// Columns or members that the schema needs are not there.
        public static let schemaChanged = Code(rawValue: "schemaChanged")
        /// The bytes break the rules of the format.
        public static let malformed = Code(rawValue: "malformed")
        /// The bytes are not text in the expected encoding.
        public static let invalidText = Code(rawValue: "invalidText")
        /// Records did not fit the schema.
        public static let rejected = Code(rawValue: "rejected")
        /// A row type asked a field for a value that the record does not have.
        public static let valueNotFound = Code(rawValue: "valueNotFound")

        // This machine.

        /// A file could not be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The output could not be written.
        public static let unwritable = Code(rawValue: "unwritable")
        /// No snapshot of an earlier download is kept of what was asked for without a request.
        public static let notCached = Code(rawValue: "notCached")
        /// What is kept of an earlier download is not what was downloaded.
        public static let damaged = Code(rawValue: "damaged")
        /// The work was called off.
        public static let cancelled = Code(rawValue: "cancelled")
    }
}
