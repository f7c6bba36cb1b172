import Foundation
import TestSupport

/// The built `odctl`, run as a process in a folder of its own.
struct Tool {
    /// The folder it runs in.
    let folder: TemporaryFolder
    /// Where it keeps what it downloads.
    let cache: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        cache = try TemporaryFolder()
    }

    private var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "LANG": "zh_TW.UTF-8", "TMPDIR": NSTemporaryDirectory(),
            "ODCTL_CACHE": cache.url.path,
        ]
    }

    /// Runs `odctl` with the words.
    func run(
        _ words: String..., environment: [String: String] = [:], input: String = "",
        onStart: @Sendable (Int32) -> Void = { _ in }
    ) async throws -> ProcessRunner.Result {
        try await run(words, environment: environment, input: input, onStart: onStart)
    }

    /// Runs `odctl` with the words.
    func run(
        _ words: [String], environment: [String: String] = [:], input: String = "",
        onStart: @Sendable (Int32) -> Void = { _ in }
    ) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(
            Binary.path(of: "odctl"), words,
            environment: self.environment.merging(environment) { $1 }, input: Data(input.utf8), directory: folder.url,
            timeout: 120, onStart: onStart)
    }

    /// Runs a line of the shell, in which `$odctl` is the command.
    func shell(_ line: String) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(
            "/bin/sh", ["-c", line], environment: self.environment.merging(["odctl": Binary.path(of: "odctl")]) { $1 },
            directory: folder.url, timeout: 120)
    }

    /// Writes a file in the folder.
    func write(_ name: String, _ text: String) throws { _ = try folder.file(name, Data(text.utf8)) }

    /// The text of a file in the folder.
    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
    }

    /// The names of the files in the folder, sorted.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// A payload of quotes with so many records.
    static func quotes(_ count: Int) -> String {
        var text = "日期,證券代號,證券名稱,成交股數,成交金額,開盤價,最高價,最低價,收盤價,漲跌價差,成交筆數\n"
        for number in 0..<count {
            text += "1150708,\(1000 + number % 9000),示例,10,1000,1.00,2.00,0.50,1.50,0.10,\(number)\n"
        }
        return text
    }
}
