/// What a caller said: values by parameter name.
public struct Arguments: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var values: [String: String]

    /// Makes arguments of values by parameter name.
    public init(_ values: [String: String] = [:]) { self.values = values }

    /// Makes arguments of values by parameter name.
    public init(dictionaryLiteral elements: (String, String)...) {
        values = Dictionary(elements) { _, last in last }
    }

    /// The value of a parameter, or `nil` if it was not given.
    public subscript(_ name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The names given, sorted.
    public var names: [String] { values.keys.sorted() }

    /// These arguments, with the values of others in front.
    public func overridden(by others: Arguments) -> Arguments {
        Arguments(values.merging(others.values) { _, other in other })
    }

    /// The value of a parameter that must be there.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` if it is not.
    public func required(_ name: String) throws(OpenDataError) -> String {
        guard let value = values[name] else {
            throw OpenDataError(.badArgument, "\(Parameter(name, .text, "").flag) is needed", field: name)
        }
        return value
    }

    /// The months of a parameter of kind ``Parameter/Kind/month(range:)``, in order; empty if it was not given.
    public func months(_ name: String) -> [YearMonth] {
        values[name].flatMap { Arguments.months(in: $0, range: true) } ?? []
    }

    /// Throws ``OpenDataError/Code/badArgument`` for a name that is not declared, a value that its parameter does not
    /// take, or, unless `allowMissing`, a required parameter without a value; of a secret,
    /// ``OpenDataError/Code/unauthorised``.
    public func validate(against parameters: [Parameter], allowMissing: Bool = false) throws(OpenDataError) {
        for name in names {
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                let hint = Spelling.nearest(to: name, in: parameters.map(\.name)).map { "; did you mean \($0)?" } ?? ""
                let known =
                    parameters.isEmpty ? "it takes none" : "it takes \(parameters.map(\.name).joined(separator: ", "))"
                throw OpenDataError(.badArgument, "the data set has no parameter '\(name)'\(hint) (\(known))")
            }
            try parameter.validate(values[name] ?? "")
        }
        for parameter in parameters where !allowMissing && parameter.isRequired && values[parameter.name] == nil {
            if case .secret(let variable) = parameter.kind {
                throw OpenDataError(
                    .unauthorised,
                    "\(parameter.flag) is needed, or \(variable) in the environment: \(parameter.summary)",
                    field: parameter.name)
            }
            let example = parameter.example.map { ", for example \(parameter.flag) \($0)" } ?? ""
            throw OpenDataError(.badArgument, "\(parameter.flag) is needed\(example)", field: parameter.name)
        }
    }

    /// The months that a text names, at most 1,200, or `nil` if it names none.
    static func months(in text: String, range: Bool) -> [YearMonth]? {
        let parts = text.pieces(between: "..")
        guard let first = parts.first.flatMap({ YearMonth(parsing: $0) }), parts.count <= (range ? 2 : 1),
            let last = parts.last.flatMap({ YearMonth(parsing: $0) }), first <= last
        else { return nil }
        var months = [first]
        while let month = months.last, month < last {
            guard months.count < 1200, let next = month.next else { return nil }
            months.append(next)
        }
        return months
    }
}
