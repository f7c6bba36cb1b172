import OpenData

// The one line: from here on the data set is one among all others.
var registry = Registry.standard
registry.register(Libraries())
print("data sets: \(registry.ids.joined(separator: ", "))")

// The publisher is made up, so its sample stands in for it; without these two lines the host would be asked.
let libraries = Libraries()
var options = FetchOptions()
if let sample = libraries.sample { options.payload = Payload(sample) }

for try await library in Client().rows(of: libraries, options: options) {
    let opened = library.opened.map { "opened \($0), ROC year \($0.rocYear)" } ?? "not opened"
    let books = library.books.map { "\($0) books" } ?? "books unknown"
    print("\(library.code)  \(library.name ?? "?"): \(books), \(opened)")
}
