/// How a host wants to be treated, and how it shows that it has had enough.
public struct HostPolicy: Sendable, Hashable {
    /// The host that the policy is for, in lower case.
    public var host: String
    /// The most requests in any `period`, redirects and retries counted.
    public var requests: Int
    /// The length of the sliding window.
    public var period: Duration
    /// The most requests under way at once.
    public var concurrent: Int
    /// Statuses that mean "you are shut out".
    public var blockStatuses: Set<Int>
    /// Parts of a redirect's target that mean the same.
    public var blockRedirects: [String]
    /// Sentences of a page that mean the same, whatever its status.
    public var blockSentences: [String]
    /// Sentences that an answer with status 200 begins with where a key is missing, wrong or expired.
    public var keySentences: [String]
    /// Whether any HTML page in place of data means that the address is shut out.
    public var pageMeansBlocked: Bool
    /// Whether a connection closed without an answer means the same.
    public var silenceMeansBlocked: Bool

    /// Makes a policy.
    public init(
        host: String, requests: Int, per period: Duration, concurrent: Int = 1, blockStatuses: Set<Int> = [],
        blockRedirects: [String] = [], blockSentences: [String] = [], keySentences: [String] = [],
        pageMeansBlocked: Bool = false, silenceMeansBlocked: Bool = false
    ) {
        self.host = host
        self.requests = requests
        self.period = period
        self.concurrent = concurrent
        self.blockStatuses = blockStatuses
        self.blockRedirects = blockRedirects
        self.blockSentences = blockSentences
        self.keySentences = keySentences
        self.pageMeansBlocked = pageMeansBlocked
        self.silenceMeansBlocked = silenceMeansBlocked
    }

    /// The policy for a host that nobody has described: four requests a second, two at a time.
    public static func careful(host: String) -> HostPolicy {
        HostPolicy(host: host, requests: 4, per: .seconds(1), concurrent: 2)
    }
}
