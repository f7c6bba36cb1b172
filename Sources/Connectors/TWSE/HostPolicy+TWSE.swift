public import OpenDataCore

extension HostPolicy {
    /// The exchange's site: three requests in five seconds, one at a time.
    ///
    /// More than that shuts the address out for minutes to hours: first a redirect to a page that gives security as the
    /// reason, then 428, then silence. The site also answers unknown paths with a page and status 200.
    public static let twse = exchange(host: "www.twse.com.tw")

    /// The exchange's OpenAPI, under the same limit: it shuts busy addresses out as well.
    public static let twseOpenAPI = exchange(host: "openapi.twse.com.tw")

    private static func exchange(host: String) -> HostPolicy {
        HostPolicy(
            host: host, requests: 3, per: .seconds(5), concurrent: 1, blockStatuses: [428],
            blockRedirects: ["block.html"],
            blockSentences: [
                "因為安全性考量", "FOR SECURITY REASONS", "THE PAGE CANNOT BE ACCESSED", "您的連線數過多", "頁面無法執行",
            ],
            pageMeansBlocked: true, silenceMeansBlocked: true)
    }
}
