import CKANConnectors
import CafeNomadConnectors
import DataGovTWConnectors
import MOENVConnectors
import TPExConnectors
import TWSEConnectors
import YouBikeConnectors

extension Registry {
    /// Every data set and every portal of the package: one line each.
    public static let standard = Registry(
        [
            CafeNomad(),
            DataGovTWCatalogue(),
            MOENVAirQuality(),
            TPExDailyClose(),
            TWSEOpenAPIStockDayAll(),
            TWSEPublicSubscription(),
            TWSEStockDay(),
            TWSEStockDayAll(),
            YouBikeTaipei(),
        ],
        catalogues: [
            CKAN(),
            DataGovTW(),
        ])
}
