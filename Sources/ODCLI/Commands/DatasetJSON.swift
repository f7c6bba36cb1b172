import OpenDataCore

/// A data set as JSON.
///
/// In later versions members may join, never leave.
enum DatasetJSON {
    /// What `list --json` says of it.
    static func summary(_ dataset: Dataset) -> JSONText { .object(members(dataset)) }

    /// What `describe --json` says of it.
    static func description(_ description: Description) -> JSONText {
        let dataset = description.source.dataset
        return .object(
            members(dataset) + [
                ("primaryKey", .strings(dataset.schema.primaryKey)), ("formats", .strings(description.formats)),
                ("hosts", .array(description.hosts.map(host))), ("maximumBytes", .integer(dataset.maximumBytes)),
                ("freshness", .string(dataset.freshness.summary)), ("connectorVersion", .string(dataset.version)),
                ("sample", .boolean(description.source.sample != nil)), ("example", .string(description.example)),
            ])
    }

    private static func members(_ dataset: Dataset) -> [(String, JSONText)] {
        [
            ("id", .string(dataset.id)), ("title", .string(dataset.title)), ("english", .string(dataset.english)),
            ("publisher", .string(dataset.publisher)), ("licence", licence(dataset.licence)),
            ("page", .string(dataset.page)), ("cadence", .string(dataset.cadence.rawValue)),
            ("parameters", .array(dataset.parameters.map(parameter))),
            ("fields", .array(dataset.schema.fields.map(field))),
        ]
    }

    private static func licence(_ licence: Licence) -> JSONText {
        .object([("id", .string(licence.id)), ("title", .string(licence.title)), ("url", .optional(licence.url))])
    }

    private static func parameter(_ parameter: Parameter) -> JSONText {
        let choices: JSONText = if case .choice(let choices) = parameter.kind { .strings(choices) } else { .null }
        return .object([
            ("name", .string(parameter.name)), ("flag", .string(parameter.flag)),
            ("kind", .string(parameter.kindName)), ("required", .boolean(parameter.isRequired)),
            ("choices", choices), ("example", .optional(parameter.example)), ("summary", .string(parameter.summary)),
        ])
    }

    private static func field(_ field: Field) -> JSONText {
        .object([
            ("name", .string(field.name)), ("type", .string(field.type.rawValue)),
            ("unit", .optional(field.unit?.rawValue)), ("title", .string(field.title)),
            ("english", .string(field.english)), ("required", .boolean(field.isRequired)),
            ("sourceNames", .strings(field.sourceNames)), ("missingValues", .strings(field.missingValues)),
            ("marks", .strings(field.marks.map(\.text))),
        ])
    }

    private static func host(_ policy: HostPolicy) -> JSONText {
        .object([
            ("host", .string(policy.host)), ("requests", .integer(policy.requests)),
            ("seconds", .integer(Int(policy.period.components.seconds))), ("concurrent", .integer(policy.concurrent)),
        ])
    }
}

extension Parameter {
    /// The kind in a word.
    var kindName: String {
        switch kind {
        case .text: "text"
        case .code: "code"
        case .choice: "choice"
        case .month: "month"
        case .count: "count"
        case .year: "year"
        case .filter: "filter"
        case .date: "date"
        case .secret: "secret"
        }
    }
}
