import OpenDataCore

/// A schema in the words of the Frictionless Table Schema (version 1, https://specs.frictionlessdata.io/table-schema/).
enum TableSchemaJSON {
    /// The descriptor.
    static func document(_ schema: Schema) -> JSONText {
        var members: [(name: String, value: JSONText)] = [("fields", .array(schema.fields.map(field)))]
        // What is written for no value; the publisher's own words for it are with each field.
        members.append(("missingValues", .strings([""])))
        if !schema.primaryKey.isEmpty { members.append(("primaryKey", .strings(schema.primaryKey))) }
        return .object(members)
    }

    private static func field(_ field: Field) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("name", .string(field.name)), ("type", .string(field.type.rawValue)),
        ]
        if field.title != field.name { members.append(("title", .string(field.title))) }
        let plain = String(field.name.map { $0 == "_" ? " " : $0 })
        if field.english != plain { members.append(("description", .string(field.english))) }
        if let unit = field.unit { members.append(("unit", .string(unit.rawValue))) }
        let names = field.sourceNames.filter { $0 != field.name }
        if !names.isEmpty { members.append(("sourceNames", .strings(names))) }
        let missing = field.missingValues.filter { !$0.isEmpty }
        if !missing.isEmpty { members.append(("sourceMissingValues", .strings(missing))) }
        if field.isRequired { members.append(("constraints", .object([("required", .boolean(true))]))) }
        return .object(members)
    }
}
