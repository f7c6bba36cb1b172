import OpenDataCore

/// The parameters of a data set on the command line: `--stock-no 2330`, `-p stock_no=2330`.
enum ParameterFlags {
    /// The arguments given, and secrets of the environment.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` for flags of other data sets and for parameters given twice.
    /// - Parameter own: The flags of the command, which come in front of parameters of the same name.
    static func arguments(
        _ parsed: ParsedArguments, of dataset: Dataset, own: Set<String>, _ context: Context
    ) throws(OpenDataError) -> Arguments {
        var arguments = Arguments()
        for name in parsed.names where !own.contains(name) {
            guard let parameter = dataset.parameters.first(where: { $0.flag == name }) else {
                throw foreign(name, dataset)
            }
            arguments[parameter.name] = parsed[Flag(parameter)]
        }
        for text in parsed.all(.parameter) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw OpenDataError(.badArgument, "-p takes NAME=VALUE, not '\(text)'")
            }
            let name = String(parts[0])
            guard arguments[name] == nil else {
                throw OpenDataError(.badArgument, "the parameter \(name) is given twice")
            }
            arguments[name] = String(parts[1])
        }
        for parameter in dataset.parameters where arguments[parameter.name] == nil {
            guard case .secret(let variable) = parameter.kind, let secret = context.environment[variable] else {
                continue
            }
            if !secret.isEmpty { arguments[parameter.name] = secret }
        }
        return arguments
    }

    private static func foreign(_ name: String, _ dataset: Dataset) -> OpenDataError {
        let flags = dataset.parameters.map(\.flag)
        let near = Spelling.nearest(to: name, in: flags).map { "; did you mean '\($0)'?" } ?? ""
        let known = flags.isEmpty ? "it takes no parameters" : "it takes \(flags.joined(separator: ", "))"
        return OpenDataError(.badArgument, "\(dataset.id) has no flag '\(name)'\(near) (\(known))")
    }
}
