import OpenDataCore
import Testing

@testable import ODCLI

@Suite("The words of a command line")
struct ParsedArgumentsTests {
    private static let city = Flag("--city", value: "CITY", "")
    private static let flags = [Flag.help, .json, .parameter, .from, city]

    /// A command line and what it is told apart into.
    struct Case: CustomTestStringConvertible, Sendable {
        var words: [String]
        var operands: [String] = []
        var from: String?
        var city: String?
        var parameters: [String] = []
        var json = false
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(
        "Flags stand anywhere, their values behind them or behind =",
        arguments: [
            Case(words: []),
            Case(words: ["a", "b"], operands: ["a", "b"]),
            Case(words: ["--city", "taipei", "id"], operands: ["id"], city: "taipei"),
            Case(words: ["id", "--city=taipei"], operands: ["id"], city: "taipei"),
            Case(words: ["id", "--city=a=b"], operands: ["id"], city: "a=b"),
            Case(words: ["--city=-x", "id"], operands: ["id"], city: "-x"),
            Case(words: ["--from", "-", "id"], operands: ["id"], from: "-"),
            Case(words: ["-", "id"], operands: ["-", "id"]),
            Case(words: ["--json", "id"], operands: ["id"], json: true),
            Case(words: ["-p", "a=1", "id", "-p", "b=2"], operands: ["id"], parameters: ["a=1", "b=2"]),
            Case(words: ["-p=a=1"], parameters: ["a=1"]),
            Case(words: ["--parameter", "a=1"], parameters: ["a=1"]),
            Case(words: ["--json", "--", "--city", "--", "-p"], operands: ["--city", "--", "-p"], json: true),
            Case(words: ["--from", "檔案.csv"], from: "檔案.csv"),
            Case(words: ["--from", " "], from: " "),
        ])
    func toldApart(_ sample: Case) throws {
        let parsed = try ParsedArguments(sample.words, flags: ParsedArgumentsTests.flags)
        #expect(parsed.operands == sample.operands)
        #expect(parsed[.from] == sample.from)
        #expect(parsed[ParsedArgumentsTests.city] == sample.city)
        #expect(parsed.all(.parameter) == sample.parameters)
        #expect(parsed.has(.json) == sample.json)
    }

    @Test(
        "What is wrong is said, with the nearest right name",
        arguments: [
            (["--jsn"], "there is no flag '--jsn'; did you mean '--json'?"),
            (["--citi=x"], "there is no flag '--citi'; did you mean '--city'?"),
            (["--zzzzzzzz"], "there is no flag '--zzzzzzzz'"),
            (["-x"], "there is no flag '-x'"),
            (["-j"], "there is no flag '-j'"),
            (["---json"], "there is no flag '---json'; did you mean '--json'?"),
            (["--json=yes"], "--json takes no value"),
            (["--json="], "--json takes no value"),
            (["--from"], "--from needs a value: --from FILE"),
            (["--from="], "--from needs a value: --from FILE"),
            (["--from", ""], "--from needs a value: --from FILE"),
            (["--from", "--json"], "--from needs a value: --from FILE"),
            (["--from", "--", "x"], "--from needs a value: --from FILE"),
            (["--city", "a", "--city", "a"], "--city is given twice"),
            (["--json", "--json"], "--json is given twice"),
        ])
    func refused(words: [String], message: String) throws {
        let error = #expect(throws: OpenDataError.self) {
            _ = try ParsedArguments(words, flags: ParsedArgumentsTests.flags)
        }
        #expect(error?.code == .badArgument)
        #expect(error?.message == message)
    }

    @Test("Help is asked for by a flag before --, and not by a value")
    func help() {
        #expect(ParsedArguments.askForHelp(["id", "-h"]))
        #expect(ParsedArguments.askForHelp(["--help", "--bogus"]))
        #expect(!ParsedArguments.askForHelp(["id", "--", "--help"]))
        #expect(!ParsedArguments.askForHelp(["help", "--from=--help"]))
    }
}
