import OpenData
import OpenDataCore

/// `odctl list`: every data set, a line each.
struct ListCommand: AnswerCommand {
    static let help = Help(
        name: "list", summary: "List the data sets", usage: ["odctl list [--json]"],
        details: [
            """
            Columns: id, title, title in English, publisher, and the parameters as flags of 'fetch' and
            'export'; those in brackets may be left out.
            """
        ],
        flags: [.json], examples: ["odctl list", "odctl list --json"])

    private let asJSON: Bool

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: ListCommand.help.flags)
        try parsed.noOperands()
        asJSON = parsed.has(.json)
    }

    func answer(_ context: Context) -> String {
        let datasets = context.registry.all.map(\.dataset)
        if asJSON { return JSONText.array(datasets.map(DatasetJSON.summary)).document }
        let rows = datasets.map { dataset in
            [dataset.id, dataset.title, dataset.english, dataset.publisher, ListCommand.flags(dataset.parameters)]
        }
        let lines = TextTable.lines([["ID", "TITLE", "ENGLISH", "PUBLISHER", "PARAMETERS"]] + rows)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func flags(_ parameters: [Parameter]) -> String {
        parameters.map { $0.isRequired ? $0.flag : "[\($0.flag)]" }.joined(separator: " ")
    }
}
