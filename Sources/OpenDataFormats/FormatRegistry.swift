public import OpenDataCore

/// The formats that can be read, by name.
///
/// Adding one is a file with its decoder and a line in ``standard``.
public struct FormatRegistry: Sendable {
    /// Makes a decoder for a format of the registered name.
    public typealias Factory = @Sendable (Format) throws(OpenDataError) -> any RecordDecoder

    private var factories: [String: Factory]

    /// Makes a registry of decoders by format name.
    public init(_ factories: [String: Factory]) { self.factories = factories }

    /// Every format of the package.
    public static let standard = FormatRegistry([
        "csv": { format throws(OpenDataError) in CSVDecoder(try format.dialect(as: CSVDialect.self)) },
        "json": { format throws(OpenDataError) in JSONRecordDecoder(try format.dialect(as: JSONLayout.self)) },
        "xml": { format throws(OpenDataError) in XMLRecordDecoder(try format.dialect(as: XMLLayout.self)) },
    ])

    /// The registered names, sorted.
    public var names: [String] { factories.keys.sorted() }

    /// Registers a format under its name.
    public mutating func register(_ name: String, _ factory: @escaping Factory) { factories[name] = factory }

    /// A decoder for the format.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` if its name is not registered.
    public func decoder(for format: Format) throws(OpenDataError) -> any RecordDecoder {
        guard let factory = factories[format.name] else {
            throw OpenDataError(
                .badArgument,
                "no decoder is registered for the format '\(format.name)' (\(names.joined(separator: ", ")))")
        }
        return try factory(format)
    }
}

extension Format {
    /// The dialect, which must be of the format's own type.
    func dialect<Dialect: FormatDialect>(as type: Dialect.Type) throws(OpenDataError) -> Dialect {
        guard let dialect = dialect as? Dialect else {
            throw OpenDataError(.badArgument, "the format '\(name)' takes a \(type), not \(dialect)")
        }
        return dialect
    }
}
