import Foundation
import OpenData
import TestSupport
import Testing

@testable import ODCLI

/// What the command starts and loads: nothing that it does not need.
@Suite("Starting the command")
struct StartTests {
    @Test(
        "Commands that know their answer start no task",
        arguments: [
            ("list", true), ("list --json", true), ("describe twse.stock_day", true), ("help fetch", true),
            ("--version", true), ("fetch --help", true), ("fetsh", true), ("fetch twse.stock_dya", true),
            ("fetch twse.stock_day_all --sample", false), ("export twse.stock_day_all --sample --to a.csv", false),
        ])
    func tasks(words: String, isAnswer: Bool) throws {
        let folder = try TemporaryFolder()
        let sink = try FileHandle(forWritingTo: folder.file("sink"))
        let console = Console(
            input: -1, output: sink.fileDescriptor, errors: sink.fileDescriptor, isTerminal: false)
        let beginning = Odctl.begin(
            arguments: words.split(separator: " ").map(String.init), environment: Environment([:]), console: console,
            registry: .standard, transport: nil)
        if case .ended = beginning { #expect(isAnswer) } else { #expect(!isAnswer) }
    }

    #if canImport(Glibc)
        /// Runs the command and returns the names of the libraries loaded, linked or found later; glibc's loader tells.
        private func run(
            _ words: String, environment: [String: String] = [:]
        ) async throws -> (run: ProcessRunner.Result, libraries: [Substring]) {
            let folder = try TemporaryFolder()
            let run = try await ProcessRunner.run(
                Binary.path(of: "odctl"), words.split(separator: " ").map(String.init),
                environment: environment.merging(["LD_DEBUG": "files"]) { $1 }, directory: folder.url)
            let libraries = run.errors.split(separator: "\n").filter { $0.contains("generating link map") }
                .compactMap { $0.split(separator: "=").last?.prefix { $0 != " " } }
            return (run, libraries)
        }

        @Test(
            "Foundation is never loaded, libcurl for the network only, and SQLite where copies are kept",
            arguments: ["list", "--version", "describe twse.stock_day", "fetch twse.stock_day_all --sample --quiet"])
        func offline(words: String) async throws {
            let (run, libraries) = try await run(words)
            #expect(run.status == 0 && libraries.contains { $0.hasPrefix("libc.so") })
            for name in ["Foundation", "curl", "ssl", "libz", "icu", "sqlite"] {
                #expect(!libraries.contains { $0.contains(name) }, "\(libraries)")
            }
        }

        private static let request = "fetch cafenomad.cafes --rewrite https://=http://127.0.0.1:1/ --timeout 5"

        @Test("The network is libcurl's") func network() async throws {
            let (run, libraries) = try await run(StartTests.request)
            #expect(run.status == 69 && run.errors.contains("127.0.0.1 cannot be reached"))
            #expect(libraries.contains { $0.hasPrefix("libcurl") })
            #expect(!libraries.contains { $0.contains("Foundation") })
        }

        @Test("Where libcurl is missing, the error says what to install") func missing() async throws {
            let folder = try TemporaryFolder()
            // Files that are no libraries stand before the real ones.
            for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] { _ = try folder.file(name) }
            let (run, _) = try await run(StartTests.request, environment: ["LD_LIBRARY_PATH": folder.url.path])
            #expect(run.status == 66 && run.output == "")
            #expect(run.errors.contains("odctl: unreadable: http needs the library libcurl.so.4"))
            #expect(run.errors.contains("libcurl4"))
        }
    #endif
}
