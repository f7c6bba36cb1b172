/// The fields of a data set, in the order of every output.
///
/// Names, types and constraints follow the Frictionless Table Schema.
public struct Schema: Sendable, Hashable {
    /// The declared fields; empty for a data set taken as published.
    public var fields: [Field]
    /// The names of the fields whose values together tell records apart.
    public var primaryKey: [String]

    /// Makes a schema.
    ///
    /// - Precondition: field names, companions of marked fields included, are unique.
    public init(_ fields: [Field], primaryKey: [String] = []) {
        var names = fields.map(\.name)
        for field in fields where !field.marks.isEmpty { names += field.markName.map { [$0] } ?? [] }
        // Few and short: to compare each with each takes less than to hash them.
        let areUnique = names.indices.allSatisfy { number in !names[..<number].contains(names[number]) }
        precondition(areUnique, "field names must be unique: \(names)")
        self.fields = fields
        self.primaryKey = primaryKey
    }

    /// No declared fields: every column under its published name, as the payload holds it.
    public static let asPublished = Schema([])

    /// Whether records are taken as published.
    public var isAsPublished: Bool { fields.isEmpty }
}

extension Schema: ExpressibleByArrayLiteral {
    /// Makes a schema without a primary key.
    public init(arrayLiteral fields: Field...) { self.init(fields) }
}
