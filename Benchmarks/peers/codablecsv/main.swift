import CodableCSV
import Foundation

// PeerCodableCSV decoder|strings FILE RUNS
//
// What RowBenchmark does, by CodableCSV: all rows of a quotes file, RUNS times, and a line of JSON about them.

/// A quote with the fields of the package's own row; prices as `Double` and the day as text, which costs less.
struct Quote: Decodable {
    var date: String
    var code: String
    var name: String
    var volume: Int?
    var value: Int?
    var open: Double?
    var high: Double?
    var low: Double?
    var close: Double?
    var change: Double?
    var transactions: Int?

    enum CodingKeys: String, CodingKey {
        case date = "日期"
        case code = "證券代號"
        case name = "證券名稱"
        case volume = "成交股數"
        case value = "成交金額"
        case open = "開盤價"
        case high = "最高價"
        case low = "最低價"
        case close = "收盤價"
        case change = "漲跌價差"
        case transactions = "成交筆數"
    }
}

/// How many rows one run made, the sum of their volumes, and how long it took to have them.
struct Outcome {
    var records: Int
    var sum: Int
    var seconds: Double

    /// Makes rows, and adds up a number of each.
    init<Row>(_ number: (Row) -> Int, of make: () throws -> [Row]) rethrows {
        let clock = ContinuousClock()
        let start = clock.now
        let rows = try make()
        seconds = (clock.now - start) / .seconds(1)
        records = rows.count
        sum = rows.reduce(0) { $0 + number($1) }
    }
}

/// Rows as values of a type.
func decoder(_ path: String) throws -> [Quote] {
    let decoder = CSVDecoder {
        $0.headerStrategy = .firstLine
        $0.bufferingStrategy = .sequential
    }
    return try decoder.decode([Quote].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Rows as arrays of texts.
func strings(_ path: String) throws -> [[String]] {
    let reader = try CSVReader(input: Data(contentsOf: URL(fileURLWithPath: path))) { $0.headerStrategy = .firstLine }
    var rows: [[String]] = []
    while let row = try reader.readRow() { rows.append(row) }
    return rows
}

let words = CommandLine.arguments
guard words.count == 4, let runs = Int(words[3]), runs > 0, ["decoder", "strings"].contains(words[1]) else {
    FileHandle.standardError.write(Data("usage: PeerCodableCSV decoder|strings FILE RUNS\n".utf8))
    exit(64)
}
var outcomes: [Outcome] = []
for _ in 0..<runs {
    let outcome =
        words[1] == "decoder"
        ? try Outcome({ $0.volume ?? 0 }) { try decoder(words[2]) }
        : try Outcome({ Int($0[3]) ?? 0 }) { try strings(words[2]) }
    outcomes.append(outcome)
}
let times = outcomes.map { String(format: "%.4f", $0.seconds) }.joined(separator: ",")
print("{\"records\":\(outcomes[0].records),\"sum\":\(outcomes[0].sum),\"seconds\":[\(times)]}")
