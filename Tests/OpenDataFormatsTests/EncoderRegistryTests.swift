import OpenDataCore
@testable import OpenDataFormats
import Testing

@Suite struct EncoderRegistryTests {
    private let registry = EncoderRegistry.standard

    @Test func names() {
        #expect(registry.names == ["table", "json", "ndjson", "csv", "tsv", "markdown"])
    }

    @Test(
        "B097: the output does not depend on how records are cut into batches",
        arguments: EncoderRegistry.standard.names)
    func cuts(_ name: String) throws {
        let records = EncoderFixtures.records + EncoderFixtures.records.reversed()
        let encoder = try registry.encoder(named: name)
        let whole = EncoderFixtures.bytes(
            encoder, EncoderFixtures.fields, [EncoderFixtures.batch(EncoderFixtures.fields, records)])
        #expect(whole.count > 500)
        for batches in EncoderFixtures.cuts(of: records) {
            #expect(EncoderFixtures.bytes(encoder, EncoderFixtures.fields, batches) == whole)
        }
    }

    @Test("the output of a table in pages does not depend on batches either")
    func cutsOfPages() {
        let records = EncoderFixtures.records + EncoderFixtures.records.reversed()
        for encoder in [TableEncoder(recordsPerPage: 3), TableEncoder(recordsPerPage: 100, bytesPerPage: 200)] {
            let whole = EncoderFixtures.text(encoder, EncoderFixtures.fields, records)
            for batches in EncoderFixtures.cuts(of: records) {
                let bytes = EncoderFixtures.bytes(encoder, EncoderFixtures.fields, batches)
                #expect(String(decoding: bytes, as: UTF8.self) == whole)
            }
        }
    }

    @Test(
        "an unknown name is told with the nearest one and the list",
        arguments: [
            ("jsn", "json"), ("JSON", "json"), ("cvs", "csv"), ("md", "markdown"), ("jsonl", "ndjson"), ("tab", "tsv"),
            ("mark", "markdown"), ("parquet", nil),
        ] as [(String, String?)])
    func unknown(_ name: String, _ nearest: String?) {
        let error = #expect(throws: OpenDataError.self) { try registry.encoder(named: name) }
        #expect(error?.code == .badArgument)
        let hint = nearest.map { "; did you mean \($0)?" } ?? "."
        #expect(
            error?.message
                == "there is no output format \(name)\(hint) The formats are table, json, ndjson, csv, tsv, markdown")
    }

    @Test("B096, B140: a byte order mark is for csv and tsv alone", arguments: EncoderRegistry.standard.names)
    func byteOrderMark(_ name: String) throws {
        var options = EncoderOptions()
        options.byteOrderMark = true
        if name == "csv" || name == "tsv" {
            let encoder = try registry.encoder(named: name, options: options)
            #expect(EncoderFixtures.bytes(encoder, [.text("a")], []) == [0xEF, 0xBB, 0xBF, 0x61, 0x0A])
        } else {
            let error = #expect(throws: OpenDataError.self) { try registry.encoder(named: name, options: options) }
            #expect(error?.code == .badArgument)
            #expect(error?.message.contains("csv and tsv") == true)
        }
    }

    @Test(
        "the format of a path",
        arguments: [
            ("a.json", "json"), ("out/a.b/x.NDJSON", "ndjson"), ("a.jsonl", "ndjson"), ("a.csv", "csv"),
            ("a.tsv", "tsv"), ("a.tab", "tsv"),
            ("a.md", "markdown"), ("a.markdown", "markdown"), ("報表.2026.csv", "csv"), ("a.txt", nil), ("a", nil),
            ("", nil),
            ("a.", nil), (".csv", nil), ("dir.csv/a", nil), ("dir.csv/", nil), ("/dev/stdout", nil),
            ("a.csv.part", nil),
            ("a.table", nil), ("e\u{301}.\u{301}csv", nil), ("dir/.json", nil),
        ] as [(String, String?)])
    func paths(_ path: String, _ name: String?) {
        #expect(registry.name(forPath: path) == name)
    }

    @Test("one entry adds a format")
    func extensible() throws {
        let registry = EncoderRegistry(
            EncoderRegistry.standard.entries + [.init("semi", fileEndings: ["semi"]) { _ in JSONRecordEncoder(.lines) }]
        )
        #expect(registry.names.last == "semi" && registry.name(forPath: "a.semi") == "semi")
        _ = try registry.encoder(named: "semi")
    }
}
