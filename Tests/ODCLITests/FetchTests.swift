import OpenData
import Testing

@testable import ODCLI

@Suite("Fetching")
struct FetchTests {
    @Test("The sample as csv, with marks told of and counts")
    func sample() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--sample")
        #expect(run.output == "code,change\n0050,1.50\n00632R,\n")
        #expect(
            run.errors == """
                odctl: 1 mark in change; --marks shows them
                test.prices: read 2, written 2, rejected 0

                """)
        #expect(run.status == 0)
    }

    @Test("Marks are written on request")
    func marks() async throws {
        let run = try await Captured.run("fetch", "--marks", "test.prices", "--sample", "--format=csv")
        #expect(run.output == "code,change,change_mark\n0050,1.50,\n00632R,,X\n")
        #expect(run.errors == "test.prices: read 2, written 2, rejected 0\n")
    }

    @Test("A terminal gets a table, a quiet run says nothing")
    func terminal() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--sample", "--quiet", isTerminal: true)
        #expect(run.output.hasPrefix("code") && !run.output.contains(","))
        #expect(run.errors == "" && run.status == 0)
    }

    @Test("B140: a byte order mark on request, in csv only")
    func byteOrderMark() async throws {
        let csv = try await Captured.run("fetch", "test.prices", "--sample", "--bom")
        #expect(csv.output.unicodeScalars.first == "\u{FEFF}" && csv.status == 0)
        let json = try await Captured.run("fetch", "test.prices", "--sample", "--bom", "--format", "json")
        #expect(json.status == 64 && json.output == "")
    }

    @Test("B075: rejected records are told with line, field, raw text and reason, and make the status 65")
    func rejects() async throws {
        let bad = (1...7).map { "x,bad\($0)\n" }.joined()
        let run = try await Captured.run("fetch", "test.prices", "--from", "-", input: "代號,漲跌\n0050,1\n" + bad)
        #expect(run.status == 65)
        #expect(run.output == "code,change\n0050,1\n")
        let lines = run.errors.split(separator: "\n").map(String.init)
        #expect(lines.prefix(5).allSatisfy { $0.hasPrefix("rejected: line ") })
        #expect(lines.first == "rejected: line 3, field change, 'bad1': 'bad1' is no number")
        #expect(lines.dropFirst(5).first == "and 2 more; --rejects FILE has all of them")
        #expect(lines.contains("test.prices: read 8, written 1, rejected 7"))
        #expect(lines.contains("odctl: rejected: 7 of 8 records do not fit the schema and were left out"))
    }

    @Test("As many rejected records as allowed are no failure", arguments: [("0", 65), ("1", 65), ("2", 0), ("3", 0)])
    func allowed(count: String, status: Int32) async throws {
        let run = try await Captured.run(
            "fetch", "test.prices", "--from", "-", "--allow-rejects", count, input: "代號,漲跌\na,1\nb,x\nc,y\n")
        #expect(run.status == status)
        #expect(run.errors.contains("read 3, written 1, rejected 2"))
    }

    @Test("Quiet still says why it failed")
    func quiet() async throws {
        let run = try await Captured.run(
            "fetch", "test.prices", "--from", "-", "-p", "x=1", "--quiet", input: "代號,漲跌\nb,x\n")
        #expect(run.status == 64 && run.errors.contains("no parameter 'x'"))
        let other = try await Captured.run("fetch", "test.prices", "--from", "-", "--quiet", input: "代號,漲跌\nb,x\n")
        #expect(other.status == 65 && other.errors.hasPrefix("rejected: line 2") && !other.errors.contains("read 1"))
    }

    @Test("Columns that the schema does not have, and another encoding, are told of")
    func notices() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--from", "-", input: "代號,註記,漲跌\na,?,1\n")
        #expect(run.errors.hasPrefix("odctl: columns not in the schema: 註記\n") && run.status == 0)
    }

    @Test("What a publisher sent cannot steer the terminal through an error")
    func controls() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--from", "-", input: "代號,漲跌\na,\u{1B}[2J\u{202E}\n")
        #expect(run.status == 65 && run.errors.contains("\\u{1B}[2J\\u{202E}") && !run.errors.contains("\u{1B}"))
    }

    @Test("Parameters reach the request, secrets do not reach the person")
    func parameters() async throws {
        for words in [
            ["--city", "tainan", "--note=a b", "--api-key", "s3cret", "test.stations"],
            ["test.stations", "-p", "city=tainan", "-p", "note=a b", "-p", "api_key=s3cret"],
        ] {
            let run = try await Captured.run(["fetch"] + words)
            #expect(run.status == 69 && run.output == "")
            #expect(run.errors.contains("https://example.tw/tainan?key=REDACTED&note=a%20b"))
            #expect(!run.errors.contains("s3cret"))
        }
    }

    @Test("A key that is not given comes from the environment")
    func secret() async throws {
        let run = try await Captured.run(
            "fetch", "test.stations", "--city=taipei", environment: ["TEST_STATIONS_KEY": "s3cret"],
            transport: KeyTransport(key: "s3cret"))
        #expect(run.status == 0 && run.output == "site,height\n甲,1\n")
    }

    @Test(
        "What is wrong with a command line ends it with 64, says so and names the nearest right word",
        arguments: [
            (["fetc", "test.prices"], "there is no command 'fetc'; did you mean 'fetch'?"),
            (["--versoin"], "there is no flag '--versoin'; did you mean '--version'?"),
            (["--version", "x"], "'x' is one word too many"),
            (["help", "exit-stauts"], "did you mean 'exit-status'?"),
            (["list", "x"], "'x' is one word too many"), (["list", "--jsn"], "did you mean '--json'?"),
            (["describe"], "the id of a data set, an address or a file is needed"),
            (["describe", "test.price"], "did you mean 'test.prices'?"),
            (["describe", "test.prices", "x"], "'x' is one word too many after 'test.prices'"),
            (["fetch"], "the id of a data set, an address or a file is needed"),
            (["fetch", "prices"], "did you mean 'test.prices'?"),
            (["fetch", "test.stations"], "--city is needed, for example --city taipei"),
            (["fetch", "test.stations", "--city", "taipie"], "did you mean 'taipei'?"),
            (["fetch", "test.stations", "--ctiy", "taipei"], "there is no flag '--ctiy'; did you mean '--city'?"),
            (["fetch", "--ctiy", "taipei", "test.stations"], "there is no flag '--ctiy'; did you mean '--city'?"),
            (["fetch", "test.stations", "--city", "tainan", "-p", "city=tainan"], "the parameter city is given twice"),
            (
                ["fetch", "test.stations", "--city", "tainan", "-p", "citi=x"],
                "no parameter 'citi'; did you mean city?"
            ),
            (["fetch", "test.stations", "--city", "tainan", "-p", "note"], "-p takes NAME=VALUE, not 'note'"),
            (["fetch", "test.stations", "--city", "tainan", "--stock-no", "23 30"], "--stock-no takes ASCII letters"),
            (
                ["fetch", "test.prices", "--city", "taipei"],
                "test.prices has no flag '--city' (it takes no parameters)"
            ),
            (["fetch", "test.prices", "--date", "2025-01-01"], "there is no flag '--date'"),
            (["fetch", "test.prices", "--sample", "--from", "-"], "--from and --sample exclude each other"),
            (["fetch", "test.stations", "--city", "taipei", "--sample"], "test.stations carries no sample"),
            (["fetch", "test.prices", "--format", "cvs"], "there is no output format cvs; did you mean csv?"),
            (["fetch", "test.prices", "--allow-rejects=-1"], "--allow-rejects takes a whole number, not '-1'"),
            (["fetch", "test.prices", "--allow-rejects", "1.5"], "--allow-rejects takes a whole number"),
            (["fetch", "test.prices", "--timeout", "0"], "--timeout takes seconds"),
            (["fetch", "test.prices", "--timeout", "0x10"], "--timeout takes seconds"),
            (["fetch", "test.prices", "--rewrite", "x"], "not a rewrite of the form PREFIX=REPLACEMENT"),
            (["fetch", "test.prices", "--to", "x.csv"], "there is no flag '--to'"),
            (["export", "test.prices"], "--to is needed"),
            (["export", "test.prices", "--to", "x.foo"], "the ending of 'x.foo' names no format"),
            (["export", "test.prices", "--to", "-"], "--to takes a path"),
        ])
    func wrong(words: [String], message: String) async throws {
        let run = try await Captured.run(words)
        #expect(run.status == 64)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("odctl: "))
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("A broken rewrite of the environment is refused as one of the command line")
    func rewriteOfEnvironment() async throws {
        let run = try await Captured.run("fetch", "test.prices", "--sample", environment: ["ODCTL_REWRITE": "nonsense"])
        #expect(run.status == 64 && run.errors.contains("'nonsense' is not a rewrite"))
        let good = try await Captured.run(
            "fetch", "test.prices", "--sample",
            environment: ["ODCTL_REWRITE": " https://a=http://b  https://c=http://d "])
        #expect(good.status == 0)
    }
}

/// Answers only to the right key.
private struct KeyTransport: Transport {
    let key: String

    func send(_ request: Request) async throws(OpenDataError) -> Payload {
        guard request.url.contains("key=\(key)") else { throw OpenDataError(.unauthorised, "wrong key") }
        return Payload(response: Response(url: request.redactedURL), body: .bytes(Array("測站,高度\n甲,1\n".utf8)))
    }
}
