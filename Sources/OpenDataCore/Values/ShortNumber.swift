/// The number that a text of at most sixteen bytes is, read eight digits at a time.
///
/// Only texts of the shape `-?\d+(\.\d+)?` are taken; what is not is for ``ExactDecimal`` to judge.
struct ShortNumber {
    /// The digits as a whole number, without sign and point: below 10^16.
    let magnitude: UInt64
    /// The number of digits behind the point.
    let fraction: Int
    let isNegative: Bool

    private static let ones = 0x0101_0101_0101_0101 as UInt64

    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        // In bounds: sixteen bytes are read only where there are as many.
        var count = range.count
        guard 1...16 ~= count, range.lowerBound >= 0, range.lowerBound &+ 16 <= bytes.count else { return nil }
        var (low, high) = unsafe bytes.withUnsafeBytes { text in
            (
                unsafe text.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self).littleEndian,
                unsafe text.loadUnaligned(fromByteOffset: range.lowerBound &+ 8, as: UInt64.self).littleEndian
            )
        }
        isNegative = low & 0xFF == UInt64(UInt8(ascii: "-"))
        if isNegative {
            (low, high) = (low &>> 8 | high &<< 56, high &>> 8)
            count &-= 1
        }
        // The point is taken out: the bytes behind it move down by one.
        let point = ShortNumber.firstPoint(low, high)
        if point < count {
            guard point > 0, point < count &- 1 else { return nil }
            fraction = count &- 1 &- point
            count &-= 1
            if point < 8 {
                let kept = 1 &<< UInt64(point &* 8) &- 1 as UInt64
                (low, high) = (low & kept | (low &>> 8 | high &<< 56) & ~kept, high &>> 8)
            } else {
                let kept = 1 &<< UInt64((point &- 8) &* 8) &- 1 as UInt64
                high = high & kept | high &>> 8 & ~kept
            }
        } else {
            fraction = 0
        }
        guard count > 0 else { return nil }
        // The last eight digits, and those in front of them, each with zeros before where there are fewer.
        let zeros = ShortNumber.ones &* UInt64(UInt8(ascii: "0"))
        (low, high) = (low ^ zeros, high ^ zeros)
        if count <= 8 {
            let last = low &<< UInt64((8 &- count) &* 8)
            guard ShortNumber.areDigits(last) else { return nil }
            magnitude = ShortNumber.number(last)
        } else {
            let missing = UInt64(16 &- count) &* 8
            let first = low &<< missing
            let last = missing == 0 ? high : low &>> (64 &- missing) | high &<< missing
            guard ShortNumber.areDigits(first), ShortNumber.areDigits(last) else { return nil }
            magnitude = ShortNumber.number(first) &* 100_000_000 &+ ShortNumber.number(last)
        }
    }

    /// The place of the first point of sixteen bytes; 16 or more without one.
    @inline(__always)
    private static func firstPoint(_ low: UInt64, _ high: UInt64) -> Int {
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &<< 7) }
        let points = ones &* UInt64(UInt8(ascii: "."))
        let first = zeros(low ^ points)
        if first != 0 { return first.trailingZeroBitCount / 8 }
        return 8 + zeros(high ^ points).trailingZeroBitCount / 8
    }

    /// Whether each of eight bytes is a digit's value.
    @inline(__always)
    private static func areDigits(_ values: UInt64) -> Bool {
        (values &+ ones &* 0x76 | values) & (ones &<< 7) == 0
    }

    /// The number whose digits' values are eight bytes, the last in the highest bits.
    @inline(__always)
    private static func number(_ values: UInt64) -> UInt64 {
        let pairs = (values &* (1 &+ 10 &<< 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* (1 &+ 100 &<< 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (fours &* (1 &+ 10_000 &<< 32)) &>> 32
    }
}
