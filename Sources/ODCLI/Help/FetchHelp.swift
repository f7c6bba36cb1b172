import OpenData
import OpenDataCore

/// The parts that the help of `fetch` and that of `export` share.
enum FetchHelp {
    /// What both commands do with parameters and records, after what only one of them does.
    static func details(_ own: String) -> [String] {
        [
            """
            The parameters of a data set are flags: --stock-no 2330, or --stock-no=2330. 'odctl describe ID'
            tells them. Flags may stand before or after ID; words after -- are no flags.
            """,
            own,
            """
            A record that does not fit the schema is left out and told on standard error; more of them than
            --allow-rejects allows make the exit status 65. --rejects FILE has all of them, --on-error null
            keeps them without the value. A line with the counts ends standard error.
            """,
            """
            Every download is kept, and what has not changed is not downloaded again: see 'odctl cache --help'.
            """,
            """
            ODCTL_REWRITE holds further rewrites, parted by spaces.
            """,
        ]
    }

    /// The parameters of the data set that the command line names, if it names one.
    static func extra(_ words: [String], _ context: Context) -> [String] {
        guard let source = context.registry.all.first(where: { words.contains($0.dataset.id) }),
            !source.dataset.parameters.isEmpty
        else { return [] }
        return [Help.section("Parameters of \(source.dataset.id)", Description.rows(source.dataset.parameters))]
    }
}
