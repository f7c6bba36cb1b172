public import OpenDataCore

/// What a person asks for by one word: a data set of the registry, one of a catalogue, an address, or a file.
public enum SourceReference: Sendable {
    /// A data set that a connector describes.
    case registered(any DataSource)
    /// A data set that a catalogue lists, by what stands behind the colon.
    case catalogued(any Catalogue, String)
    /// An address.
    case address(UndescribedSource)
    /// A file, by its path; `-` is standard input.
    case file(path: String)

    /// Reads a word.
    ///
    /// An id of the registry comes first, then a catalogue's prefix, then an address, then a file that is there, or a
    /// link that should lead to one; `./NAME` is always a file. Throws ``OpenDataError/Code/unknownDataset`` for a word
    /// that is none of these, ``OpenDataError/Code/unreadable`` for a path to nothing, and
    /// ``OpenDataError/Code/badAddress``.
    public init(_ word: String, _ registry: Registry) throws(OpenDataError) {
        if let source = registry.all.first(where: { $0.dataset.id == word }) {
            self = .registered(source)
            return
        }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        if parts.count == 2, let catalogue = registry.catalogues.first(where: { $0.prefix == parts[0] }) {
            // What cannot be a reference is told before anybody is asked.
            _ = try catalogue.request(parts[1])
            self = .catalogued(catalogue, parts[1])
            return
        }
        let isAddress =
            parts.count == 2 && (parts[1].hasPrefix("//") || ["http", "https"].contains(parts[0].lowercased()))
        if isAddress, parts[1].hasPrefix("//") || !SystemFile.exists(word) {
            self = .address(try UndescribedSource(url: word))
            return
        }
        if word == "-" || word.hasPrefix("./") || word.hasPrefix("../") || word.hasPrefix("/") {
            self = .file(path: word)
            return
        }
        if SystemFile.exists(word, followsLinks: false) {
            self = .file(path: word)
            return
        }
        do throws(OpenDataError) {
            _ = try registry.source(word)
        } catch {
            var error = error
            error.message += "; nor is there a file of that name"
            throw error
        }
        throw OpenDataError(.unknownDataset, "there is no data set '\(word)'")
    }

    /// The source as far as it is known without asking anybody: its id and its parameters.
    public var outline: any DataSource {
        switch self {
        case .registered(let source): return source
        case .address(let source): return source
        case .file(let path):
            return UndescribedSource(name: path == "-" ? "standard input" : path)
        case .catalogued(let catalogue, let reference):
            var source = UndescribedSource(name: "\(catalogue.prefix):\(reference)")
            source.dataset.parameters.insert(UndescribedSource.resourceParameter, at: 0)
            return source
        }
    }
}

extension Client {
    /// What a catalogue says of a data set: from the copy that is kept, if it is current or nobody may be asked.
    ///
    /// Throws what the transport throws, and what the catalogue says of an answer.
    public func entry(
        of catalogue: any Catalogue, _ reference: String, cache: CachePolicy = CachePolicy()
    ) async throws(OpenDataError) -> CatalogueEntry {
        var request = try catalogue.request(reference)
        request.hosts = catalogue.hosts
        request.cache = cache
        request.freshness = .age(.seconds(600))
        request.dataset = "\(catalogue.prefix):\(reference)#description"
        let payload: Payload
        do throws(OpenDataError) {
            payload = try await send(request)
        } catch {
            guard error.code == .notFound else { throw error }
            throw OpenDataError(
                .notFound, "\(request.host) has no data set '\(reference)'",
                dataset: "\(catalogue.prefix):\(reference)",
                url: error.url, status: error.status)
        }
        var body: [UInt8] = []
        try payload.forEachPiece { piece throws(OpenDataError) in body += piece }
        do throws(OpenDataError) {
            return try catalogue.entry(reference, from: body)
        } catch {
            throw error.adding(dataset: "\(catalogue.prefix):\(reference)", url: request.redactedURL)
        }
    }

    /// The source that a reference stands for, a catalogue being asked if it has to be.
    ///
    /// Throws what ``entry(of:_:cache:)`` throws, ``OpenDataError/Code/badArgument`` where the arguments do not choose
    /// one resource, and ``OpenDataError/Code/unexpectedContent`` where the portal names no address of the web for it.
    public func source(
        _ reference: SourceReference, _ arguments: Arguments, cache: CachePolicy = CachePolicy()
    ) async throws(OpenDataError) -> any DataSource {
        guard case .catalogued(let catalogue, let name) = reference else { return reference.outline }
        let entry = try await entry(of: catalogue, name, cache: cache)
        let resource = try entry.resource(arguments["resource"])
        return try UndescribedSource(entry, resource, portal: try catalogue.request(name).host, arguments)
    }
}
