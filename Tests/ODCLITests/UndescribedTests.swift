import Foundation
import TestSupport
import Testing

/// Files and standard input that nobody has described, at their worst.
@Suite("Undescribed sources at their worst")
struct UndescribedTests {
    private let tool: Tool

    init() throws { tool = try Tool() }

    private func write(_ name: String, _ bytes: [UInt8]) throws { _ = try tool.folder.file(name, Data(bytes)) }

    @Test("--rejects takes the place of no file that the run needs") func rejectsPath() async throws {
        let text = "a,b,c\n" + String(repeating: "1,2,3\n", count: 100) + "1,2\n"
        try tool.write("in.csv", text)
        for path in ["in.csv", "./in.csv", tool.folder.url.appendingPathComponent("in.csv").path] {
            let run = try await tool.run("fetch", "in.csv", "--rejects", path)
            #expect(run.status == 64 && run.output.isEmpty && run.errors.contains("'in.csv'"), "\(run.errors)")
            #expect(try tool.read("in.csv") == text)
        }
        for path in ["out.csv", "./out.csv", "out.csv.provenance.json"] {
            let run = try await tool.run(
                "export", "in.csv", "--to", "out.csv", "--rejects", path, "--allow-rejects", "1")
            #expect(run.status == 64 && run.errors.contains("--rejects would take the place"), "\(path)")
        }
        #expect(
            try await tool.run("fetch", "twse.stock_day_all", "--from", "in.csv", "--rejects", "in.csv").status == 64)
        #expect(try tool.files == ["in.csv"])
    }

    @Test("an export that is refused for its rejects has written what they are") func refusedExport() async throws {
        try tool.write("in.csv", "a,b,c\n" + String(repeating: "1,2,3\n", count: 100) + "1,2\n")
        let run = try await tool.run("export", "in.csv", "--to", "out.csv", "--rejects", "r")
        #expect(run.status == 65 && run.errors.contains("'out.csv' was not written"))
        #expect(try tool.read("r").contains("\"line\":102") && tool.files == ["in.csv", "r"])
    }

    @Test(
        "--replace-invalid is for every format, and the replacement is told once",
        arguments: [
            (#"[{"a":"x?"},{"a":"y"}]"#, "byte 8"), ("<r><x><a>x?</a></x><x><a>y</a></x></r>", "byte 10"),
            ("a,b\nx?,1\ny,2\n", "byte 5"),
        ])
    func replaced(_ text: String, _ place: String) async throws {
        try write("in", text.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 })
        let refused = try await tool.run("fetch", "in", "--format", "ndjson")
        #expect(refused.status == 65 && refused.errors.contains(place))
        let run = try await tool.run("fetch", "in", "--format", "ndjson", "--replace-invalid")
        #expect(run.status == 0 && run.output.contains("\"a\":\"x\u{FFFD}\""), "\(run.errors)")
        #expect(run.errors.components(separatedBy: "U+FFFD").count == 2 && run.errors.contains("first at \(place)"))
    }

    @Test("--encoding counts more than what a document of XML says") func declared() async throws {
        let text = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><r><x><a>".utf8) + [0xA5, 0x78, 0xA5, 0x5F]
        try write("in", text + Array("</a></x><x><a>1</a></x></r>".utf8))
        let run = try await tool.run("fetch", "in", "--format", "ndjson", "--encoding", "cp950")
        #expect(run.status == 0 && run.output == "{\"a\":\"台北\"}\n{\"a\":\"1\"}\n", "\(run.errors)")
    }

    @Test("a text encoding that was found is told once") func encodingOnce() async throws {
        try write("in", "地區,數\n臺北,1\n高雄,2\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        let run = try await tool.run("fetch", "in", "--format", "csv")
        #expect(run.status == 0 && run.errors.components(separatedBy: "utf-16le").count == 2, "\(run.errors)")
    }

    @Test("the file of an error is named, with --infer as well", arguments: [[], ["--infer"]])
    func named(_ flags: [String]) async throws {
        try tool.write("in.csv", "a,b\n\"1,2\n")
        let run = try await tool.run(["fetch", "in.csv"] + flags)
        #expect(run.status == 65 && run.errors.contains("  file:      in.csv\n"), "\(run.errors)")
        let address = "file://\(tool.folder.url.path)/in.csv"
        let other = try await tool.run(["fetch", address] + flags)
        #expect(other.errors.contains("  file:      \(tool.folder.url.path)/in.csv\n"), "\(other.errors)")
    }

    @Test(
        "what is no text is named for what it is",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "a picture came"),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "a spreadsheet or another office document came"),
            ([0x25, 0x50, 0x44, 0x46, 0x2D, 0x31], "a PDF came\n"),
            (Array("a,b\n1,\u{0}2\n".utf8), "NULs stand in no other text"),
        ] as [([UInt8], String)])
    func binary(_ bytes: [UInt8], _ says: String) async throws {
        try write("in", bytes)
        let run = try await tool.run("fetch", "in")
        #expect(run.status == 65 && run.output.isEmpty && run.errors.contains(says), "\(run.errors)")
    }

    @Test("an archive that is stored, with a name checked by a checksum, is the first thing that is read")
    func storedArchive() async throws {
        // Made by hand: the member 資料.csv, its name in Big5 and once more in the field 0x7075, not compressed.
        let archive =
            "UEsDBBQAAAAAAAAAAAB7B5cKCAAAAAgAAAAIAAAAuOquxi5jc3ZhLGIKMSwyClBLAQIUABQAAAAAAAAAAAB7B5cKCAAAAAgAAAAI"
            + "ABMAAAAAAAAAAAAAAAAAAAC46q7GLmNzdnVwDwABj9WqNeizh+aWmS5jc3ZQSwUGAAAAAAEAAQBJAAAALgAAAAAA"
        _ = try tool.folder.file("in.zip", try #require(Data(base64Encoded: archive)))
        let run = try await tool.run("fetch", "in.zip", "--format", "csv")
        #expect(
            run.status == 0 && run.output == "a,b\n1,2\n" && run.errors.contains("'資料.csv' is read"), "\(run.errors)")
    }

    @Test("more keys in one object than a table may have columns are named as that") func manyKeys() async throws {
        try tool.write("in", "[{" + (0..<3000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}]")
        let run = try await tool.run("fetch", "in")
        #expect(run.status == 65 && run.errors.contains("tooLarge: the records have more than 2048 different keys"))
    }

    @Test("a link to nothing is a file that is not there; an address without // is none, and its key is not shown")
    func nothing() async throws {
        try FileManager.default.createSymbolicLink(
            at: tool.folder.url.appendingPathComponent("link.csv"),
            withDestinationURL: tool.folder.url.appendingPathComponent("nothing"))
        #expect(try await tool.run("fetch", "link.csv").status == 66)
        let run = try await tool.run("fetch", "https:e.tw/x?api_key=SECRET")
        #expect(run.status == 64 && run.errors.contains("badAddress") && !run.errors.contains("SECRET"))
        try tool.write("http:", "a,b\n1,2\n")
        #expect(try await tool.run("fetch", "http:", "--format", "csv").output == "a,b\n1,2\n")
    }
}

