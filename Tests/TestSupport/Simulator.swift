public import Foundation

/// The simulator of the shared folder, run as a process; ended with its last reference, and with the tests at the
/// latest.
public final class Simulator: Sendable {
    /// Counters since the last reset.
    public struct Stats: Sendable, Decodable {
        /// Requests by host, path and status.
        public var requests: [String: [String: [String: Int]]]
        /// The most requests to a host in any five seconds.
        public var maxPer5s: [String: Int]
        /// The most requests to a host at once.
        public var maxConcurrent: [String: Int]
        /// Answers given because a client had asked too often.
        public var banEvents: [Ban]

        enum CodingKeys: String, CodingKey {
            case requests
            case maxPer5s = "max_per_5s"
            case maxConcurrent = "max_concurrent"
            case banEvents = "ban_events"
        }

        /// One such answer.
        public struct Ban: Sendable, Decodable {
            /// The host.
            public var host: String
            /// The status; 0 for none.
            public var answer: Int
        }

        /// How many requests a host has had in all, or one path of it.
        public func count(_ host: String, _ path: String? = nil) -> Int {
            (requests[host] ?? [:]).filter { path == nil || $0.key == path }.values.reduce(0) {
                $0 + $1.values.reduce(0, +)
            }
        }
    }

    /// The simulator cannot be started, or did not answer as expected.
    public struct Failure: Error, CustomStringConvertible {
        /// What happened.
        public var description: String
    }

    private static let running = Guarded<Set<Int32>>([])
    private static let cleanUp: Void = {
        _ = atexit { for number in Simulator.running.current { _ = kill(number, SIGKILL) } }
    }()

    private let process: Process
    private let port: UInt16

    /// Starts a simulator with knobs such as `latency_ms`.
    ///
    /// Throws without the shared folder.
    public init(knobs: [String: String] = [:]) throws {
        guard let folder = SharedData.folder else { throw Failure(description: SharedData.comment) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", folder.appendingPathComponent("tools/simulator.py").path, "--port", "0"]
            + ["--max-seconds", "600"] + knobs.flatMap { ["--knob", "\($0.key)=\($0.value)"] }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        // Whoever reads this process's errors is not to wait for the child.
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        _ = Simulator.cleanUp
        Simulator.running.with { _ = $0.insert(process.processIdentifier) }
        var line = ""
        while !line.hasSuffix("\n"), let more = try pipe.fileHandleForReading.read(upToCount: 1), !more.isEmpty {
            line += String(decoding: more, as: UTF8.self)
        }
        guard let number = line.split(separator: ":").last.flatMap({ UInt16($0.dropLast()) }) else {
            _ = kill(process.processIdentifier, SIGKILL)
            throw Failure(description: "the simulator said '\(line)'")
        }
        port = number
    }

    deinit {
        Simulator.running.with { _ = $0.remove(process.processIdentifier) }
        // A child may have inherited a mask that holds back gentler signals; there is nothing to clean up.
        _ = kill(process.processIdentifier, SIGKILL)
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// What it has seen.
    public func stats() throws -> Stats {
        try JSONDecoder().decode(Stats.self, from: exchange("GET", "/__stats"))
    }

    /// Forgets everything seen, and sets knobs on top of those of the start.
    public func reset(_ knobs: [String: String] = [:]) throws {
        _ = try exchange("POST", "/__reset", body: JSONEncoder().encode(knobs))
    }

    /// Makes one request and returns the body of its answer.
    public func exchange(_ method: String, _ path: String, body: Data = Data()) throws -> Data {
        let descriptor = try Socket.connect(port: port)
        defer { _ = close(descriptor) }
        let head = "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        guard Socket.send(Array(head.utf8) + Array(body), to: descriptor) else { throw Failure(description: "gone") }
        var answer = Data()
        while true {
            let more = Socket.receive(descriptor)
            if more.isEmpty { break }
            answer += Data(more)
        }
        guard answer.starts(with: Data("HTTP/1.1 200".utf8)), let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(description: String(decoding: answer.prefix(300), as: UTF8.self))
        }
        return answer[end.upperBound...]
    }
}
