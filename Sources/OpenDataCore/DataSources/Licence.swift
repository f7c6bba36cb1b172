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
