import OpenDataCore
import Testing

@testable import ODCLI

@Suite("Help and descriptions")
struct HelpTests {
    @Test(
        "What is shown is what was kept",
        arguments: [
            ("help.txt", ["help"]), ("exit-status.txt", ["help", "exit-status"]), ("list-help.txt", ["help", "list"]),
            ("describe-help.txt", ["help", "describe"]), ("fetch-help.txt", ["help", "fetch"]),
            ("export-help.txt", ["help", "export"]), ("history-help.txt", ["help", "history"]),
            ("verify-help.txt", ["help", "verify"]), ("cache-help.txt", ["help", "cache"]),
            ("help-help.txt", ["help", "help"]),
            ("fetch-stations-help.txt", ["fetch", "test.stations", "--help"]), ("list.txt", ["list"]),
            ("list.json", ["list", "--json"]), ("describe-stations.txt", ["describe", "test.stations"]),
            ("describe-prices.txt", ["describe", "test.prices"]),
            ("describe-stations.json", ["describe", "test.stations", "--json"]),
        ])
    func snapshot(name: String, words: [String]) async throws {
        let run = try await Captured.run(words)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Snapshot.expect(run.output, name)
    }

    @Test("Every command has the same help in three ways", arguments: Commands.names)
    func threeWays(name: String) async throws {
        let help = try await Captured.run("help", name)
        #expect(help.status == 0 && help.output.hasSuffix("\n") && !help.output.hasSuffix("\n\n"))
        for flag in ["-h", "--help"] {
            let run = try await Captured.run(name, flag)
            #expect(run.output == help.output)
            #expect(run.status == 0 && run.errors == "")
        }
        #expect(help.output.split(separator: "\n").allSatisfy { $0.utf8.count <= 100 })
    }

    @Test("Without a command the help is an error")
    func nothing() async throws {
        let run = try await Captured.run()
        #expect(run.status == 64 && run.output == "")
        #expect(run.errors == (try await Captured.run("help").output))
    }

    @Test("The version")
    func version() async throws {
        let run = try await Captured.run("--version")
        #expect(run.output == "odctl \(Version.number)\n" && run.errors == "" && run.status == 0)
    }

    @Test("JSON escapes what must be escaped, and nothing else")
    func json() {
        let text = JSONText.object([
            ("a/b", .string("\"\\\u{1}\n/台\u{7F}")), ("c", .array([])), ("d", .array([.null, .integer(1)])),
        ])
        let expected = #"""
            {
              "a/b": "\"\\\u0001\n/台\u007f",
              "c": [],
              "d": [
                null,
                1
              ]
            }

            """#
        #expect(text.document == expected)
    }
}
