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

/// How many rows one run made, and the sum of their volumes.
struct Outcome: Equatable {
    var records: Int
    var sum: Int
}

/// Rows as values of a type.
func decoder(_ path: String) throws -> Outcome {
    let decoder = CSVDecoder {
        $0.headerStrategy = .firstLine
        $0.bufferingStrategy = .sequential
    }
    let quotes = try decoder.decode([Quote].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    return Outcome(records: quotes.count, sum: quotes.reduce(0) { $0 + ($1.volume ?? 0) })
}

/// Rows as arrays of texts.
func strings(_ path: String) throws -> Outcome {
    let reader = try CSVReader(input: Data(contentsOf: URL(fileURLWithPath: path))) { $0.headerStrategy = .firstLine }
    var rows: [[String]] = []
    while let row = try reader.readRow() { rows.append(row) }
    return Outcome(records: rows.count, sum: rows.reduce(0) { $0 + (Int($1[3]) ?? 0) })
}

let words = CommandLine.arguments
guard words.count == 4, let runs = Int(words[3]), runs > 0, ["decoder", "strings"].contains(words[1]) else {
    FileHandle.standardError.write(Data("usage: PeerCodableCSV decoder|strings FILE RUNS\n".utf8))
    exit(64)
}
let work = words[1] == "decoder" ? decoder : strings
var seconds: [Double] = []
var outcome: Outcome?
for _ in 0..<runs {
    let clock = ContinuousClock()
    let start = clock.now
    outcome = try work(words[2])
    seconds.append((clock.now - start) / .seconds(1))
}
let times = seconds.map { String(format: "%.4f", $0) }.joined(separator: ",")
print("{\"records\":\(outcome?.records ?? 0),\"sum\":\(outcome?.sum ?? 0),\"seconds\":[\(times)]}")
