import OpenDataCore

/// What has been noticed in a text so far: letters that were replaced, letters that are user-defined.
///
/// It is shared with the source that counts, and is whole once that has been read to its end.
public final class TextTally: Sendable {
    /// The counts.
    struct Counts: Sendable {
        var replaced = 0
        var firstReplaced: Int?
        var userDefined = 0
        /// Letters of two bytes, and those of them whose second byte is below A1.
        var doubleBytes = 0
        var lowTrails = 0

        /// What a reader should know of, a short sentence each.
        var findings: [String] {
            var findings: [String] = []
            if userDefined > 0 {
                let verb = userDefined == 1 ? "letter is" : "letters are"
                findings.append("\(userDefined) \(verb) user-defined in cp950, and kept so in the private use area")
            }
            if let firstReplaced {
                let verb = replaced == 1 ? "place is" : "places are"
                findings.append(
                    "\(replaced) \(verb) no text and replaced by U+FFFD, the first at byte \(firstReplaced)")
            }
            return findings
        }
    }

    private let counts = Locked(Counts())

    init() {}

    /// The number of times that U+FFFD stands for bytes that are no letter.
    public var replacedCount: Int { current.replaced }

    /// The offset in the payload of the first byte that was replaced.
    public var firstReplacedByte: Int? { current.firstReplaced }

    /// The number of letters that are in the private use area, as user-defined ones of ``TextEncoding/cp950`` are.
    public var userDefinedCount: Int { current.userDefined }

    /// What a reader should know of, a short sentence each.
    public var findings: [String] { current.findings }

    var current: Counts { counts.withLock { $0 } }

    func noteReplacement(at byte: Int) {
        counts.withLock { counts in
            counts.replaced += 1
            counts.firstReplaced = counts.firstReplaced ?? byte
        }
    }

    func note(_ converted: TextConversion) {
        if converted.doubleBytes == 0 { return }
        counts.withLock { counts in
            counts.userDefined += converted.userDefined
            counts.doubleBytes += converted.doubleBytes
            counts.lowTrails += converted.lowTrails
        }
    }
}
