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
    /// How its hosts want to be treated. A host that is not here gets ``HostPolicy/careful(host:)``.
    public var hosts: [HostPolicy]
    /// The most bytes that one payload may have, after decompression.
    public var maximumBytes: Int

    /// Makes a description of a data set.
    public init(
        id: String, title: String, english: String, publisher: String, licence: Licence, page: String,
        cadence: Cadence = .unknown, parameters: [Parameter] = [], schema: Schema, hosts: [HostPolicy] = [],
        maximumBytes: Int = 256 << 20
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
    }
}

/// The terms of use of a data set.
public struct Licence: Sendable, Hashable {
    /// A short name, an SPDX identifier where there is one.
    public var id: String
    /// The full name.
    public var title: String
    /// The text of the terms.
    public var url: String?

    /// Makes a licence.
    public init(id: String, title: String, url: String? = nil) {
        self.id = id
        self.title = title
        self.url = url
    }

    /// The Open Government Data License of Taiwan, version 1.0: free use with attribution.
    public static let ogdl1 = Licence(
        id: "OGDL-Taiwan-1.0", title: "政府資料開放授權條款第1版", url: "https://data.gov.tw/license")
    /// The publisher names no licence: ask before publishing the data again.
    public static let unstated = Licence(id: "unstated", title: "not stated by the publisher")
}

/// How often a publisher renews a data set.
public struct Cadence: RawRepresentable, Sendable, Hashable {
    /// The cadence in words.
    public let rawValue: String

    /// Makes a cadence from words.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not stated.
    public static let unknown = Cadence(rawValue: "unknown")
    /// Once after each trading day.
    public static let tradingDay = Cadence(rawValue: "every trading day")
    /// Once an hour.
    public static let hourly = Cadence(rawValue: "hourly")
    /// Whenever somebody edits it.
    public static let continuous = Cadence(rawValue: "continuous")
}
