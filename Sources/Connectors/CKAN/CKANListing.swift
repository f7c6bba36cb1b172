import OpenDataCore

/// The data sets that a portal which runs CKAN finds for a few words.
struct CKANListing: DataSource {
    let portal: String
    let words: [String]

    var dataset: Dataset {
        Dataset(
            id: "ckan.listing", title: portal, english: "Data sets of \(portal)", publisher: portal, licence: .unstated,
            page: portal,
            schema: .catalogue(
                [
                    "id": "name", "publisher": "organization.title", "publisher": "author", "summary": "notes",
                    "modified": "metadata_modified", "licence": "license_title",
                ], more: [Field("resources", sourceNames: [], type: .any, optionalColumn: true)]),
            maximumBytes: 64 << 20, freshness: .age(.seconds(3600)))
    }

    let format = Format.json(JSONLayout(records: ["result.results"], nested: .columns))

    /// The portal's own search, whose hits it ranks itself; a hundred of them.
    func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try Request(
            portal + "/api/3/action/package_search", query: ["q": words.joined(separator: " "), "rows": "100"],
            maximumBytes: 64 << 20)
    }
}
