public import OpenDataCore

/// The data sets that can be asked for by id.
public struct Registry: Sendable {
    private var sources: [any DataSource] = []
    /// The portals whose data sets can be asked for by their names there.
    public private(set) var catalogues: [any Catalogue] = []

    /// Makes a registry of data sources and portals.
    ///
    /// - Precondition: ids and prefixes are unique.
    public init(_ sources: [any DataSource] = [], catalogues: [any Catalogue] = []) {
        for source in sources { register(source) }
        for catalogue in catalogues { register(catalogue) }
    }

    /// Adds a portal.
    ///
    /// - Precondition: no other has its prefix.
    public mutating func register(_ catalogue: any Catalogue) {
        precondition(!catalogues.contains { $0.prefix == catalogue.prefix }, "two portals are '\(catalogue.prefix)'")
        catalogues.append(catalogue)
    }

    /// Adds a data source.
    ///
    /// - Precondition: no other has its id.
    public mutating func register(_ source: any DataSource) {
        precondition(!ids.contains(source.dataset.id), "two data sources have the id \(source.dataset.id)")
        sources.append(source)
    }

    /// Every data source, sorted by id.
    public var all: [any DataSource] { sources.sorted { $0.dataset.id < $1.dataset.id } }

    /// Every id, sorted.
    public var ids: [String] { sources.map(\.dataset.id).sorted() }

    /// The data source of an id.
    ///
    /// Throws ``OpenDataError/Code/unknownDataset`` with the nearest id.
    public func source(_ id: String) throws(OpenDataError) -> any DataSource {
        if let source = sources.first(where: { $0.dataset.id == id }) { return source }
        // A part of an id is as good a hint as a slip: `stock_day_all` for `twse.stock_day_all`.
        let near =
            ids.filter { id.utf8.count >= 3 && $0.holds(id) }.min { $0.count < $1.count }
            ?? Spelling.nearest(to: id, in: ids)
        let hint = near.map { "; did you mean '\($0)'?" } ?? ""
        throw OpenDataError(
            .unknownDataset, "there is no data set '\(id)'\(hint) (known: \(ids.joined(separator: ", ")))")
    }
}
