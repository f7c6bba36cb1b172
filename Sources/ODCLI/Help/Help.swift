import OpenDataFormats

/// The help of one command: what its `--help` and `odctl help` show.
struct Help: Sendable {
    /// The name of the command.
    let name: String
    /// One line for the list of commands.
    let summary: String
    /// The forms of the command line.
    let usage: [String]
    /// What it does, in paragraphs of ready lines.
    var details: [String] = []
    /// The flags, but for `--help`.
    var flags: [Flag] = []
    /// Command lines to try.
    var examples: [String] = []

    /// The text, with a line break at the end.
    ///
    /// `extra` are further sections.
    func text(_ extra: [String] = []) -> String {
        var sections = [summary + ".", Help.section("Usage", usage)]
        sections += details
        sections.append(Help.section("Flags", Help.rows((flags + [.help]).map { ($0.usage, $0.summary) })))
        sections += extra
        if !examples.isEmpty { sections.append(Help.section("Examples", examples)) }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// A title and indented lines.
    static func section(_ title: String, _ lines: [String]) -> String {
        ([title + ":"] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    /// Two columns; a name too long for its column has a line of its own, a long explanation goes on in the next.
    static func rows(_ rows: [(String, String)], width: Int = 26) -> [String] {
        rows.flatMap { name, summary in
            var lines = wrapped(summary, columns: 96 - width)
            let columns = DisplayWidth.columns(of: name)
            var first = name
            if columns + 2 <= width, !lines.isEmpty {
                first += String(repeating: " ", count: width - columns) + lines.removeFirst()
            }
            return [first] + lines.map { String(repeating: " ", count: width) + $0 }
        }
    }

    /// The text in lines of at most so many columns, broken at spaces.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let width = DisplayWidth.columns(of: String(word))
            if let last = lines.last, DisplayWidth.columns(of: last) + 1 + width <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
