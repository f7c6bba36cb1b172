import OpenDataCore

/// JSON as it is published.
enum JSONSeeds {
    /// Words that mean something to a reader of JSON.
    static let words: [[UInt8]] =
        [
            "{", "}", "[", "]", "{}", "[]", ":", ",", "null", "true", "false", "\"\"", "\"a\":1,", "1e999", "-0",
            "0.10", "1E+5",
            "01", "\\u0041", "\\ud83d\\ude00", "\\ud83d", "\\u+123", "\\\\", "\\\"", "\\/", "\n", "\u{FEFF}",
            "{\"a\":[", "[[",
            "\"fields\":[\"x\"],", "\"data\":[", "\"records\":[]", "9007199254740993", "\u{0}", "\"\\u0000\"", "}\n{",
            "},", "},\n  ", ",\"id\":",
        ].map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xED, 0xA0, 0x80], [0xC0, 0x80]]

    /// The seeds.
    static let all: [FuzzSeed] = [
        FuzzSeed(
            #"[{"Code":"0050","Close":"198.10","n":1},{"Code":"0056","Close":null,"n":-2.50e3},{"Code":"x"}]"#, .json),
        FuzzSeed(
            #"{"stat":"OK","date":"20260708","fields":["日期","股價","備註"],"data":[["115/07/01","1,050.00",""],["115/07/02","X0.00",null]],"total":2}"#,
            .json(.table), .json(JSONLayout(records: ["data"], fields: "fields", hasUniqueNames: true)),
            .json(JSONLayout(records: ["data"], columns: ["day", "price", "note"]))),
        FuzzSeed(
            #"{"success":true,"result":{"total":"2","records":[{"a":1,"b":{"c":[1,2,{"d":"e"}]}},{"a":"x","b":{}}],"limit":5}}"#,
            .json(records: "result.records"), .json(records: "records", "result.records", "$"),
            .json(JSONLayout(records: ["result.records"], nested: .columns)),
            .json(JSONLayout(records: ["result"], form: .record, nested: .columns))),
        FuzzSeed(
            #"{"retCode":1,"retVal":{"0001":{"sno":"0001","tot":"180","lat":"25.04"},"0002":{"sno":"0002","tot":"48"}}}"#,
            .json(records: "retVal{}"), .json(JSONLayout(records: ["retVal{}"], keyColumn: nil)),
            .json(JSONLayout(records: ["${}"], nested: .columns))),
        FuzzSeed(
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"北","type":"x"},"geometry":{"type":"Point","coordinates":[121.5,25]}},{"properties":{"name":"南"}}]}"#,
            .json(JSONLayout(records: ["features"], nested: .columns, lifted: "properties")),
            .json(JSONLayout(records: ["features"], lifted: "properties"))),
        FuzzSeed(
            #"{"date":["2026-07-01","2026-07-02"],"close":[1.0,null],"note":["a","\u4e2d\u6587"],"unit":"TWD"}"#,
            .json(JSONLayout(form: .columns)),
            .json(JSONLayout(form: .columns, columns: ["close", "date", "open"]))),
        FuzzSeed(
            "{\"a\":1,\"b\":\"\\\"q\\\" \\\\ \\n \\u6668 \\ud83d\\ude00 \\/\"}\n{\"b\":null,\"a\":true}\r\n{\"c\":[{}],\"a\":{}}\n",
            .json, .json(JSONLayout(columns: ["a", "b", "c"]))),
        FuzzSeed(
            #"[["code","name","code"],["0050","台灣50",1],["0056","x",null],[1,2]]"#,
            .json(JSONLayout(hasHeaderRow: true))),
        FuzzSeed(#"["a","b",3,null,true,{"x":1}]"#, .json),
        FuzzSeed(
            #"[{"t":[{"title":"A"}],"data":[{"x":"1"},{"x":"2"}]},{"data":[{"x":"3"}]}]"#, .json(records: "$[0].data"),
            .json),
        FuzzSeed(
            "["
                + (1...20).map {
                    "{\"id\":\"\($0)\",\"name\":\"\\u6668\($0)\",\"wifi\":\($0 % 5),\"url\":\"https:\\/\\/x.tw\"}"
                }
                .joined(separator: ",") + "]", .json),
        FuzzSeed(
            "[\n"
                + (1...20).map { "  {\"id\": \"\($0)\", \"v\": \($0).50, \"ok\": \($0 % 2 == 0)}" }
                .joined(separator: ",\n") + "\n]\n", .json),
        FuzzSeed(String(repeating: "[", count: 40) + "1" + String(repeating: "]", count: 40), .json),
    ]
}
