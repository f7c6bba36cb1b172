public import OpenDataCore

/// How records are to be written, beyond the name of the format.
public struct EncoderOptions: Sendable {
    /// Whether the output begins with a byte order mark, by which Excel knows UTF-8; for `csv` and `tsv` only.
    public var byteOrderMark = false

    /// Makes the default options.
    public init() {}
}

/// The formats that records can be written in, by name.
///
/// To add a format, write a ``RecordEncoder`` in a file of its own and add one line to ``standard``.
public struct EncoderRegistry: Sendable {
    /// A format that records can be written in.
    public struct Entry: Sendable {
        /// The name that people ask for.
        public var name: String
        /// The endings of files in the format, in lower case, without the dot; empty if it is for eyes only.
        public var fileEndings: [String]
        /// Whether ``EncoderOptions/byteOrderMark`` means something to the format.
        public var takesByteOrderMark: Bool
        /// Makes a new encoder.
        public var make: @Sendable (EncoderOptions) -> any RecordEncoder

        /// Makes an entry.
        public init(
            _ name: String, fileEndings: [String] = [], takesByteOrderMark: Bool = false,
            make: @escaping @Sendable (EncoderOptions) -> any RecordEncoder
        ) {
            self.name = name
            self.fileEndings = fileEndings
            self.takesByteOrderMark = takesByteOrderMark
            self.make = make
        }
    }

    /// The formats, in the order that people see them in.
    public let entries: [Entry]

    /// Makes a registry; of two entries with one name the first counts.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The formats of this package.
    public static let standard = EncoderRegistry([
        Entry("table") { _ in TableEncoder() },
        Entry("json", fileEndings: ["json"]) { _ in JSONRecordEncoder(.array) },
        Entry("ndjson", fileEndings: ["ndjson", "jsonl"]) { _ in JSONRecordEncoder(.lines) },
        Entry("csv", fileEndings: ["csv"], takesByteOrderMark: true) {
            CSVRecordEncoder(.comma, byteOrderMark: $0.byteOrderMark)
        },
        Entry("tsv", fileEndings: ["tsv", "tab"], takesByteOrderMark: true) {
            CSVRecordEncoder(.tab, byteOrderMark: $0.byteOrderMark)
        },
        Entry("markdown", fileEndings: ["md", "markdown"]) { _ in MarkdownEncoder() },
    ])

    /// The names of the formats, in order.
    public var names: [String] { entries.map(\.name) }

    /// Makes an encoder of the format of that name.
    ///
    /// Throws ``OpenDataError/Code/badArgument`` if there is no such format, with the nearest name and the list, or if
    /// the format cannot do what the options ask for.
    public func encoder(
        named name: String, options: EncoderOptions = EncoderOptions()
    ) throws(OpenDataError) -> any RecordEncoder {
        guard let entry = entries.first(where: { $0.name == name }) else {
            // A file's ending used for the format's name is more than a slip of the pen: `md`, `jsonl`.
            let guess = self.name(forEnding: name) ?? Spelling.nearest(to: name, in: names)
            let hint = guess.map { "; did you mean \($0)?" } ?? "."
            let list = names.joined(separator: ", ")
            throw OpenDataError(.badArgument, "there is no output format \(name)\(hint) The formats are \(list)")
        }
        guard !options.byteOrderMark || entry.takesByteOrderMark else {
            let able = entries.filter(\.takesByteOrderMark).map(\.name).joined(separator: " and ")
            throw OpenDataError(
                .badArgument, "\(name) has no byte order mark; leave the option out, or write \(able)")
        }
        return entry.make(options)
    }

    /// The format that a file's ending stands for, or `nil` for an ending of no format.
    ///
    /// The ending is what follows the last dot of the last part of the path, in any case; a name that only begins with
    /// a dot has none.
    public func name(forPath path: String) -> String? {
        let file =
            path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? path.utf8[...]
        guard let dot = file.lastIndex(of: UInt8(ascii: ".")), dot > file.startIndex else { return nil }
        return name(forEnding: String(file[file.index(after: dot)...]) ?? "")
    }

    private func name(forEnding ending: String) -> String? {
        let ending = ending.lowercased()
        return entries.first { $0.fileEndings.contains(ending) }?.name
    }
}
