import OpenDataCore

/// What there is to say about a data set, some of it worked out from its declaration.
struct Description: Sendable {
    let source: any DataSource

    /// The examples of the parameters that are required.
    private var exampleArguments: Arguments {
        var arguments = Arguments()
        for parameter in source.dataset.parameters where parameter.isRequired {
            arguments[parameter.name] = parameter.example
        }
        return arguments
    }

    /// The formats that the publisher sends, with text encodings other than UTF-8.
    var formats: [String] {
        var texts: [String] = []
        for format in source.formats(exampleArguments) {
            let encodings = format.encodings.map(\.rawValue).joined(separator: " or ")
            let text = format.name + (format.encodings == [.utf8] ? "" : " (\(encodings))")
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    /// How the hosts are treated, with the one that is asked even if nobody has described it.
    var hosts: [HostPolicy] {
        let asked = (try? source.requests(source.arguments.overridden(by: exampleArguments)))?.first?.host ?? ""
        let declared = source.dataset.hosts
        guard !asked.isEmpty, !declared.contains(where: { $0.host == asked }) else { return declared }
        return declared + [.careful(host: asked)]
    }

    /// A command line that fetches the data set.
    var example: String {
        let parameters = source.dataset.parameters.filter(\.isRequired)
        let flags = parameters.compactMap { parameter in parameter.example.map { " \(parameter.flag) \($0)" } }
        return "odctl fetch \(source.dataset.id)" + flags.joined()
    }

    /// Everything as text.
    var text: String {
        let dataset = source.dataset
        let licence = [dataset.licence.id, dataset.licence.title, dataset.licence.url].compactMap { $0 }
        let facts = [
            ("title", dataset.title), ("english", dataset.english), ("publisher", dataset.publisher),
            ("licence", licence.joined(separator: ", ")), ("page", dataset.page), ("cadence", dataset.cadence.rawValue),
            ("current", dataset.freshness.summary),
            ("formats", formats.joined(separator: ", ")),
            ("limits", hosts.map(Description.limit).joined(separator: "; ")),
            ("sample", source.sample == nil ? "no" : "yes, for --sample"),
        ]
        var sections = [([dataset.id] + Help.rows(facts, width: 12).map { "  " + $0 }).joined(separator: "\n")]
        if !dataset.parameters.isEmpty {
            sections.append(Help.section("Parameters", Description.rows(dataset.parameters)))
        }
        sections.append(fields)
        if !dataset.schema.primaryKey.isEmpty {
            sections.append(Help.section("Told apart by", [dataset.schema.primaryKey.joined(separator: ", ")]))
        }
        sections.append(Help.section("Example", [example]))
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// Parameters as rows of help.
    static func rows(_ parameters: [Parameter]) -> [String] {
        let rows = parameters.map { parameter in
            var notes = [parameter.kindName, parameter.isRequired ? "required" : "optional"]
            switch parameter.kind {
            case .choice(let choices): notes.append("one of \(choices.joined(separator: ", "))")
            case .secret(let variable): notes.append("else from the environment's \(variable)")
            default: break
            }
            if let example = parameter.example { notes.append("for example \(example)") }
            return (
                "\(parameter.flag) \(parameter.valueName)", "\(parameter.summary) (\(notes.joined(separator: "; ")))"
            )
        }
        return Help.rows(rows)
    }

    private var fields: String {
        let schema = source.dataset.schema
        guard !schema.isAsPublished else { return Help.section("Fields", ["as published"]) }
        let rows = schema.fields.map { field in
            var notes = field.isRequired ? ["required"] : []
            if !field.marks.isEmpty { notes.append("marks \(field.marks.map(\.text).joined(separator: " "))") }
            return [
                field.name, field.type.rawValue, notes.joined(separator: ", "), field.unit?.rawValue ?? "",
                field.title, field.english, field.sourceNames.joined(separator: ", "),
            ]
        }
        let header = ["NAME", "TYPE", "NOTES", "UNIT", "TITLE", "ENGLISH", "PUBLISHED AS"]
        return Help.section("Fields", TextTable.lines([header] + rows))
    }

    private static func limit(_ policy: HostPolicy) -> String {
        "\(policy.host) \(policy.requests) requests in \(policy.period.components.seconds) s, "
            + "\(policy.concurrent) at a time"
    }
}
