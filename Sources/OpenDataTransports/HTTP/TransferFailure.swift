import Foundation
import OpenDataCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Beneath an ``OpenDataError``: the connection was made, and closed without any answer.
struct ClosedWithoutAnswer: Error {}

/// Turns what URLSession reports into an ``OpenDataError`` that a person can act on.
///
/// On Linux most failures share one code and differ in libcurl's sentence, so that sentence is looked at too.
struct TransferFailure {
    let request: Request

    private var host: String { request.host }
    private var proxy: String { ProxyEnvironment.current.note(for: request) }

    func noAnswer() -> OpenDataError {
        OpenDataError(
            .unreachable, "\(host) closed the connection without an answer\(proxy)", url: request.redactedURL,
            underlying: ClosedWithoutAnswer())
    }

    func truncated(_ response: Response, announced: Int?, received: Int) -> OpenDataError {
        let length = announced.map { " of \($0)" } ?? ""
        return OpenDataError(
            .truncated, "the connection to \(host) ended after \(received)\(length) bytes\(proxy)",
            url: request.redactedURL, status: response.status)
    }

    func error(for error: any Error, response: Response?, announced: Int?, received: Int) -> OpenDataError {
        let number = (error as NSError).code
        let sentence = error.localizedDescription
        let text = sentence.lowercased()
        func made(_ code: OpenDataError.Code, _ message: String) -> OpenDataError {
            OpenDataError(code, message, url: request.redactedURL, status: response?.status)
        }
        func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }

        if number == NSURLErrorTimedOut { return made(.timedOut, "\(host) did not answer in time\(proxy)") }
        if let response {
            let isBroken =
                says("encoding", "header", "http/") || number == NSURLErrorCannotDecodeContentData
                || number == NSURLErrorCannotDecodeRawData || number == NSURLErrorCannotParseResponse
            if isBroken && !says("transfer closed") {
                return made(.badResponse, "the answer of \(host) cannot be read: \(sentence)\(proxy)")
            }
            return truncated(response, announced: announced, received: received)
        }
        switch number {
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
            return made(
                .unreachable, "the name \(host) cannot be found; check the address and the network: \(sentence)\(proxy)"
            )
        case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet:
            return made(.unreachable, "\(host) cannot be reached: \(sentence)\(proxy)")
        case NSURLErrorBadURL: return made(.badAddress, "'\(request.redactedURL)' cannot be requested: \(sentence)")
        case NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed: return untrusted(sentence)
        default: break
        }
        let isSilent =
            number == NSURLErrorNetworkConnectionLost
            || says("empty reply", "reset by peer", "ssl_error_syscall", "send failure", "unexpected eof")
        if isSilent { return noAnswer() }
        if says("ssl", "tls", "certificate", "cacert") { return untrusted(sentence) }
        if says("resolve") { return made(.unreachable, "\(host) cannot be reached: \(sentence)\(proxy)") }
        return made(.badResponse, "\(host) did not answer with HTTP that can be read: \(sentence)\(proxy)")
    }

    private func untrusted(_ reason: String) -> OpenDataError {
        #if canImport(FoundationNetworking)
            let remedy =
                "If the authority is one to trust, add its certificate to the system's bundle"
                + " (/usr/local/share/ca-certificates, then update-ca-certificates)"
        #else
            let remedy = "If the authority is one to trust, add its certificate to the system's keychain"
        #endif
        return OpenDataError(
            .untrusted,
            "the identity of \(host) cannot be verified: \(reason)\(proxy). \(remedy); verification is never switched off",
            url: request.redactedURL)
    }
}
