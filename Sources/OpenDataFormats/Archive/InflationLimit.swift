import OpenDataCore

/// How much compressed bytes may become, so that a few of them cannot fill memory or disk.
struct InflationLimit: Sendable {
    /// The most bytes.
    var maximumBytes: Int

    /// Up to so many bytes, how they compare with the compressed ones is not looked at.
    static let harmless = 1 << 20
    /// How many times as many bytes as there were compressed ones there may be; deflate can make 1,032 of one.
    static let maximumRatio = 1000

    /// Throws ``OpenDataError/Code/tooLarge`` if so many bytes are too many for so many compressed ones.
    func check(_ produced: Int, from consumed: Int) throws(OpenDataError) {
        if produced > maximumBytes {
            throw OpenDataError(
                .tooLarge, "decompressed, there are more than the \(maximumBytes) bytes that are allowed")
        }
        if produced > InflationLimit.harmless, produced / InflationLimit.maximumRatio > consumed {
            throw OpenDataError(
                .tooLarge,
                "\(consumed) compressed bytes become more than \(InflationLimit.maximumRatio) times as many: "
                    + "a bomb, not data"
            )
        }
    }
}
