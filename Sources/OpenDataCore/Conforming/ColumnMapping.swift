/// Which column of a payload each field of a schema comes from.
struct ColumnMapping: Sendable {
    /// The columns mapped.
    let columns: Columns
    /// The column of each field, or `nil` for a constant or null.
    let sources: [Int?]
    /// Whether a column is read by several fields.
    let sharesColumns: Bool
    /// The constant of each field that has no column and has one.
    let constants: [String?]
    /// The column of each field's marks, as an earlier export has them.
    let markSources: [Int?]
    /// The names of fields whose columns are missing, and may be.
    let missing: [String]
    /// The names of columns that no field comes from.
    let unknown: [String]

    /// Maps columns by name, less white space around it, a field's published names in front of its own.
    ///
    /// Throws ``OpenDataError/Code/schemaChanged`` with every column that is missing, or the one that stands twice, and
    /// ``OpenDataError/Code/unexpectedContent`` for a sentence in place of a header.
    init(_ schema: Schema, _ columns: Columns, constants: [String: String]) throws(OpenDataError) {
        var sources: [Int?] = []
        var texts: [String?] = []
        var missing: [Field] = []
        var used = Set<Int>()
        let places = Dictionary(grouping: columns.names.indices) { ColumnMapping.key(columns.names[$0]) }
        for field in schema.fields {
            let places = (field.sourceNames + [field.name]).lazy.compactMap { places[ColumnMapping.key($0)] }.first
            if let places, places.count > 1 {
                throw OpenDataError(
                    .schemaChanged, "the column '\(columns.names[places[0]])' stands \(places.count) times",
                    field: field.name)
            }
            sources.append(places?.first)
            if let place = places?.first { used.insert(place) }
            texts.append(places == nil ? constants[field.name] : nil)
            if places == nil, constants[field.name] == nil, !field.isOptionalColumn { missing.append(field) }
        }
        let markSources = schema.fields.map { field in
            field.markName.flatMap { places[Array($0.utf8)]?.first }
        }
        used.formUnion(markSources.compactMap { $0 })
        self.markSources = markSources
        unknown = columns.names.indices.filter { !used.contains($0) }.map { columns.names[$0] }.filter { !$0.isEmpty }
        if used.isEmpty, columns.count == 1 {
            throw OpenDataError(
                .unexpectedContent, "a table was due and this came: '\(columns.names[0].prefix(80))'")
        }
        if !missing.isEmpty {
            throw OpenDataError(
                .schemaChanged, ColumnMapping.message(missing, of: columns, unknown: unknown),
                field: missing.count == 1 ? missing[0].name : nil)
        }
        self.columns = columns
        self.missing = zip(schema.fields, zip(sources, texts)).filter { $1.0 == nil && $1.1 == nil }.map(\.0.name)
        sharesColumns = Set(sources.compactMap { $0 }).count < sources.count { $0 != nil }
        self.sources = sources
        self.constants = texts
    }

    /// Whether the mapping is for columns of exactly these names.
    func isFor(_ other: Columns) -> Bool {
        columns.count == other.count
            && zip(columns.names, other.names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// What names are compared by: their bytes, less spaces and tabs around them.
    private static func key(_ name: String) -> [UInt8] {
        var bytes = Array(name.utf8)[...]
        while bytes.first == 0x20 || bytes.first == 0x09 { bytes.removeFirst() }
        while bytes.last == 0x20 || bytes.last == 0x09 { bytes.removeLast() }
        return Array(bytes)
    }

    private static func message(_ missing: [Field], of columns: Columns, unknown: [String]) -> String {
        let wanted = missing.map { field in
            let name = field.sourceNames.first ?? field.name
            let others = field.sourceNames.dropFirst().map { "'\($0)'" }.joined(separator: " or ")
            let likely = Spelling.nearest(to: name, in: unknown).map { ", perhaps now '\($0)'" } ?? ""
            return "'\(name)'" + (others.isEmpty ? "" : " (or \(others))") + likely
        }
        let found = columns.names.prefix(40).map { "'\($0)'" }.joined(separator: ", ")
        return "the payload has no column \(wanted.joined(separator: ", ")); it has \(found.isEmpty ? "none" : found)"
    }
}
