import CafeNomadConnectors
import Foundation
import OpenData
import TWSEConnectors

// RowBenchmark ticks|cafes|decoder FILE RUNS
//
// Makes all rows of FILE, RUNS times, and prints a line of JSON: what was made, and how long the runs took. The row
// count and the sum of an integer column are there so that what is compared can be checked to be the same.

/// What one run made: something to compare, and something that keeps the rows from being optimised away.
struct Outcome: Equatable {
    var records: Int
    var sum: Int
}

/// The sum of a number of each row.
///
/// A row is looked at where it stands: to copy each would be measured as if it were part of making them.
@inline(__always)
func sum<Row>(_ rows: [Row], _ number: (borrowing Row) -> Int) -> Int {
    var sum = 0
    for index in rows.indices { sum += number(rows[index]) }
    return sum
}

/// All rows of a saved quotes file, typed.
func ticks(_ path: String) async throws -> Outcome {
    var options = FetchOptions()
    options.payload = try Payload.file(path)
    let rows = try await Client().fetch(TWSEStockDayAll(), options: options)
    return Outcome(records: rows.count, sum: sum(rows) { $0.volume ?? 0 })
}

/// All rows of a saved cafe file, typed; the sum is of the names' lengths.
func cafes(_ path: String) async throws -> Outcome {
    var options = FetchOptions()
    options.payload = try Payload.file(path)
    let rows = try await Client().fetch(CafeNomad(), options: options)
    return Outcome(records: rows.count, sum: sum(rows) { $0.name.utf8.count })
}

/// The same through Foundation, into structs of the same fields.
func decoder(_ path: String) async throws -> Outcome {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let rows = try JSONDecoder().decode([CodableCafe].self, from: data)
    return Outcome(records: rows.count, sum: sum(rows) { $0.name.utf8.count })
}

let words = CommandLine.arguments
guard words.count == 4, let runs = Int(words[3]), runs > 0 else {
    FileHandle.standardError.write(Data("usage: RowBenchmark ticks|cafes|decoder FILE RUNS\n".utf8))
    exit(64)
}
let work: (String) async throws -> Outcome
switch words[1] {
case "ticks": work = ticks
case "cafes": work = cafes
case "decoder": work = decoder
default:
    FileHandle.standardError.write(Data("unknown work '\(words[1])': ticks, cafes or decoder\n".utf8))
    exit(64)
}

var seconds: [Double] = []
var outcome: Outcome?
for _ in 0..<runs {
    let clock = ContinuousClock()
    let start = clock.now
    let made = try await work(words[2])
    seconds.append((clock.now - start) / .seconds(1))
    guard outcome == nil || outcome == made else {
        FileHandle.standardError.write(Data("two runs made different rows\n".utf8))
        exit(1)
    }
    outcome = made
}
let times = seconds.map { String(format: "%.4f", $0) }.joined(separator: ",")
print("{\"records\":\(outcome?.records ?? 0),\"sum\":\(outcome?.sum ?? 0),\"seconds\":[\(times)]}")
