import CafeNomadConnectors
import Foundation
import OpenData
import TWSEConnectors

// RowBenchmark ticks|cafes|decoder FILE RUNS
//
// Makes all rows of FILE, RUNS times, and prints a line of JSON: what was made, and how long the runs took, from the
// call to the rows. Neither adding up nor freeing them is part of that. The row count and the sum of an integer column
// are there so that what is compared can be checked to be the same.

/// What one run made, and how long it took.
struct Outcome {
    var records: Int
    var sum: Int
    var seconds: Double

    /// Makes rows, and adds up a number of each, which is looked at where it stands.
    init<Row>(
        _ number: @Sendable (borrowing Row) -> Int, of make: @Sendable () async throws -> [Row]
    ) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let rows = try await make()
        seconds = (clock.now - start) / .seconds(1)
        records = rows.count
        sum = 0
        for index in rows.indices { sum += number(rows[index]) }
    }
}

/// All rows of a saved file, typed.
func rows<Source: DataSource>(_ source: Source, _ path: String) async throws -> [Source.Row] {
    var options = FetchOptions()
    options.payload = try Payload.file(path)
    return try await Client().fetch(source, options: options)
}

let words = CommandLine.arguments
guard words.count == 4, let runs = Int(words[3]), runs > 0 else {
    FileHandle.standardError.write(Data("usage: RowBenchmark ticks|cafes|decoder FILE RUNS\n".utf8))
    exit(64)
}
let path = words[2]
let work: @Sendable () async throws -> Outcome
switch words[1] {
case "ticks":
    work = { try await Outcome({ $0.volume ?? 0 }) { try await rows(TWSEStockDayAll(), path) } }
case "cafes":
    work = { try await Outcome({ $0.name.utf8.count }) { try await rows(CafeNomad(), path) } }
case "decoder":
    // The same through Foundation, into structs of the same fields.
    work = {
        try await Outcome({ $0.name.utf8.count }) {
            try JSONDecoder().decode([CodableCafe].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }
default:
    FileHandle.standardError.write(Data("unknown work '\(words[1])': ticks, cafes or decoder\n".utf8))
    exit(64)
}

var outcomes: [Outcome] = []
for _ in 0..<runs {
    outcomes.append(try await work())
    guard let first = outcomes.first, let last = outcomes.last, first.records == last.records, first.sum == last.sum
    else {
        FileHandle.standardError.write(Data("two runs made different rows\n".utf8))
        exit(1)
    }
}
let times = outcomes.map { String(format: "%.4f", $0.seconds) }.joined(separator: ",")
print("{\"records\":\(outcomes[0].records),\"sum\":\(outcomes[0].sum),\"seconds\":[\(times)]}")
