import Foundation
import OpenData
import OpenDataFormats

// ShapeBenchmark SHAPE FILE [THREADS]
//
// Writes a file of that shape as NDJSON to standard output, as `odctl fetch` does for the data sets that it knows.

let words = CommandLine.arguments
guard (3...4).contains(words.count), let shape = Shape.named(words[1]) else {
    FileHandle.standardError.write(Data("usage: ShapeBenchmark SHAPE FILE [THREADS]\n".utf8))
    exit(64)
}
var options = FetchOptions()
options.payload = try Payload.file(words[2])
var exporter = Exporter(JSONRecordEncoder(.lines))
if words.count == 4, let threads = Int(words[3]), threads > 0 { exporter.threads = threads }
try await exporter.write(Client().batches(of: shape, options: options), toDescriptor: 1)
