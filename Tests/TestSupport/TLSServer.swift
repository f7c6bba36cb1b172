import Foundation

/// An https server on 127.0.0.1 whose certificate nobody vouches for, run as a process of Python.
///
/// It answers every request with `body`, but breaks the connection off without an answer for the path `/reset`.
public final class TLSServer: Sendable {
    private static let programs = ["/usr/bin/openssl", "/usr/bin/python3"]

    /// Whether this machine has what the server needs.
    public static let isPossible = programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private static let script = """
        import os, socket, ssl, struct, sys, threading
        threading.Timer(300, os._exit, [0]).start()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        print(listener.getsockname()[1], flush=True)
        def serve(client):
            try:
                with context.wrap_socket(client, server_side=True) as secure:
                    if b"/reset" in secure.recv(65536):
                        secure.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        os.close(secure.detach())
                    else:
                        secure.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nbody")
            except OSError:
                pass
        while True:
            threading.Thread(target=serve, args=[listener.accept()[0]], daemon=True).start()
        """

    /// `https://localhost:PORT`, without a slash at the end.
    public let url: String
    /// The path of the server's certificate, in PEM.
    public let certificate: String
    private let folder: TemporaryFolder
    private let process: Process

    /// Starts a server with a new certificate for `localhost`.
    public init() throws {
        folder = try TemporaryFolder()
        let names = ["key.pem", "certificate.pem"].map { [folder] in folder.url.appendingPathComponent($0).path }
        certificate = names[1]
        let maker = Process()
        maker.executableURL = URL(fileURLWithPath: TLSServer.programs[0])
        maker.arguments =
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", names[0]]
            + ["-out", names[1]]
        maker.standardError = FileHandle.nullDevice
        try maker.run()
        maker.waitUntilExit()
        process = Process()
        process.executableURL = URL(fileURLWithPath: TLSServer.programs[1])
        process.arguments = ["-c", TLSServer.script, names[1], names[0]]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.hasSuffix("\n"), let more = try pipe.fileHandleForReading.read(upToCount: 1), !more.isEmpty {
            line += String(decoding: more, as: UTF8.self)
        }
        url = "https://localhost:\(line.dropLast())"
    }

    deinit { _ = kill(process.processIdentifier, SIGKILL) }
}
