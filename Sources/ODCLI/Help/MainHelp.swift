/// The help of the whole.
enum MainHelp {
    static var text: String {
        let commands = Help.rows(Commands.all.map { ($0.help.name, $0.help.summary) }, width: 12)
        let flags = [
            (Flag.help.usage, "Show this help and end; after a command, that command's."),
            (Flag.version.usage, Flag.version.summary),
        ]
        return """
            odctl fetches open data: politely, typed, and never silently wrong.

            \(Help.section("Usage", ["odctl COMMAND [ARGUMENTS] [FLAGS]"]))

            \(Help.section("Commands", commands))

            \(Help.section("Flags", Help.rows(flags)))

            Data go to standard output and nothing else does; notices, counts and errors go to standard error.

            \(Help.section("Start with", ["odctl list", "odctl describe ID", "odctl fetch ID --sample"]))

            """
    }
}
