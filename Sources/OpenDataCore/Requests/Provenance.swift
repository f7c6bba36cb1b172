/// Where the bytes of a payload come from: who was asked for what and when, and how the bytes can be told again.
///
/// It holds no secrets. Written as JSON, members may join in later versions, never leave.
public struct Provenance: Sendable, Hashable {
    /// How this fetch came by the bytes.
    public enum Origin: String, Sendable, Hashable {
        /// They were downloaded.
        case downloaded
        /// The host was asked, and said that the snapshot is what it would send.
        case unchanged
        /// The snapshot was still current; the host was not asked.
        case current
        /// The snapshot was asked for: offline, or as of a time.
        case snapshot
        /// The host failed, and the snapshot stood in.
        case stale
    }

    /// The records that were made of the payload.
    public struct RecordCounts: Sendable, Hashable {
        /// Records read: `written + rejected`.
        public var read: Int
        /// Records that fitted the schema.
        public var written: Int
        /// Records that did not.
        public var rejected: Int

        /// Makes counts.
        public init(read: Int, written: Int, rejected: Int) {
            self.read = read
            self.written = written
            self.rejected = rejected
        }
    }

    /// The id of the data set that the request was for.
    public var dataset: String?
    /// The version of its connector; see ``Dataset/version``.
    public var connectorVersion: String?
    /// The address asked for, secrets redacted.
    public var url: String
    /// The address of the mirror that was asked in its place, if one was.
    public var mirror: String?
    /// The address that answered in the end, redirects followed, secrets redacted.
    public var finalURL: String
    /// The status of the answer.
    public var status: Int
    /// The header fields that tell of the bytes: type, name, age and version.
    public var headers: [Response.HeaderField]
    /// When the request was made.
    public var requested: DateTime
    /// When the bytes were complete.
    public var fetched: DateTime
    /// When the host last said that they are still what it would send.
    public var revalidated: DateTime?
    /// The number of bytes, after decompression.
    public var bytes: Int
    /// The SHA-256 of the bytes, 64 hexadecimal digits.
    public var sha256: String
    /// The name of the snapshot that keeps the bytes, if one does.
    public var snapshot: String?
    /// How this fetch came by the bytes.
    public var origin: Origin
    /// The day of the first record, where the data set's records are told apart by a day.
    public var dataDate: CalendarDate?
    /// The format that the bytes were decoded in.
    public var format: String?
    /// The text encoding that they were decoded in.
    public var encoding: TextEncoding?
    /// The records made of them, once they have been decoded to the end.
    public var records: RecordCounts?

    /// Makes a record of an answer; what decoding tells is added later.
    public init(
        dataset: String?, connectorVersion: String? = nil, url: String, mirror: String? = nil, response: Response,
        requested: DateTime, fetched: DateTime, bytes: Int, sha256: String, snapshot: String? = nil,
        origin: Origin = .downloaded
    ) {
        self.dataset = dataset
        self.connectorVersion = connectorVersion
        self.url = url
        self.mirror = mirror
        finalURL = response.url
        status = response.status
        headers = response.headers.filter { Provenance.relevant.contains($0.name.lowercased()) }
        self.requested = requested
        self.fetched = fetched
        self.bytes = bytes
        self.sha256 = sha256
        self.snapshot = snapshot
        self.origin = origin
    }

    /// The fields that are kept, in lower case.
    package static let relevant: Set<String> = [
        "etag", "last-modified", "content-type", "content-disposition", "date",
    ]

    /// The answer that the record tells of.
    public var response: Response { Response(status: status, headers: headers, url: finalURL) }
}

extension DateTime {
    /// The time so many milliseconds after the start of 1970, on the clock of a zone; `nil` outside the years 1 to
    /// 9999.
    public init?(millisecondsSince1970 time: Int, zone: TimeZoneOffset = .utc) {
        // A day more at either end than there can be.
        guard -62_135_700_000_000...253_402_400_000_000 ~= time else { return nil }
        let local = time + zone.minutes * 60_000
        let day = local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000
        let rest = local - day * 86_400_000
        guard let date = CalendarDate(daysSince1970: day) else { return nil }
        self.init(
            date, hour: rest / 3_600_000, minute: rest / 60_000 % 60, second: rest / 1000 % 60,
            millisecond: rest % 1000, offsetMinutes: zone.minutes)
    }
}
