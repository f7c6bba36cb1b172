import Foundation
import OpenDataCore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite("Exports, killed and otherwise")
struct ExportTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    @Test(
        "The ending of the path tells the format",
        arguments: [
            ("a.csv", "csv"), ("a.json", "json"), ("a.ndjson", "ndjson"), ("a.tsv", "tsv"), ("a.md", "markdown"),
            ("A.CSV", "csv"),
        ])
    func ending(path: String, format: String) async throws {
        let fetch = try await tool.run("fetch", "twse.stock_day_all", "--sample", "--format", format)
        let run = try await tool.run("export", "--to", path, "twse.stock_day_all", "--sample")
        #expect(run.status == 0 && run.output == "")
        #expect(run.errors == "twse.stock_day_all: read 20, written 20, rejected 0\n")
        #expect(try tool.read(path) == fetch.output && tool.files.filter { $0.contains("tmp") } == [])
    }

    @Test("B142: a symbolic link is followed, the file's mode is kept")
    func linkAndMode() async throws {
        try tool.write("real.csv", "old")
        let link = tool.folder.url.appendingPathComponent("link.csv").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.csv")
        let real = tool.folder.url.appendingPathComponent("real.csv").path
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
        let run = try await tool.run("export", "twse.stock_day_all", "--sample", "--to", "link.csv")
        #expect(run.status == 0)
        #expect(try tool.read("real.csv").hasPrefix("date,"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.csv")
        #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
        #expect(try tool.files == ["link.csv", "real.csv"])
    }

    @Test(
        "A target that cannot be made ends with 73 and its name",
        arguments: [
            ("absent/a.csv", "'absent/a.csv' cannot be created: No such file"), (".csv/", "is a directory"),
        ])
    func target(path: String, message: String) async throws {
        try FileManager.default.createDirectory(
            at: tool.folder.url.appendingPathComponent(".csv"), withIntermediateDirectories: false)
        let run = try await tool.run("export", "twse.stock_day_all", "--sample", "--to", path, "--format", "csv")
        #expect(run.status == 73 && run.errors.contains(message), "\(run.errors)")
    }

    @Test("Rejected records keep the earlier file, unless they are allowed")
    func rejects() async throws {
        try tool.write("a.csv", "old")
        let input = Tool.quotes(2) + "1150708,2330,台積電,x,1,1,1,1,1,1,1\n"
        let refused = try await tool.run("export", "twse.stock_day_all", "--from", "-", "--to", "a.csv", input: input)
        #expect(refused.status == 65 && refused.errors.hasPrefix("rejected: line 4, field volume, 'x': "))
        #expect(try tool.read("a.csv") == "old" && tool.files == ["a.csv"])
        let allowed = try await tool.run(
            "export", "twse.stock_day_all", "--from", "-", "--to", "a.csv", "--allow-rejects", "1", input: input)
        #expect(allowed.status == 0 && allowed.errors.contains("read 3, written 2, rejected 1"))
        #expect(try tool.read("a.csv").split(separator: "\n").count == 3)
    }

    @Test("Two exports to one file at once leave one of them, whole")
    func atOnce() async throws {
        try tool.write("many.csv", Tool.quotes(5000))
        async let first = tool.run("export", "twse.stock_day_all", "--from", "many.csv", "--to", "a.csv")
        async let second = tool.run("export", "twse.stock_day_all", "--sample", "--to", "a.csv")
        #expect(try await first.status == 0)
        #expect(try await second.status == 0)
        let many = try await tool.run("fetch", "twse.stock_day_all", "--from", "many.csv")
        let few = try await tool.run("fetch", "twse.stock_day_all", "--sample")
        #expect(try [many.output, few.output].contains(tool.read("a.csv")))
        #expect(try tool.files == ["a.csv", "many.csv"])
    }

    /// A signal, the status it ends with, and whether the process may still say something.
    static let signals: [(Int32, Int32, Bool)] = [(SIGINT, 130, true), (SIGTERM, 143, true), (SIGKILL, 137, false)]

    @Test("B142: a run ended by a signal in the midst of a download leaves the earlier file", arguments: signals)
    func signalled(signal: Int32, status: Int32, speaks: Bool) async throws {
        try tool.write("cafes.json", "old")
        let number = Guarded<Int32?>(nil)
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[{")
            while number.current == nil, connection.wait(seconds: 0.02) {}
            if let number = number.current { _ = kill(number, signal) }
            connection.wait(seconds: 100)
        }
        let run = try await tool.run(
            "export", "cafenomad.cafes", "--to", "cafes.json", "--rewrite", "https://=\(server.url)/",
            onStart: { started in number.with { $0 = started } })
        #expect(server.requests.count == 1)
        #expect(run.status == status)
        #expect(try tool.read("cafes.json") == "old")
        if speaks { #expect(run.errors.hasPrefix("odctl: cancelled: ")) }
        // A file without a name goes with its process, whatever ends it.
        let hasUnnamed = SystemFile(unnamedIn: tool.folder.url.path, as: "", permissions: 0o600) != nil
        if speaks || hasUnnamed { #expect(try tool.files == ["cafes.json"]) }
    }

    @Test("A wait for a pipe that sends nothing ends with Ctrl-C")
    func waitForPipe() async throws {
        let pipe = tool.folder.url.appendingPathComponent("pipe").path
        let failure = unsafe mkfifo(pipe, 0o600)
        try #require(failure == 0)
        let run = try await tool.run(
            "export", "twse.stock_day_all", "--from", "pipe", "--to", "a.csv",
            onStart: { number in
                Thread.detachNewThread {
                    // Opening for writing succeeds only once the command has opened the pipe for reading.
                    for _ in 0..<1000 {
                        let descriptor = unsafe open(pipe, O_WRONLY | O_NONBLOCK)
                        guard descriptor < 0 else {
                            _ = kill(number, SIGINT)
                            Thread.sleep(forTimeInterval: 30)
                            _ = close(descriptor)
                            return
                        }
                        Thread.sleep(forTimeInterval: 0.05)
                    }
                }
            })
        #expect(run.status == 130 && run.errors.hasPrefix("odctl: cancelled: "))
        #expect(try tool.files == ["pipe"])
    }
}
