public import OpenDataCore
public import OpenDataFormats

/// How a fetch is to be carried out.
public struct FetchOptions: Sendable {
    /// What happens to a record that does not fit the schema.
    public enum RejectPolicy: Sendable, Hashable {
        /// The first one ends the fetch with ``OpenDataError/Code/rejected``.
        case fail
        /// It is left out, counted, and listed in its batch's `rejects`.
        case report
        /// Cells that do not fit become null, are counted, and listed in their batch's `nulled`; a record is left out
        /// only where a value is required.
        case null
    }

    /// What happens to records that do not fit; ``RejectPolicy/fail`` unless changed.
    public var rejects: RejectPolicy = .fail
    /// Whether fields with marks are followed by their companions.
    public var marks = false
    /// Whether what is told of records that do not fit has all of their cells: ``Reject/record``.
    public var keepsRawRecords = false
    /// What becomes of bytes that are no letter of the payload's text encoding; an error unless changed.
    public var invalidText = TextSource.InvalidText.refused
    /// A saved payload to decode in place of a download.
    ///
    /// It may be in any format of the data set, or an earlier export of it as CSV or JSON. How much may be downloaded
    /// of the data set is no limit to it; a stream that has to be copied, and what an archive holds, may have 8 GiB.
    public var payload: Payload?
    /// What may be used of earlier downloads in place of a new one.
    public var cache = CachePolicy()
    /// The bytes decoded at a time; what is made of them should fit the processor's cache.
    public var windowSize = RecordReader.defaultWindowSize

    /// Makes the default options.
    public init() {}
}

extension DataSource {
    /// The most bytes that are copied or inflated of a payload that is handed over: 8 GiB, or more where more may be
    /// downloaded.
    var mostHandedOver: Int { max(dataset.maximumBytes, UndescribedSource.maximumBytes) }
}
