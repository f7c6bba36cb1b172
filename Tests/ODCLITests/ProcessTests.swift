import Foundation
import TestSupport
import Testing

@Suite("The command as a process")
struct ProcessTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    @Test("Version, list and help go to standard output")
    func answers() async throws {
        for words in ["--version", "list", "help"] {
            let run = try await tool.run(words)
            #expect(run.status == 0 && run.errors == "" && !run.output.isEmpty)
        }
        let list = try await tool.run("list").output
        for id in ["cafenomad.cafes", "twse.openapi.stock_day_all", "twse.stock_day", "twse.stock_day_all"] {
            #expect(list.split(separator: "\n").contains { $0.hasPrefix(id + " ") })
        }
    }

    @Test("list --json is JSON with every data set")
    func listJSON() async throws {
        let run = try await tool.run("list", "--json")
        let array = try #require(try JSONSerialization.jsonObject(with: run.stdout) as? [[String: Any]])
        #expect(array.count >= 4)
        let members = ["id", "title", "english", "publisher", "licence", "page", "cadence", "parameters", "fields"]
        for object in array { #expect(Set(members).isSubset(of: object.keys)) }
    }

    @Test("A mistake ends with 64 and a suggestion")
    func mistakes() async throws {
        for (words, hint) in [
            (["fetsh", "twse.stock_day"], "'fetch'"), (["fetch", "twse.stock_dya"], "'twse.stock_day'"),
            (["fetch", "cafenomad.cafes", "--city", "taipeh"], "'taipei'"),
            (["fetch", "cafenomad.cafes", "--cty", "taipei"], "'--city'"),
        ] {
            let run = try await tool.shell("\"$odctl\" \(words.joined(separator: " "))")
            #expect(run.status == 64 && run.output == "" && run.errors.contains("did you mean \(hint)?"))
        }
    }

    @Test(
        "Every sample, exported as csv or json, reads back as itself",
        arguments: [
            "cafenomad.cafes", "twse.openapi.stock_day_all", "twse.stock_day", "twse.stock_day_all",
        ])
    func roundTrip(id: String) async throws {
        let csv = try await tool.run("fetch", id, "--sample", "--format", "csv")
        #expect(csv.status == 0 && csv.output.contains("\n"))
        let json = try await tool.run("fetch", id, "--sample", "--format", "json")
        let parameters = id == "twse.stock_day" ? ["-p", "stock_no=2330"] : []
        let tail = parameters.joined(separator: " ")
        for text in [csv.output, json.output] {
            try tool.write("export", text)
            let again = try await tool.shell("\"$odctl\" fetch \(id) \(tail) --format csv --from - < export")
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.output == csv.output)
            let file = try await tool.shell("\"$odctl\" fetch \(id) \(tail) --format csv --from export")
            #expect(file.output == csv.output)
        }
    }

    @Test("A pipe with a path is read once, from its first byte")
    func namedPipe() async throws {
        try tool.write("quotes.csv", Tool.quotes(3000))
        let run = try await tool.shell(
            "mkfifo pipe; cat quotes.csv > pipe & exec \"$odctl\" fetch twse.stock_day_all --from pipe --format csv")
        #expect(run.errors == "twse.stock_day_all: read 3000, written 3000, rejected 0\n")
        #expect(run.output.split(separator: "\n").count == 3001)
    }

    @Test("B134: a reader that stops early ends the command quietly")
    func closedPipe() async throws {
        try tool.write("quotes.csv", Tool.quotes(20_000))
        let run = try await tool.shell(
            "{ \"$odctl\" fetch twse.stock_day_all --from quotes.csv; echo $? > status; } | head -1")
        #expect(run.output.hasPrefix("date,code,") && run.output.split(separator: "\n").count == 1)
        #expect(run.errors == "")
        #expect(try tool.read("status") == "141\n")
    }

    @Test("B134: an export whose notices nobody reads is written all the same")
    func closedErrors() async throws {
        let run = try await tool.shell(
            """
            { "$odctl" export twse.stock_day_all --sample --to a.csv; echo $? > status; } 2>&1 | true
            "$odctl" fetch twse.stock_day_all --sample --format csv --quiet | cmp - a.csv
            """)
        #expect(run.status == 0 && run.output == "", "\(run.errors)")
        #expect(try tool.read("status") == "0\n")
    }

    @Test(
        "A full disk under standard output is told and ends with 74",
        arguments: [
            "fetch twse.stock_day_all --sample", "list", "describe twse.stock_day", "help", "--version",
        ])
    func fullDisk(words: String) async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let run = try await tool.shell("\"$odctl\" \(words) > /dev/full")
        #expect(run.status == 74)
        #expect(run.errors.contains("No space left on device") && run.errors.split(separator: "\n").count == 1)
    }

    @Test("Closed descriptors are errors, and nothing meant for them gets into a file")
    func closedDescriptors() async throws {
        let output = try await tool.shell("\"$odctl\" fetch twse.stock_day_all --sample >&-")
        #expect(output.status == 74 && output.errors.contains("standard output"))
        let input = try await tool.shell("\"$odctl\" fetch twse.stock_day_all --from - <&-")
        #expect(input.status == 66 && input.output == "")
        let all = try await tool.shell(
            """
            "$odctl" export twse.stock_day_all --sample --to a.csv <&- >&- 2>&-
            "$odctl" fetch twse.stock_day_all --sample --format csv --quiet | cmp - a.csv
            """)
        #expect(all.status == 0 && all.output == "", "\(all.errors)")
    }

    @Test(
        "What --from cannot read is told with its name",
        arguments: [
            (".", Int32(66), "'.' is a directory"), ("absent.csv", 66, "'absent.csv' cannot be read: No such file"),
            ("file.pdf", 65, "a PDF came"), ("empty.csv", 65, "the payload is blank"),
            ("page.html", 65, "unexpectedContent"),
        ])
    func from(path: String, status: Int32, message: String) async throws {
        try tool.write("file.pdf", "%PDF-1.7\n%âãÏÓ\n1 0 obj\n")
        try tool.write("empty.csv", "")
        try tool.write("page.html", "<!DOCTYPE html><html><body>因為安全性考量</body></html>")
        let run = try await tool.run("fetch", "twse.stock_day_all", "--from", path)
        #expect(run.status == status && run.output == "")
        #expect(run.errors.hasPrefix("odctl: ") && run.errors.contains(message), "\(run.errors)")
    }

    @Test("B146: the same bytes in and out in every locale, with a Chinese file name")
    func locale() async throws {
        let plain = try await tool.run("fetch", "twse.stock_day_all", "--sample", "--format", "csv")
        for locale in ["C", "POSIX", "zh_TW.Big5", "nonsense"] {
            let run = try await tool.run(
                "export", "twse.stock_day_all", "--sample", "--to", "台積電 行情.csv",
                environment: ["LANG": locale, "LC_ALL": locale])
            #expect(run.status == 0)
            #expect(try tool.read("台積電 行情.csv") == plain.output)
            let again = try await tool.run(
                "fetch", "twse.stock_day_all", "--from", "台積電 行情.csv", "--format", "csv",
                environment: ["LANG": locale, "LC_ALL": locale])
            #expect(again.output == plain.output)
        }
        let missing = try await tool.run(
            "fetch", "twse.stock_day_all", "--from", "缺.csv", environment: ["LC_ALL": "C"])
        #expect(missing.errors.contains("'缺.csv' cannot be read"))
    }
}
