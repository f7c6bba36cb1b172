public import OpenDataCore

/// The payloads within a compressed one, to be decoded one after the other.
public struct ArchivedPayloads: Sendable {
    private enum Content: Sendable {
        case zip(ZipArchive, [ZipArchive.Member])
        case gzip(Payload, maximumBytes: Int)
    }

    private let content: Content
    /// What each is called, fit to be shown.
    public let names: [String]
    /// What was found that a reader should know of, a short sentence each.
    public let findings: [String]

    /// Looks into a payload; `nil` if it is neither a ZIP archive nor a gzip file.
    ///
    /// Throws what ``ZipArchive`` throws for the archive and the choice of its members, and
    /// ``OpenDataError/Code/badArgument`` for a choice where there are none.
    /// - Parameters:
    ///   - payload: The payload, which has to be repeatable.
    ///   - member: The member's name, or a pattern: see ``ZipArchive/select(_:)``.
    ///   - maximumBytes: The most bytes that all of it may have after decompression.
    public init?(_ payload: Payload, member: String? = nil, maximumBytes: Int) throws(OpenDataError) {
        switch ContentKind(head: try payload.head(64)) {
        case .zip:
            let archive = try ZipArchive(payload, maximumBytes: maximumBytes)
            let members = try archive.select(member)
            content = .zip(archive, members)
            names = members.map(\.shownName)
            findings = ["the payload is a ZIP archive, of which \(ArchivedPayloads.told(members)) read"]
        case .gzip:
            if member != nil { throw OpenDataError(.badArgument, "a gzip file has no members to choose from") }
            content = .gzip(payload, maximumBytes: maximumBytes)
            let name = payload.response.fileName ?? "data"
            names = [ArchiveName.visible(name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name)]
            findings = ["the payload is compressed by gzip"]
        default:
            if member != nil {
                throw OpenDataError(.badArgument, "--member is for ZIP archives, and the payload is none")
            }
            return nil
        }
    }

    /// The number of payloads.
    public var count: Int { names.count }

    /// One of the payloads, from 0, decompressed into a temporary file and checked to its end.
    ///
    /// Throws ``OpenDataError/Code/malformed`` and ``OpenDataError/Code/truncated`` for broken data,
    /// ``OpenDataError/Code/tooLarge`` for too much of them, and ``OpenDataError/Code/unwritable``.
    public func payload(_ index: Int) throws(OpenDataError) -> Payload {
        switch content {
        case .zip(let archive, let members): return try archive.payload(of: members[index])
        case .gzip(let payload, let maximumBytes):
            var copy = payload
            let source = try GzipSource(try payload.open(), maximumBytes: maximumBytes)
            copy.body = .temporary(try TemporaryFile(holding: source))
            copy.response.headers.removeAll { ["content-disposition", "content-type"].contains($0.name.lowercased()) }
            copy.response.headers += Response(fileName: names[index], url: "").headers
            return copy
        }
    }

    private static func told(_ members: [ZipArchive.Member]) -> String {
        members.count == 1 ? "'\(members[0].shownName)' is" : "\(members.count) members are"
    }
}
