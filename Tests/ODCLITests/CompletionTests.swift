import Foundation
import TestSupport
import Testing

@testable import ODCLI

@Suite("Completion of command lines")
struct CompletionTests {
    @Test(
        "What may stand next",
        arguments: [
            (["fe"], ["fetch"]), (["-"], ["--help", "--version"]), (["fetch", "test.st"], ["test.stations"]),
            (["fetch", "test.stations", "x"], []), (["fetch", "--fo"], ["--format"]),
            (["fetch", "--format", "nd"], ["ndjson"]), (["fetch", "--from", ""], []),
            (["fetch", "test.stations", "--", "-"], []), (["nothing", ""], []), ([], []),
            (["help", "exit"], ["exit-status"]), (["completions", ""], ["bash", "zsh", "fish"]),
            (["list", ""], []), (["list", "--"], ["--json", "--help"]), (["list", "--json", "--"], ["--help"]),
        ])
    func candidates(words: [String], expected: [String]) async throws {
        let run = try await Captured.run(["completions", "words", "--"] + words)
        #expect(run.output.split(separator: "\n").map(String.init) == expected && run.status == 0 && run.errors == "")
    }

    @Test("Parameters of the data set are flags, their choices values")
    func parameters() async throws {
        let tool = try Tool()
        let flags = try await tool.run("completions", "words", "--", "fetch", "cafenomad.cafes", "--ci")
        #expect(flags.output == "--city\n")
        let cities = try await tool.run("completions", "words", "--", "export", "cafenomad.cafes", "--city", "tai")
        #expect(cities.output == "taichung\ntainan\ntaipei\ntaitung\n")
    }

    @Test("bash completes", .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no bash"))
    func bash() async throws {
        let tool = try Tool()
        let run = try await tool.shell(
            """
            mkdir bin && ln -s "$odctl" bin/odctl && PATH="$PWD/bin:$PATH" /bin/bash -c '
            eval "$(odctl completions bash)"
            COMP_WORDS=(odctl fetch twse.o); COMP_CWORD=2; _odctl; echo "${COMPREPLY[@]}"
            COMP_WORDS=(odctl fetch --format ""); COMP_CWORD=3; _odctl; echo "${#COMPREPLY[@]}"'
            """)
        #expect(run.output.hasPrefix("twse.openapi.stock_day_all\n") && run.output != "twse.openapi.stock_day_all\n0\n")
    }

    @Test("A shell that there is no script for is told")
    func unknownShell() async throws {
        let run = try await Captured.run("completions", "bsh")
        #expect(run.status == 64 && run.errors.contains("did you mean 'bash'?"))
    }
}
