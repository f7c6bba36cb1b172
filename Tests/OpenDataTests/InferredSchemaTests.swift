import OpenData
import OpenDataCore
import TestSupport
import Testing

/// Types that are found in records, and those that must not be.
@Suite struct InferredSchemaTests {
    /// The schema of records that are given as CSV or JSON.
    private func schema(_ text: String) async throws -> Schema {
        var options = FetchOptions()
        options.payload = Payload(response: Response(url: "written:"), body: .bytes(Array(text.utf8)))
        let client = Client(transport: StubTransport([:]))
        return try await InferredSchema.infer(client.batches(of: UndescribedSource(name: "text"), options: options))
    }

    private func type(of values: [String], name: String = "x") async throws -> FieldType {
        // A second column, so that an empty value is a record and no blank line.
        let rows = values.map { "\"\($0)\",a" }.joined(separator: "\n")
        return try #require(try await schema("\(name),other\n\(rows)\n").fields.first).type
    }

    @Test(
        "B035, B120, B121, B122, B126: nothing that would be lost",
        arguments: [
            (["0050", "2330"], FieldType.string), (["0077", "0089", "010"], .string), (["1E10", "2E5"], .string),
            (["0", "1"], .integer), (["1", "2", "00632R"], .string), (["007", "1"], .string),
            (["0", "10", "-5"], .integer),
            (["+1", "2"], .integer), (["1,234", "56"], .integer), (["1,23", "4"], .string),
            (["12,345,678.50", "-0.5"], .number),
            (["1.50", "2"], .number), ([".5", "1"], .string), (["1.", "2"], .string), (["nan", "1"], .string),
            (["0x10", "1"], .string), (["12abc", "1"], .string), ([String(repeating: "9", count: 39)], .string),
            ([String(repeating: "9", count: 38)], .integer), (["T", "F"], .string), (["true", "false"], .string),
            (["", ""], .any), (["-", "-"], .string), (["-", "1"], .integer), (["-", "a"], .string),
            (["1 234"], .string),
        ])
    func numbers(_ values: [String], _ expected: FieldType) async throws {
        #expect(try await type(of: values) == expected)
    }

    @Test("B123, B125: the last of many records decides as the first does", arguments: ["0050", "1.5", "D100"])
    func lastRecord(_ last: String) async throws {
        let found = try await type(of: Array(repeating: "100", count: 30_000) + [last])
        #expect(found == (last == "1.5" ? .number : .string))
    }

    @Test(
        "days of either calendar; bare digits only where the name says so",
        arguments: [
            ("x", ["115/06/24", "114/1/2"], FieldType.date), ("x", ["2026-06-24"], .date), ("x", ["113年7月15日"], .date),
            ("x", ["115/02/29"], .string), ("日期", ["1150624", "1140102"], .date),
            ("x", ["1150624", "1140102"], .integer),
            ("日期", ["20260624"], .date), ("data_date", ["20260624"], .date), ("日期", ["1159999"], .integer),
            ("x", ["2026/01/09 21:33:16"], .datetime), ("x", ["115/06/24", "2026/01/09 21:33"], .string),
            ("x", ["113/07"], .string), ("時間", ["09:00:00"], .string), ("日期", ["115/06/24", "-"], .date),
        ])
    func days(_ name: String, _ values: [String], _ expected: FieldType) async throws {
        #expect(try await type(of: values, name: name) == expected)
    }

    @Test("a name that says `code` keeps digits text", arguments: ["證券代號", "統一編號", "電話", "id", "site_id", "zip"])
    func codes(_ name: String) async throws { #expect(try await type(of: ["2330", "1101"], name: name) == .string) }

    @Test("what stood in the place of a value is kept in the schema, and reads as null") func missing() async throws {
        let found = try await schema("n,t\n1,-\n-,a\n--,b\n")
        #expect(found.fields[0].type == .integer && found.fields[0].missingValues == ["", "-", "--"])
        #expect(found.fields[1].type == .string && found.fields[1].missingValues == [])
    }

    @Test("numbers, booleans and nested values of JSON") func json() async throws {
        let found = try await schema(
            """
            [{"a":1,"b":true,"c":"x","d":[1],"e":null,"f":1.5,"g":1e3},{"a":"2","b":false,"c":null,"d":{},"e":null,"f":2,"g":1}]
            """)
        #expect(found.fields.map(\.name) == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(found.fields.map(\.type) == [.integer, .boolean, .string, .any, .any, .number, .string])
    }

    @Test("records read by the schema that was found in them are all taken, whatever they hold") func random()
        async throws
    {
        var generator = SeededGenerator(seed: 11)
        let pool = [
            "1", "0", "-1", "1.50", "0050", "1,234", "1,23", "115/06/24", "2026-01-02", "1150624", "-", "--", "", "x",
            "1E5",
            "true", "2026/01/09 21:33", "００", "1.", "+5", "N/A", " 7 ",
        ]
        for _ in 0..<300 {
            let kinds = (0..<3).map { _ in
                (0..<3).map { _ in pool[Int.random(in: 0..<pool.count, using: &generator)] }
            }
            let rows = (0..<8).map { _ in
                kinds.map { "\"\($0[Int.random(in: 0..<3, using: &generator)])\"" }.joined(separator: ",") + ",a"
            }
            let text = "x,日期,代號,other\n" + rows.joined(separator: "\n") + "\n"
            var source = UndescribedSource(name: "text")
            source.dataset.schema = try await schema(text)
            var options = FetchOptions()
            options.payload = Payload(response: Response(url: "written:"), body: .bytes(Array(text.utf8)))
            options.rejects = .report
            var iterator = Client(transport: StubTransport([:])).batches(of: source, options: options)
                .makeAsyncIterator()
            while try await iterator.next() != nil {}
            #expect(iterator.summary.written == 8, "\(text)")
        }
    }
}
