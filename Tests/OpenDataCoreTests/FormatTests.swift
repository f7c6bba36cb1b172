import OpenDataCore
import Testing

@Suite struct FormatTests {
    @Test("a format covers another with its paths and no other difference")
    func covers() {
        let wide = Format.json(records: "$", "data")
        #expect(wide.covers(.json) && wide.covers(wide) && wide.covers(.json(records: "data")))
        #expect(!Format.json.covers(wide) && !wide.covers(.json(records: "$", "rows")))
        #expect(!wide.covers(.json(JSONLayout(nested: .columns))) && !wide.covers(.csv) && Format.csv.covers(.csv))
        #expect(!Format.csv.covers(.csv(CSVDialect(titleRows: 1))) && !Format.csv.covers(.json))
        var archived = wide
        archived.member = "*.json"
        #expect(!archived.covers(.json) && !wide.covers(archived))
    }
}
