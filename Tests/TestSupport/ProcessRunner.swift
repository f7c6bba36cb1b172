public import Foundation

/// Runs programs for tests.
public enum ProcessRunner {
    /// What a program left behind.
    public struct Result: Sendable {
        /// The exit status; 128 and the signal's number if a signal ended it.
        public var status: Int32
        /// Everything written to standard output.
        public var stdout: Data
        /// Everything written to standard error.
        public var stderr: Data

        /// Standard output as text.
        public var output: String { String(decoding: stdout, as: UTF8.self) }
        /// Standard error as text.
        public var errors: String { String(decoding: stderr, as: UTF8.self) }
    }

    /// A program that did not end in time; it was killed.
    public struct TimedOut: Error, CustomStringConvertible {
        /// The program, its time and what it wrote until then.
        public var description: String
    }

    /// Runs an executable to its end.
    ///
    /// Input and output go through files, so that no pipe can fill up. Without `environment`, the program gets this
    /// process's; without `input`, an empty standard input. `onStart` is told the process's number.
    public static func run(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: Data? = nil,
        directory: URL? = nil, timeout: Double = 60,
        onStart: @Sendable (Int32) -> Void = { _ in }
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let (input, output, errors) = try (
            folder.file("input", input ?? Data()), folder.file("output"), folder.file("errors")
        )
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        if let directory { process.currentDirectoryURL = directory }
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)

        let killed = Guarded(false)
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let status = process.terminationStatus
                continuation.resume(returning: process.terminationReason == .exit ? status : 128 + status)
            }
            do { try process.run() } catch {
                process.terminationHandler = nil
                return continuation.resume(throwing: error)
            }
            let number = process.processIdentifier
            onStart(number)
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak process] in
                guard let process, process.isRunning, process.processIdentifier == number else { return }
                killed.with { $0 = true }
                _ = kill(number, SIGKILL)
            }
        }
        let result = Result(status: status, stdout: try Data(contentsOf: output), stderr: try Data(contentsOf: errors))
        if killed.current {
            throw TimedOut(description: "\(path) did not end in \(timeout) s; errors: \(result.errors.prefix(500))")
        }
        return result
    }
}

/// A folder that is removed with its last reference.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes an empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("opendata-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and returns its place.
    public func file(_ name: String, _ content: Data = Data()) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }
}

/// Finds what the build made.
public enum Binary {
    /// The path of a built executable, beside the running test bundle.
    ///
    /// Throws if it was not built.
    public static func path(of name: String) throws -> String {
        var places = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 }
        places += CommandLine.arguments.filter { $0.contains("/") }.map { URL(fileURLWithPath: $0) }
        for place in places {
            var folder = place
            for _ in 0..<5 {
                let candidate = folder.appendingPathComponent(name).path
                var isFolder: ObjCBool = false
                if unsafe FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
                    !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
    }
}
