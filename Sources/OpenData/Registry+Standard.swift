import CafeNomadConnectors
import MOENVConnectors
import TPExConnectors
import TWSEConnectors
import YouBikeConnectors

extension Registry {
    /// Every data set of the package: one line each.
    public static let standard = Registry([
        CafeNomad(),
        MOENVAirQuality(),
        TPExDailyClose(),
        TWSEOpenAPIStockDayAll(),
        TWSEPublicSubscription(),
        TWSEStockDay(),
        TWSEStockDayAll(),
        YouBikeTaipei(),
    ])
}
