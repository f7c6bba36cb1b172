import CafeNomadConnectors
import TWSEConnectors

extension Registry {
    /// Every data set of the package: one line each.
    public static let standard = Registry([
        CafeNomad(),
        TWSEOpenAPIStockDayAll(),
        TWSEStockDay(),
        TWSEStockDayAll(),
    ])
}
