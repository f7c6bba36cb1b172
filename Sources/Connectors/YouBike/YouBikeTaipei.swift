public import OpenDataCore

/// The stations of Taipei's public bicycles and what stands there now.
///
/// The city has renamed keys over the years (`tot`, `total`, `Quantity`) and wrapped the stations in an object by
/// number; all of that is read.
public struct YouBikeTaipei: DataSource {
    /// A station a record.
    public typealias Row = BikeStation

    /// What the data set is.
    public let dataset = Dataset(
        id: "youbike.taipei", title: "YouBike2.0臺北市公共自行車即時資訊", english: "Public bicycles of Taipei, now",
        publisher: "臺北市政府交通局", licence: .ogdl1, page: "https://data.gov.tw/dataset/137993", cadence: .continuous,
        parameters: [
            Parameter("district", .filter(field: "district"), "one district; all unless given", example: "大安區")
        ],
        schema: .bikeStations,
        hosts: [HostPolicy(host: "tcgbusfs.blob.core.windows.net", requests: 4, per: .seconds(1), concurrent: 2)],
        maximumBytes: 32 << 20, minimumRecords: 100, freshness: .age(.seconds(60)))
    /// An array of objects, or an object of them by number.
    public let format = Format.json(JSONLayout(records: ["$", "retVal{}"], keyColumn: nil))

    /// Makes the data source.
    public init() {}

    /// The one request.
    public func request(_ arguments: Arguments) throws(OpenDataError) -> Request {
        try arguments.validate(against: dataset.parameters)
        return try Request(
            "https://tcgbusfs.blob.core.windows.net/dotapp/youbike/v2/youbike_immediate.json",
            maximumBytes: dataset.maximumBytes)
    }

    /// Throws ``OpenDataError/Code/noData`` without stations.
    public func check(_ preamble: Preamble, _ page: Request, _ arguments: Arguments) throws(OpenDataError) {
        if preamble.recordCount == 0 { throw OpenDataError(.noData, "the city names no stations") }
    }

    /// Twenty invented stations, one of them out of service.
    public var sample: Sample? { Sample(PackageResources.youbike_immediate_json) }
}
