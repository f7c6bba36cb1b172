/// What a fetch may take from the snapshots that were kept of earlier ones.
///
/// By default a snapshot that is fresh, as ``Dataset/freshness`` has it, is used without a request; for an older one
/// the host is asked whether anything has changed, and only then is it downloaded again.
public struct CachePolicy: Sendable, Hashable {
    /// Which of host and snapshots is asked.
    public enum Mode: Sendable, Hashable {
        /// A fresh snapshot, else the host.
        case standard
        /// The host, for all of it, whatever is kept.
        case refresh
        /// The newest snapshot; never the host.
        case offline
        /// The newest snapshot that was downloaded at or before a time; never the host.
        case asOf(DateTime)
    }

    /// Which of host and snapshots is asked; ``Mode/standard`` unless changed.
    public var mode: Mode = .standard
    /// How old a snapshot may be that is used without a request, in place of what the data set declares.
    public var maximumAge: Duration?
    /// Whether the newest snapshot stands in when the host fails; a notice says so then.
    public var useStaleIfHostFails = false
    /// Whether what is downloaded is kept.
    public var keepsDownloads = true

    /// Makes the default policy.
    public init() {}
}
