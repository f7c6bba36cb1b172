import OpenData
import OpenDataCore

/// `odctl describe`: everything about one data set.
struct DescribeCommand: AnswerCommand {
    static let help = Help(
        name: "describe", summary: "Describe a data set: parameters, fields, terms, limits",
        usage: ["odctl describe ID [--json]"], flags: [.json],
        examples: ["odctl describe twse.stock_day", "odctl describe cafenomad.cafes --json"])

    private let description: Description
    private let asJSON: Bool

    init(_ words: [String], _ context: Context) throws(OpenDataError) {
        let parsed = try ParsedArguments(words, flags: DescribeCommand.help.flags)
        description = Description(source: try context.registry.source(parsed.operand("the id of a data set")))
        asJSON = parsed.has(.json)
    }

    func answer(_ context: Context) -> String {
        asJSON ? DatasetJSON.description(description).document : description.text
    }
}
