import OpenDataCore

/// The requests to a host that count against its limit: those of the last while, and those under way.
struct RequestWindow: Sendable, Hashable {
    /// The window is kept this much longer than the policy asks: the host's clock sees requests closer together than
    /// ours.
    static let margin = Duration.milliseconds(100)
    /// How long ends are remembered at least, for policies of the same host with a longer period.
    private static let memory = Duration.seconds(60)
    /// How many ends are remembered at most beside those that the policy counts.
    private static let most = 256

    /// When the latest requests ended, in any order.
    var ended: [Duration] = []
    /// How many are under way: the host may count each at any time until it ends.
    var underWay = 0

    /// Drops what no limit counts any more.
    mutating func forget(_ policy: HostPolicy, now: Duration) {
        let memory = max(policy.period + RequestWindow.margin, RequestWindow.memory)
        ended.removeAll { $0 + memory <= now }
        let most = max(policy.requests, RequestWindow.most)
        if ended.count > most { ended = Array(ended.sorted().suffix(most)) }
    }

    /// How long until the policy allows another request; `nil` if a request under way has to end first.
    func wait(_ policy: HostPolicy, now: Duration) -> Duration? {
        if underWay >= max(policy.concurrent, 1) { return nil }
        let window = policy.period + RequestWindow.margin
        let ends = ended.filter { $0 + window > now }.sorted()
        let excess = ends.count + underWay - max(policy.requests, 1)
        if excess < 0 { return .zero }
        return excess < ends.count ? ends[excess] + window - now : nil
    }

    /// How long at least until the policy allows the request that comes after so many others.
    func shortestWait(_ policy: HostPolicy, now: Duration, ahead: Int) -> Duration {
        let window = policy.period + RequestWindow.margin
        let requests = max(policy.requests, 1)
        let ends = ended.filter { $0 + window > now }.sorted()
        // Of the sequence of all requests this one waits for an earlier one to leave the window. Where that has not
        // even begun, it has to wait first itself.
        var wait = Duration.zero
        var place = ends.count + underWay + ahead - requests
        while place >= ends.count + underWay {
            wait += window
            place -= requests
        }
        if place < 0 { return wait }
        return wait + window + (place < ends.count ? ends[place] - now : .zero)
    }
}
