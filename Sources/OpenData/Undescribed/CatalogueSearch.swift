public import OpenDataCore

/// A search among the data sets of a portal: every word has to occur, and where it occurs decides the order.
public struct CatalogueSearch: Sendable {
    /// A data set that was found.
    public struct Hit: Sendable, Hashable {
        /// The id with the catalogue's prefix: `datagovtw:40448`.
        public var id: String
        /// The title.
        public var title: String
        /// Who publishes it.
        public var publisher: String
        /// The formats, each once, in the portal's order.
        public var formats: [String]
        /// What the publisher says about it.
        public var summary: String
        /// How well it fits, the more the better.
        public var score: Int
    }

    /// The words, all of which have to occur.
    public var words: [String]
    /// A part of the publisher's name.
    public var publisher: String?
    /// A format that one of the resources has to be in.
    public var format: String?
    /// The most hits handed out; the count goes on.
    public var limit = 20

    /// Makes a search.
    public init(_ words: [String]) { self.words = words }

    /// Looks through a catalogue, whose listing is taken from the copies kept if it is current.
    ///
    /// Returns the best hits, the best first, and how many there are in all. Hits that fit alike come in the portal's
    /// order.
    /// - Complexity: O(bytes of the listing), on all processors.
    public func run(
        _ catalogue: any Catalogue, _ reference: String, client: Client, cache: CachePolicy = CachePolicy()
    ) async throws(OpenDataError) -> (hits: [Hit], count: Int) {
        let source = try catalogue.listing(reference, words: words)
        var options = FetchOptions()
        options.rejects = .report
        options.cache = cache
        let prefix = catalogue.prefix + ":" + (reference.isEmpty ? "" : reference + "/")
        let matcher = Matcher(self, prefix)
        var hits: [Hit] = []
        var iterator = client.batches(of: source, options: options).makeAsyncIterator()
        while let batch = try await iterator.next() {
            hits += matcher.hits(in: batch)
            try await iterator.takeRest(threads: Processors.count) { batch, _ in
                matcher.hits(in: batch)
            } emit: { (more: [Hit]) throws(OpenDataError) in
                hits += more
            }
        }
        let ranked = hits.enumerated().sorted { one, other in
            one.element.score != other.element.score
                ? one.element.score > other.element.score : one.offset < other.offset
        }
        return (ranked.prefix(limit).map(\.element), hits.count)
    }

    /// What every thread does to its records.
    private struct Matcher: Sendable {
        let words: [[UInt8]]
        let publisher: [UInt8]?
        let format: [UInt8]?
        let prefix: String

        init(_ search: CatalogueSearch, _ prefix: String) {
            func fold(_ text: String) -> [UInt8] { Array(PlaceName.fold(text).utf8) }
            words = search.words.flatMap { $0.split(separator: " ") }.map { fold(String($0)) }
            publisher = search.publisher.map(fold)
            format = search.format.map(fold)
            self.prefix = prefix
        }

        func hits(in batch: RecordBatch) -> [Hit] {
            let columns = batch.columns.names
            func column(_ name: String) -> Int? { columns.firstIndex(of: name) }
            // What words are looked for in, and what one is worth there.
            let places = [
                ("title", 60), ("publisher", 12), ("columns", 8), ("category", 6), ("summary", 4), ("formats", 2),
            ]
            let worth = places.compactMap { name, worth in column(name).map { (column: $0, worth: worth) } }
            guard let title = column("title"), let id = column("id") else { return [] }
            var folded = batch.bytes
            PlaceName.fold(&folded)
            var hits: [Hit] = []
            for record in 0..<batch.count {
                func occurs(_ word: [UInt8], _ column: Int?) -> Bool {
                    guard let column else { return false }
                    let cell = batch[record, column]
                    return cell.isTextOrNumber || cell.kind == .json
                        ? ByteSearch.first(word, in: folded, cell.range) != nil : false
                }
                if let publisher, !occurs(publisher, column("publisher")) { continue }
                if let format, !occurs(format, column("formats")), !occurs(format, column("resources")) { continue }
                var score = 0
                var isHit = true
                for word in words {
                    var best = occurs(word, id) && batch[record, id].length == word.count ? 200 : 0
                    for place in worth where place.worth > best && occurs(word, place.column) { best = place.worth }
                    if best == 0 {
                        isHit = false
                        break
                    }
                    score += best
                }
                guard isHit else { continue }
                hits.append(hit(batch, record, id: id, title: title, score, folded))
            }
            return hits
        }

        private func hit(
            _ batch: RecordBatch, _ record: Int, id: Int, title: Int, _ score: Int, _ folded: [UInt8]
        ) -> Hit {
            func text(_ name: String) -> String {
                guard let column = batch.columns.names.firstIndex(of: name) else { return "" }
                let cell = batch[record, column]
                return cell.isTextOrNumber || cell.kind == .json ? batch.text(of: cell) : ""
            }
            var formats: [String] = []
            let named = text("formats").split(separator: ";").map { String($0) }
            let resources = JSONText(parsing: text("resources"))?.elements?.compactMap { $0["format"]?.text } ?? []
            for format in named + resources where !format.isEmpty && !formats.contains(format) {
                formats.append(format)
            }
            // A title that is the words, or begins with them, says more than one that holds them; a short one more than
            // a long one.
            let range = batch[record, title].range
            var bonus = 0
            if let word = words.first, folded[range].starts(with: word) { bonus += 12 }
            if words.count == 1, range.count == words[0].count { bonus += 20 }
            bonus += max(0, 10 - range.count / 12)
            return Hit(
                id: prefix + batch.text(of: batch[record, id]), title: batch.text(of: batch[record, title]),
                publisher: text("publisher"), formats: formats, summary: text("summary"), score: score * 2 + bonus)
        }
    }
}
