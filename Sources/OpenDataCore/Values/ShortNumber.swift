/// The number that a text of at most sixteen bytes is, read eight digits at a time.
///
/// Only texts of the shape `-?\d+(\.\d+)?` are taken; what is not is for ``ExactDecimal`` to judge.
struct ShortNumber {
    /// The digits as a whole number, without sign and point: below 10^16.
    let magnitude: UInt64
    // Twice the number of digits behind the point, and 1 more below zero.
    private let shape: Int

    /// The number of digits behind the point.
    var fraction: Int { shape &>> 1 }
    var isNegative: Bool { shape & 1 == 1 }

    /// The number, if it has no digits behind a point.
    @inline(__always)
    var integer: Int? {
        guard fraction == 0 else { return nil }
        let integer = Int(truncatingIfNeeded: magnitude)
        return isNegative ? 0 &- integer : integer
    }

    @inline(__always)
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let (start, count) = (range.lowerBound, range.upperBound &- range.lowerBound)
        if count <= 8 {
            self.init(ofEight: bytes, start, count)
        } else {
            self.init(ofSixteen: bytes, start, count)
        }
    }

    /// Reads up to eight bytes.
    @inline(__always)
    init?(ofEight bytes: Span<UInt8>, _ start: Int, _ count: Int) {
        // In bounds: eight bytes are read only where there are as many.
        guard UInt(bitPattern: count &- 1) < 8, start >= 0, start &+ 8 <= bytes.count else { return nil }
        let word = unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
        }
        (magnitude, shape) = ShortNumber.number(word, count)
        if shape < 0 { return nil }
    }

    /// Reads up to sixteen bytes.
    @inline(__always)
    private init?(ofSixteen bytes: Span<UInt8>, _ start: Int, _ count: Int) {
        // In bounds: sixteen bytes are read only where there are as many.
        guard UInt(bitPattern: count &- 1) < 16, start >= 0, start &+ 16 <= bytes.count else { return nil }
        let (low, high) = unsafe bytes.withUnsafeBytes { text in
            (
                unsafe text.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian,
                unsafe text.loadUnaligned(fromByteOffset: start &+ 8, as: UInt64.self).littleEndian
            )
        }
        (magnitude, shape) = ShortNumber.number(low, high, count)
        if shape < 0 { return nil }
    }

    private static let ones = 0x0101_0101_0101_0101 as UInt64
    private static let none = (0 as UInt64, -1)

    /// The number and the shape of the first bytes of eight, of which there is at least one; a shape below zero where they
    /// are not such a number.
    @inline(__always)
    private static func number(_ text: UInt64, _ length: Int) -> (UInt64, Int) {
        let sign = text & 0xFF == UInt64(UInt8(ascii: "-")) ? 1 : 0
        let count = length &- sign
        guard count > 0 else { return none }
        // The last byte comes to the top, and below the first one there are zeros.
        let digits = text &>> UInt64(sign &* 8) ^ ones &* UInt64(UInt8(ascii: "0"))
        var word = digits &<< UInt64((8 &- count) &* 8)
        var fraction = 0
        let point = zeros(word ^ ones &* UInt64(UInt8(ascii: ".") ^ UInt8(ascii: "0")))
        if point != 0 {
            let place = point.trailingZeroBitCount &>> 3
            fraction = 7 &- place
            guard fraction > 0, place > 8 &- count else { return none }
            // The point is taken out: the bytes in front of it move up by one.
            let front = 1 &<< UInt64(place &* 8) &- 1 as UInt64
            word = (word & front) &<< 8 | word & ~(front &<< 8 | 0xFF)
        }
        guard areDigits(word) else { return none }
        return (value(word), fraction &<< 1 | sign)
    }

    /// The same of the first bytes of sixteen.
    @inline(__always)
    private static func number(_ first: UInt64, _ second: UInt64, _ length: Int) -> (UInt64, Int) {
        var (low, high, count) = (first, second, length)
        let sign = low & 0xFF == UInt64(UInt8(ascii: "-")) ? 1 : 0
        if sign == 1 {
            (low, high) = (low &>> 8 | high &<< 56, high &>> 8)
            count &-= 1
        }
        // The point is taken out: the bytes behind it move down by one.
        var fraction = 0
        let point = firstPoint(low, high)
        if point < count {
            guard point > 0, point < count &- 1 else { return none }
            fraction = count &- 1 &- point
            count &-= 1
            if point < 8 {
                let kept = 1 &<< UInt64(point &* 8) &- 1 as UInt64
                (low, high) = (low & kept | (low &>> 8 | high &<< 56) & ~kept, high &>> 8)
            } else {
                let kept = 1 &<< UInt64((point &- 8) &* 8) &- 1 as UInt64
                high = high & kept | high &>> 8 & ~kept
            }
        }
        guard count > 0 else { return none }
        // The last eight digits, and those in front of them, each with zeros before where there are fewer.
        let zeros = ones &* UInt64(UInt8(ascii: "0"))
        (low, high) = (low ^ zeros, high ^ zeros)
        if count <= 8 {
            let last = low &<< UInt64((8 &- count) &* 8)
            guard areDigits(last) else { return none }
            return (value(last), fraction &<< 1 | sign)
        }
        let missing = UInt64(16 &- count) &* 8
        let upper = low &<< missing
        let last = missing == 0 ? high : low &>> (64 &- missing) | high &<< missing
        guard areDigits(upper), areDigits(last) else { return none }
        return (value(upper) &* 100_000_000 &+ value(last), fraction &<< 1 | sign)
    }

    /// The highest bit of the first byte that is zero, and of none before it.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & (ones &<< 7) }

    /// The place of the first point of sixteen bytes; 16 or more without one.
    @inline(__always)
    private static func firstPoint(_ low: UInt64, _ high: UInt64) -> Int {
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
    private static func value(_ values: UInt64) -> UInt64 {
        let pairs = (values &* (1 &+ 10 &<< 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* (1 &+ 100 &<< 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (fours &* (1 &+ 10_000 &<< 32)) &>> 32
    }
}
