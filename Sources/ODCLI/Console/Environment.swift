#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The variables of an environment, each read when it is asked for.
struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    /// The environment of the process.
    static let process = Environment { name in unsafe getenv(name).map { unsafe String(cString: $0) } }

    /// An environment of given variables.
    init(_ variables: [String: String]) { self.init { variables[$0] } }

    private init(_ value: @escaping @Sendable (String) -> String?) { self.value = value }

    /// The value of a variable, if it is set.
    subscript(_ name: String) -> String? { value(name) }
}
