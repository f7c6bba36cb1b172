extension OpenDataError {
    /// The stage of the work at which a failure belongs.
    public enum Stage: String, Sendable, Hashable {
        /// The caller's arguments or the address made from them.
        case request
        /// The network between here and the host.
        case connection
        /// An answer that is not usable HTTP.
        case response
        /// An HTTP status that is not a success, or a page that stands for one.
        case status
        /// A payload that could not be decoded or does not fit the schema.
        case decoding
        /// Files and streams of this machine.
        case local
    }

    /// What a caller can sensibly do about a failure.
    public enum Recovery: String, Sendable, Hashable {
        /// Wait, then ask again.
        case retryLater
        /// Change the arguments, the key or the output path.
        case fixRequest
        /// The connector no longer matches what its publisher sends.
        case fixConnector
        /// The publisher's data are broken.
        case reportUpstream
    }

    /// Where the failure belongs: address, connection, response, status, decoding or this machine.
    public var stage: Stage {
        switch code {
        case .badArgument, .unknownDataset, .badAddress: .request
        case .unreachable, .timedOut, .untrusted: .connection
        case .badResponse, .truncated, .emptyBody: .response
        case .blocked, .rateLimited, .notFound, .unauthorised, .httpStatus: .status
        case .unreadable, .unwritable, .cancelled, .notCached, .damaged: .local
        default: .decoding
        }
    }

    /// What to do about the failure.
    public var recovery: Recovery {
        switch code {
        case .badArgument, .unknownDataset, .badAddress, .unauthorised, .noData, .unreadable, .unwritable, .untrusted,
            .notCached,
            .damaged:
            .fixRequest
        case .unreachable, .timedOut, .blocked, .rateLimited, .truncated, .emptyBody, .cancelled: .retryLater
        case .httpStatus: (status ?? 0) >= 500 ? .retryLater : .fixConnector
        case .schemaChanged, .notFound, .unexpectedContent, .badResponse, .tooLarge, .valueNotFound: .fixConnector
        default: .reportUpstream
        }
    }
}
