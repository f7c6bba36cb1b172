import OpenDataCore

extension Licence {
    /// The exchange's own terms, which hold for what it does not publish on data.gov.tw.
    static let twse = Licence(
        id: "TWSE-terms-of-use", title: "臺灣證券交易所網站使用條款", url: "https://www.twse.com.tw/zh/page/terms/use.html")
}
