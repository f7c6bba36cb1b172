public import OpenDataCore

/// Reads files of this machine by `file:` addresses.
public struct FileTransport: Transport {
    /// Makes a transport.
    public init() {}

    /// Answers with a file, which is opened when its payload is.
    ///
    /// Throws ``OpenDataError/Code/unreadable`` unless the file can be opened, ``OpenDataError/Code/tooLarge`` for a
    /// file over the request's limit, and ``OpenDataError/Code/badAddress`` for an address that names no path of this
    /// machine.
    public func send(_ request: Request) async throws(OpenDataError) -> Payload {
        if Task.isCancelled {
            throw OpenDataError(.cancelled, "the reading of a file was called off", url: request.url)
        }
        guard request.scheme == "file", ["", "localhost"].contains(request.host),
            let path = FileTransport.decoded(request.path)
        else {
            throw OpenDataError(
                .badAddress, "'\(request.url)' is not an address of the form file:///path", url: request.url)
        }
        let file: FileSource
        do throws(OpenDataError) {
            file = try FileSource(path: path)
        } catch {
            throw error.adding(url: request.url)
        }
        if let size = file.length, size > request.maximumBytes {
            throw OpenDataError(
                .tooLarge, "'\(path)' has \(size) bytes; this request allows \(request.maximumBytes)", url: request.url)
        }
        return Payload(response: Response(url: request.url), body: .file(path: path))
    }

    /// The path without its escapes; `nil` unless they stand for text that can be a path.
    private static func decoded(_ path: String) -> String? {
        let bytes = PercentEncoding.decoding(path)
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) && !bytes.contains(0) ? text : nil
    }
}