/// Addresses and portals, from the command.
@Suite("Addresses at their worst", .enabled(if: SharedData.isPresent, "needs the simulator in ../shared"))
struct AddressTests {
    private let tool: Tool
    private let simulator: Simulator

    init() throws {
        tool = try Tool()
        simulator = try Simulator()
    }

    private func run(_ words: String...) async throws -> ProcessRunner.Result {
        try await tool.run(words, environment: ["ODCTL_REWRITE": "https://=\(simulator.url)/"])
    }

    @Test("B024, B043: secrets of an address that somebody typed are written nowhere") func secrets() async throws {
        let address =
            "https://user:SECRET@e.tw/fault/ok?api_key=SECRET&serviceKey=SECRET&pwd=SECRET&client_secret=SECRET"
        let export = try await run("export", address, "--to", "a.csv")
        #expect(export.status == 0 && !export.errors.contains("SECRET"))
        #expect(try !tool.read("a.csv.provenance.json").contains("SECRET"))
        let envelope = try await run("fetch", address, "--envelope")
        #expect(envelope.status == 0 && !envelope.output.contains("SECRET"))
        let kept = try #require(FileManager.default.enumerator(at: tool.cache.url, includingPropertiesForKeys: nil))
        for case let file as URL in kept {
            guard let data = try? Data(contentsOf: file) else { continue }
            #expect(data.range(of: Data("SECRET".utf8)) == nil, "\(file.lastPathComponent)")
        }
    }

    @Test("a value of 'key', which may choose the records, tells copies apart") func keys() async throws {
        #expect(try await run("fetch", "https://e.tw/fault/ok?key=2024").status == 0)
        #expect(try await run("fetch", "https://e.tw/fault/ok?key=2024", "--offline").status == 0)
        let other = try await run("fetch", "https://e.tw/fault/ok?key=2025", "--offline")
        #expect(other.status == 66 && !other.errors.contains("2025"))
    }

    @Test("words without a letter are no search; a limit hides no hit") func search() async throws {
        for words in [[""], ["  "], ["", " "]] {
            #expect(try await tool.run(["search"] + words).status == 64)
        }
        let run = try await run("search", "空氣品質", "--limit", "0")
        #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("0 of "), "\(run.errors)")
    }
}
