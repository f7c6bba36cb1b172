public import OpenDataCore
import OpenDataFormats

/// What is different between the records of two fetches of one data set.
///
/// Records are matched by their key; where a key repeats, in the order of the records. Values are compared as what they
/// are: `14.10` and `14.1` are the same number, the text `14.10` and the text `14.1` are not.
public struct RecordDiff: Sendable {
    /// The names of the fields that records were matched by.
    public let key: [String]
    /// Fields of the schema's key that were left out, because each fetch has one value in them, its own.
    public let ignoredKey: [String]
    /// How many records only the later fetch has.
    public private(set) var added = 0
    /// How many records only the earlier fetch has.
    public private(set) var removed = 0
    /// How many records differ in some value.
    public private(set) var changed = 0
    /// How many records are the same.
    public private(set) var unchanged = 0
    /// The differences as records: ``fields(of:)`` tells their shape.
    ///
    /// Those added and changed in the order of the later fetch, then those removed in that of the earlier.
    public private(set) var batch: RecordBatch

    /// The fields of ``batch``: `diff` (`added`, `changed` or `removed`), those of the data set, and `before`, an
    /// object with the earlier values of the fields that changed.
    ///
    /// A removed record has its own values, every other one those of the later fetch. Where the data set has a field of
    /// such a name, an underscore is put in front.
    public static func fields(of fields: [Field]) -> [Field] {
        func free(_ name: String) -> String { fields.contains { $0.name == name } ? free("_" + name) : name }
        return [Field(free("diff"), sourceNames: [], type: .string)] + fields
            + [Field(free("before"), sourceNames: [], type: .any)]
    }

    /// Compares two fetches of the same data set, which has a schema.
    ///
    /// - Parameter key: The names of fields; by default those of the schema's primary key, without a day or time that
    ///   is the same in every record of each fetch: quotes of two days are matched by their code.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` for a key that there is not, and what the fetches throw. All records
    /// of both are held in memory.
    /// - Complexity: O(records of both).
    public init(
        from earlier: BatchSequence, to later: BatchSequence, key: [String]? = nil
    ) async throws(OpenDataError) {
        guard let fields = later.fields, let others = earlier.fields, fields.map(\.name) == others.map(\.name) else {
            throw OpenDataError(.badArgument, "only records of one declared schema can be compared")
        }
        let (before, after) = (try await Side(earlier), try await Side(later))
        var names = key ?? later.source.dataset.schema.primaryKey
        let ignored = key == nil ? RecordDiff.ownDays(among: names, fields, before, after) : []
        names.removeAll { ignored.contains($0) }
        guard !names.isEmpty else {
            throw OpenDataError(
                .badArgument, "the data set declares no primary key; name the fields that tell records apart")
        }
        var columns: [Int] = []
        for name in names {
            guard let column = fields.firstIndex(where: { $0.name == name }) else {
                throw OpenDataError(
                    .badArgument,
                    "there is no field '\(name)' to match by (known: \(fields.map(\.name).joined(separator: ", ")))")
            }
            columns.append(column)
        }
        (self.key, ignoredKey) = (names, ignored)
        batch = RecordBatch(columns: Columns(RecordDiff.fields(of: fields).map(\.name)))
        let compared = fields.indices.filter { !ignoredKey.contains(fields[$0].name) }
        compare(before, after, fields, by: columns, compared)
    }

    /// The fields of a key that hold a day or time, one for all records of a side and another one for those of the
    /// other; none if they were all of the key.
    private static func ownDays(among key: [String], _ fields: [Field], _ before: Side, _ after: Side) -> [String] {
        let days = key.filter { name in
            guard let column = fields.firstIndex(where: { $0.name == name }),
                fields[column].type == .date || fields[column].type == .datetime
            else { return false }
            let (one, other) = (before.onlyCell(of: column), after.onlyCell(of: column))
            return one != nil && other != nil && one != other
        }
        return days.count < key.count ? days : []
    }

    private mutating func compare(
        _ before: Side, _ after: Side, _ fields: [Field], by key: [Int], _ compared: [Int]
    ) {
        var places = before.places(by: key)
        for place in after.all {
            let record = after.batches[place.batch]
            guard let match = places[after.key(of: place, by: key)]?.popFirst() else {
                added += 1
                append("added", record, place.record, before: .absent)
                continue
            }
            let old = before.batches[match.batch]
            let changes = compared.filter {
                !RecordDiff.isSame(old[match.record, $0], of: old, record[place.record, $0], of: record)
            }
            if changes.isEmpty {
                unchanged += 1
                continue
            }
            changed += 1
            let values = object(of: changes, fields, old, match.record)
            append("changed", record, place.record, before: values)
        }
        let left = places.values.flatMap { $0 }.sorted { ($0.batch, $0.record) < ($1.batch, $1.record) }
        for place in left {
            removed += 1
            append("removed", before.batches[place.batch], place.record, before: .absent)
        }
    }

