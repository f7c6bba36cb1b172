import Foundation
import OpenData
import TestSupport

@testable import ODCLI

/// A command line run in this process, with what it wrote.
struct Captured {
    let status: Int32
    let output: String
    let errors: String

    /// Runs the command line with the data sets of the tests.
    static func run(
        _ words: String..., environment: [String: String] = [:], input: String = "", isTerminal: Bool = false,
        transport: any Transport = NoTransport()
    ) async throws -> Captured {
        try await run(words, environment: environment, input: input, isTerminal: isTerminal, transport: transport)
    }

    /// Runs the command line with the data sets of the tests.
    static func run(
        _ words: [String], environment: [String: String] = [:], input: String = "", isTerminal: Bool = false,
        transport: any Transport = NoTransport()
    ) async throws -> Captured {
        let folder = try TemporaryFolder()
        let (input, output, errors) = try (
            folder.file("input", Data(input.utf8)), folder.file("output"), folder.file("errors")
        )
        let files = try (
            FileHandle(forReadingFrom: input), FileHandle(forWritingTo: output), FileHandle(forWritingTo: errors)
        )
        let console = Console(
            input: files.0.fileDescriptor, output: files.1.fileDescriptor, errors: files.2.fileDescriptor,
            isTerminal: isTerminal)
        let status = await Odctl.run(
            arguments: words, environment: environment, console: console, registry: .tests,
            transport: transport)
        return Captured(
            status: status, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}

/// A network that nothing can be asked of: a test that reaches it fails.
struct NoTransport: Transport {
    func send(_ request: Request) async throws(OpenDataError) -> Payload {
        throw OpenDataError(.unreachable, "no test asks the network", url: request.redactedURL)
    }
}
