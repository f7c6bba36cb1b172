/// What a data set is: said once, shown by every surface.
public struct Dataset: Sendable {
    /// The name it is asked for by: `publisher.data_set`, in ASCII `snake_case`.
    public var id: String
    /// The publisher's title.
    public var title: String
    /// The title in English.
    public var english: String
    /// Who publishes it.
    public var publisher: String
    /// Under which terms.
    public var licence: Licence
    /// The page that describes it.
    public var page: String
    /// How often it changes.
    public var cadence: Cadence
    /// What a caller may or must say.
    public var parameters: [Parameter]
    /// The fields of its records; ``Schema/asPublished`` takes whatever comes.
    public var schema: Schema
    /// How its hosts want to be treated.
    ///
    /// A host that is not here gets ``HostPolicy/careful(host:)``.
    public var hosts: [HostPolicy]
    /// The most bytes that one payload may have, after decompression.
    public var maximumBytes: Int
    /// The fewest records that a fetch has if all is well; of fewer it is told, or fails where it is to be strict.
    public var minimumRecords: Int
    /// How long a download stays current, so that a repeated fetch needs no request.
    public var freshness: Freshness
    /// The version of the connector: raised by whoever changes what it makes of the same bytes.
    public var version: String

    /// Makes a description of a data set.
    public init(
        id: String, title: String, english: String, publisher: String, licence: Licence, page: String,
        cadence: Cadence = .unknown, parameters: [Parameter] = [], schema: Schema, hosts: [HostPolicy] = [],
        maximumBytes: Int = 256 << 20, minimumRecords: Int = 0,
        freshness: Freshness = .revalidated, version: String = "1"
    ) {
        self.id = id
        self.title = title
        self.english = english
        self.publisher = publisher
        self.licence = licence
        self.page = page
        self.cadence = cadence
        self.parameters = parameters
        self.schema = schema
        self.hosts = hosts
        self.maximumBytes = maximumBytes
        self.minimumRecords = minimumRecords
        self.freshness = freshness
        self.version = version
    }
}
