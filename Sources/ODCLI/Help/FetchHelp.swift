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
            """
            A file, - for standard input, an address, or a portal's data set such as datagovtw:40448 may
            stand in place of ID. How it is written is found by evidence; the parameters below say it instead.
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

    /// The parameters of the data set that the command line names, or those of sources that nobody has described.
    static func extra(_ words: [String], _ context: Context) -> [String] {
        guard let source = context.registry.all.first(where: { words.contains($0.dataset.id) }) else {
            let parameters = [UndescribedSource.resourceParameter] + UndescribedSource.parameters
            return [
                Help.section("Parameters of files, addresses and portals' data sets", Description.rows(parameters))
            ]
        }
        if source.dataset.parameters.isEmpty { return [] }
        return [Help.section("Parameters of \(source.dataset.id)", Description.rows(source.dataset.parameters))]
    }
}
