import OpenData
import TWSEConnectors

// 申購價差: what a winner of a public subscription gains on each share, the last price less the underwriting price. Two
// requests tell it for every offer of the year: the calendar of subscriptions, and one file with all of a day's quotes.
let client = Client()
let isSample = CommandLine.arguments.contains("--sample")

/// All rows of a data source, or those of its sample.
func rows<Source: DataSource>(of source: Source) async throws -> [Source.Row] {
    var options = FetchOptions()
    if isSample { options.payload = source.sample.map { Payload($0) } }
    return try await client.fetch(source, options: options)
}

/// The text with blanks in front, for a column of numbers.
func column(_ text: String?, _ width: Int) -> String {
    let text = text ?? "-"
    return String(repeating: " ", count: max(width - text.count, 0)) + text
}

do {
    let closes = try await rows(of: TWSEStockDayAll()).reduce(into: [String: StockDayTick]()) { $0[$1.code] = $1 }
    let offers = try await rows(of: TWSEPublicSubscription())
    print("code     draw        underwriting      close     spread       %  name")
    var joined = 0
    for offer in offers where offer.cancelled == nil {
        // Bonds, and what is traded elsewhere, are in no quote; a price may not be fixed yet, and a day may have no
        // trade.
        guard let tick = closes[offer.code] else { continue }
        joined += 1
        let price = offer.actualPrice ?? offer.price
        let spread = price.flatMap { tick.close?.subtracting($0) }
        // A ratio is no exact number: a hundredth of a per cent will do.
        let share = price.flatMap { price in spread.map { ($0.double / price.double * 10_000).rounded() / 100 } }
        print(
            offer.code + String(repeating: " ", count: max(9 - offer.code.count, 1))
                + (offer.drawDate?.description ?? "          ") + column(price?.description, 14)
                + column(tick.close?.description, 11) + column(spread?.description, 11)
                + column(share.map { "\($0)" }, 8) + "  " + (offer.name ?? ""))
    }
    print("\(joined) of \(offers.count) offers are of securities with quotes")
} catch {
    print("there is no table: \(error)")
}
