import OpenDataCore

/// Beneath an ``OpenDataError``: the connection was made, and closed without any answer.
struct ClosedWithoutAnswer: Error {}

/// How a transfer has failed, whichever library tells.
struct TransferFailure: Sendable {
    /// What kind of failure it is, if no answer has arrived yet.
    enum Reason: Sendable, Hashable {
        /// The library's own time limit has passed.
        case timedOut
        /// The library cannot make sense of the address.
        case badAddress
        /// There is no host of the name.
        case unknownName
        /// The host cannot be connected to.
        case unreached
        /// The name stands for an address of the local network, and must not; the sentence is the address.
        case local
        /// The host's certificate is not to be trusted, or encryption cannot be agreed on.
        case untrusted
        /// The connection was closed without any answer.
        case silence
        /// The connection was closed within the answer.
        case cutShort
        /// The answer is no HTTP, or breaks its rules.
        case unreadable
    }

    let reason: Reason
    /// The library's sentence.
    let sentence: String

    init(_ reason: Reason, _ sentence: String = "") {
        self.reason = reason
        self.sentence = sentence
    }

    /// The error that a person can act on; `response` is the header, if it has arrived, `announced` its length.
    func error(for request: Request, _ response: Response?, received: Int, of announced: Int?) -> OpenDataError {
        let host = request.host
        let sentence = request.redacting(sentence)
        let proxy = ProxyEnvironment.current.note(for: request)
        func made(_ code: OpenDataError.Code, _ message: String, _ underlying: (any Error)? = nil) -> OpenDataError {
            OpenDataError(
                code, message + proxy, url: request.redactedURL, status: response?.status, underlying: underlying)
        }
        if response != nil, reason != .local {
            switch reason {
            case .timedOut: return made(.timedOut, "\(host) did not answer in time")
            case .unreadable: return made(.badResponse, "the answer of \(host) cannot be read: \(sentence)")
            default:
                let length = announced.map { " of \($0)" } ?? ""
                return made(.truncated, "the connection to \(host) ended after \(received)\(length) bytes")
            }
        }
        switch reason {
        case .timedOut: return made(.timedOut, "\(host) did not answer in time")
        case .badAddress: return made(.badAddress, "'\(request.redactedURL)' cannot be requested: \(sentence)")
        case .unknownName:
            return made(
                .unreachable, "the name \(host) cannot be found; check the address and the network: \(sentence)")
        case .unreached: return made(.unreachable, "\(host) cannot be reached: \(sentence)")
        case .local:
            return made(
                .badResponse,
                "'\(host)', where a redirect or a portal leads, is not asked: the name stands for \(sentence), an address of the local network"
            )
        case .untrusted:
            return made(
                .untrusted,
                "the identity of \(host) cannot be verified: \(sentence). If the authority is one to trust,"
                    + " \(TransferFailure.remedy); verification is never switched off")
        case .silence:
            return made(.unreachable, "\(host) closed the connection without an answer", ClosedWithoutAnswer())
        case .cutShort: return made(.truncated, "\(host) closed the connection within the header of its answer")
        case .unreadable:
            return made(.badResponse, "\(host) did not answer with HTTP that can be read: \(sentence)")
        }
    }

    private static var remedy: String {
        #if canImport(Darwin)
            "add its certificate to the system's keychain"
        #else
            "add its certificate to the system's bundle (/usr/local/share/ca-certificates, then"
                + " update-ca-certificates), or name a file that has it: for this host with --ca-file HOST=FILE"
                + " (caFiles), for all in the variable SSL_CERT_FILE"
        #endif
    }
}
