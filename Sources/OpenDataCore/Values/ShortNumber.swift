/// The number that a text of at most sixteen bytes is, read eight digits at a time.
///
/// Only texts of the shape `-?\d+(\.\d+)?` are taken; what is not is for ``ExactDecimal`` to judge.
struct ShortNumber {
    /// The digits as a whole number, without sign and point: below 10^16.
    let magnitude: UInt64
    // Twice the number of digits behind the point, and 1 more below zero.
    let shape: Int

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
        (magnitude, shape) = ShortNumber.parts(bytes, range.lowerBound, range.upperBound &- range.lowerBound)
        if shape < 0 { return nil }
    }

    /// The magnitude and the shape of so many bytes; a shape below zero if they are not such a number.
    @inline(__always)
    static func parts(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> (magnitude: UInt64, shape: Int) {
        // In bounds: eight bytes from the start, or sixteen, are read only where there are as many.
        guard UInt(bitPattern: count &- 1) < 16, start >= 0, start &+ (count <= 8 ? 8 : 16) <= bytes.count else {
            return none
        }
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let text = unsafe bytes.baseAddress.map({ unsafe $0 + start }) else { return none }
            let first = unsafe text.loadUnaligned(as: UInt64.self).littleEndian
            if count <= 8 { return number(first, count) }
            let last = unsafe text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self).littleEndian
            return number(first, last: last, count)
        }
    }

    private static let ones = 0x0101_0101_0101_0101 as UInt64
    static let zeros = ones &* UInt64(UInt8(ascii: "0"))
    private static let none = (0 as UInt64, -1)

    // All without branches where it can be: signs and points come and go. Digits are words of eight values, the last
    // digit in the highest byte, and zeros below the first.

    /// The number that is the first `count` bytes of eight, of which there is at least one.
    @inline(__always)
    private static func number(_ text: UInt64, _ count: Int) -> (UInt64, Int) {
        let sign = minus(text)
        var digits = values(text, sign) &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
        var fraction = 0
        let point = points(digits)
        if point != 0 {
            let place = point.trailingZeroBitCount &>> 3
            fraction = 7 &- place
            // Digits stand in front of it and behind it.
            guard fraction > 0, place > 8 &- count &+ sign else { return none }
            digits = digits.closingGap(point)
        } else if count == sign {
            return none
        }
        guard areDigits(digits) else { return none }
        return (value(digits), fraction &<< 1 | sign)
    }

    /// The number that is nine bytes or more, the first eight and the last eight of which are given.
    @inline(__always)
    private static func number(_ text: UInt64, last: UInt64, _ count: Int) -> (UInt64, Int) {
        let sign = minus(text)
        var upper = values(text, sign) &<< UInt64(truncatingIfNeeded: (16 &- count) &* 8)
        var lower = last ^ zeros
        var fraction = 0
        var point = points(lower)
        if point != 0 {
            let place = point.trailingZeroBitCount &>> 3
            fraction = 7 &- place
            guard fraction > 0, count &- 8 &+ place > sign else { return none }
            lower = lower.closingGap(point) | upper &>> 56
            upper &<<= 8
        } else {
            point = points(upper)
            if point != 0 {
                let place = point.trailingZeroBitCount &>> 3
                fraction = 15 &- place
                guard place > 16 &- count &+ sign else { return none }
                upper = upper.closingGap(point)
            }
        }
        guard areDigits(upper), areDigits(lower) else { return none }
        return (value(upper) &* 100_000_000 &+ value(lower), fraction &<< 1 | sign)
    }

    /// 1 if the first byte is a minus, else 0.
    @inline(__always)
    private static func minus(_ text: UInt64) -> Int {
        Int(truncatingIfNeeded: (((text & 0xFF) ^ UInt64(UInt8(ascii: "-"))) &- 1) &>> 63)
    }

    /// The values of digits, with a zero for the minus.
    @inline(__always)
    private static func values(_ text: UInt64, _ sign: Int) -> UInt64 {
        text ^ zeros ^ UInt64(truncatingIfNeeded: sign) &* UInt64(UInt8(ascii: "-") ^ UInt8(ascii: "0"))
    }

    /// The highest bit of the first byte that is a point, and of none before it; 0 without one.
    @inline(__always)
    private static func points(_ values: UInt64) -> UInt64 {
        let others = values ^ ones &* UInt64(UInt8(ascii: ".") ^ UInt8(ascii: "0"))
        return (others &- ones) & ~others & (ones &<< 7)
    }

    /// Whether each of eight bytes is a digit's value.
    @inline(__always)
    private static func areDigits(_ values: UInt64) -> Bool {
        (values &+ ones &* 0x76 | values) & (ones &<< 7) == 0
    }

    /// The number whose digits' values are eight bytes, the last in the highest bits.
    @inline(__always)
    static func value(_ values: UInt64) -> UInt64 {
        let pairs = (values &* (1 &+ 10 &<< 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* (1 &+ 100 &<< 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
        return (fours &* (1 &+ 10_000 &<< 32)) &>> 32
    }
}

extension UInt64 {
    /// The word without its first byte that has the highest bit of it set in `gap`; those below it move up by one.
    @inline(__always)
    fileprivate func closingGap(_ gap: UInt64) -> UInt64 {
        let bit = gap & (0 &- gap)
        return (self & (bit &>> 7 &- 1)) &<< 8 | self & ~(bit &<< 1 &- 1)
    }
}