    /// Whether two cells are the same value.
    private static func isSame(_ one: Cell, of batch: RecordBatch, _ other: Cell, of otherBatch: RecordBatch) -> Bool {
        guard one.kind == other.kind else { return false }
        switch one.kind {
        case .absent, .null: return true
        case .boolean, .date, .dateTime: return one == other
        case .text, .json: return batch.bytes[one.range].elementsEqual(otherBatch.bytes[other.range])
        case .number:
            if batch.bytes[one.range].elementsEqual(otherBatch.bytes[other.range]) { return true }
            guard let number = ExactDecimal(batch.text(of: one)), let next = ExactDecimal(otherBatch.text(of: other))
            else { return false }
            return number == next
        }
    }

    /// Some values of a record as an object of JSON, in the bytes of the differences.
    private mutating func object(of columns: [Int], _ fields: [Field], _ source: RecordBatch, _ record: Int) -> Cell {
        var part = RecordBatch(bytes: source.bytes, columns: Columns(columns.map { fields[$0].name }))
        part.cells = columns.map { source[record, $0] }
        part.origins = [source.origins[record]]
        var encoder = JSONRecordEncoder(.lines)
        var text: [UInt8] = []
        encoder.begin(columns.map { fields[$0] }, into: &text)
        encoder.write(part, into: &text)
        return append(text.dropLast(), as: .json)
    }

    private mutating func append(_ change: String, _ source: RecordBatch, _ record: Int, before: Cell) {
        let first = batch.append(text: change)
        batch.cells.append(first)
        for column in 0..<source.columns.count {
            let cell = source[record, column]
            switch cell.kind {
            case .text, .number, .json: batch.cells.append(append(source.bytes[cell.range], as: cell.kind))
            case .absent, .null, .boolean, .date, .dateTime: batch.cells.append(cell)
            }
        }
        batch.cells.append(before)
        batch.origins.append(source.origins[record])
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>, as kind: Cell.Kind) -> Cell {
        let offset = batch.bytes.count
        batch.bytes += bytes
        return Cell(kind, offset: offset, length: bytes.count, quoted: true)
    }
}

/// All records of one fetch.
private struct Side {
    /// Where a record is.
    struct Place {
        let batch: Int
        let record: Int
    }

    private(set) var batches: [RecordBatch] = []

    init(_ sequence: BatchSequence) async throws(OpenDataError) {
        var iterator = sequence.makeAsyncIterator()
        while let batch = try await iterator.next() { batches.append(batch) }
    }

    var all: [Place] {
        batches.indices.flatMap { batch in batches[batch].origins.indices.map { Place(batch: batch, record: $0) } }
    }

    /// The cell that every record has in a column of days or times, if there is one.
    func onlyCell(of column: Int) -> Cell? {
        var only: Cell?
        for batch in batches {
            for record in 0..<batch.count {
                let cell = batch[record, column]
                if only == nil { only = cell }
                guard cell == only, !cell.isEmpty else { return nil }
            }
        }
        return only
    }

    /// What tells a record apart: kind, length and bytes of each cell of the key.
    func key(of place: Place, by columns: [Int]) -> [UInt8] {
        let batch = batches[place.batch]
        var key: [UInt8] = []
        for column in columns {
            let cell = batch[place.record, column]
            var text: ArraySlice<UInt8> = []
            switch cell.kind {
            case .text, .number, .json: text = batch.bytes[cell.range]
            case .boolean: text = [cell.boolean ? 1 : 0]
            case .date: text = Array(cell.date.description.utf8)[...]
            case .dateTime: text = Array(cell.dateTime.description.utf8)[...]
            case .absent, .null: break
            }
            key.append(cell.kind.rawValue)
            for shift in [0, 8, 16, 24] { key.append(UInt8(truncatingIfNeeded: text.count >> shift)) }
            key += text
        }
        return key
    }

    /// The places of the records of each key, in order.
    func places(by columns: [Int]) -> [[UInt8]: ArraySlice<Place>] {
        var places: [[UInt8]: ArraySlice<Place>] = [:]
        for place in all { places[key(of: place, by: columns), default: []].append(place) }
        return places
    }
}
