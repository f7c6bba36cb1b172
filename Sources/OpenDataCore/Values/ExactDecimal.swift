/// A decimal number of up to 38 digits that keeps every digit it was written with.
///
/// `2510.00` stays `2510.00`, and 9007199254740993 is not rounded. The value is `significand × 10^exponent`. Equality
/// and order go by value, so `2510.00 == 2510`; `description` goes by digits. Shape: 20 bytes, no allocation.
public struct ExactDecimal: Sendable {
    // The absolute significand is high × 2^64 + low, kept in halves, so that a number takes 20 bytes and not 24.
    @usableFromInline let halves: (UInt32, UInt32, UInt32, UInt32)
    @usableFromInline let scale: Int16
    @usableFromInline let isNegative: Bool

    private var low: UInt64 { UInt64(halves.0) | UInt64(halves.1) << 32 }
    private var high: UInt64 { UInt64(halves.2) | UInt64(halves.3) << 32 }

    @inlinable @inline(__always)
    init(high: UInt64, low: UInt64, scale: Int16, isNegative: Bool) {
        halves = (
            UInt32(truncatingIfNeeded: low), UInt32(truncatingIfNeeded: low >> 32), UInt32(truncatingIfNeeded: high),
            UInt32(truncatingIfNeeded: high >> 32)
        )
        (self.scale, self.isNegative) = (scale, isNegative)
    }

    /// The power of ten of the last digit: -2 for `2510.00`.
    public var exponent: Int { Int(scale) }

    /// Makes the whole number.
    public init(_ number: Int) {
        self.init(high: 0, low: UInt64(number.magnitude), scale: 0, isNegative: number < 0)
    }

    /// Reads a whole number or a decimal fraction, with an optional sign and an optional exponent as in JSON.
    ///
    /// The whole text must be a number: `12abc`, `1,234`, ` 12`, `nan` and the empty text give `nil`, as do more than
    /// 38 significant digits and exponents beyond ±9999.
    public init?(_ text: some StringProtocol) {
        let bytes = ContiguousArray(text.utf8)
        self.init(bytes.span)
    }

    /// Reads a number as ``init(_:)-(StringProtocol)`` does, from ASCII.
    public init?(_ bytes: Span<UInt8>) {
        var index = 0
        var negative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            negative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        var (high, low): (UInt64, UInt64) = (0, 0)
        var digits = 0
        var fraction = 0
        var seenPoint = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte &- 48 < 10 {
                // Eighteen digits always fit 64 bits; the rest takes the long way.
                if low < 100_000_000_000_000_000, high == 0 {
                    low = low &* 10 &+ UInt64(byte &- 48)
                } else {
                    let product = low.multipliedFullWidth(by: 10)
                    let (sum, carry) = product.low.addingReportingOverflow(UInt64(byte &- 48))
                    let (scaled, overflow) = high.multipliedReportingOverflow(by: 10)
                    let (upper, overflow2) = scaled.addingReportingOverflow(product.high &+ (carry ? 1 : 0))
                    if overflow || overflow2 { return nil }
                    (high, low) = (upper, sum)
                }
                digits += 1
                if seenPoint { fraction += 1 }
            } else if byte == UInt8(ascii: "."), !seenPoint, digits > 0 {
                seenPoint = true
            } else {
                break
            }
            index += 1
        }
        guard digits > 0, !seenPoint || fraction > 0 else { return nil }
        // 10^38 is the first number with 39 digits.
        if high > 5_421_010_862_427_522_170 || high == 5_421_010_862_427_522_170 && low >= 687_399_551_400_673_280 {
            return nil
        }
        var exponent = 0
        if index < bytes.count {
            guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
            index += 1
            var exponentIsNegative = false
            if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
                exponentIsNegative = bytes[index] == UInt8(ascii: "-")
                index += 1
            }
            guard index < bytes.count else { return nil }
            while index < bytes.count {
                guard bytes[index] &- 48 < 10 else { return nil }
                exponent = exponent * 10 + Int(bytes[index] &- 48)
                if exponent > 9999 { return nil }
                index += 1
            }
            if exponentIsNegative { exponent = -exponent }
        }
        guard -20_000...20_000 ~= exponent - fraction else { return nil }
        self.init(high: high, low: low, scale: Int16(exponent - fraction), isNegative: negative)
    }

    /// Takes over a ``ShortNumber``: its digits, and twice the number of those behind the point, and 1 more below zero.
    @inlinable @inline(__always)
    init(_ magnitude: UInt64, _ shape: Int) {
        self.init(
            high: 0, low: magnitude, scale: Int16(truncatingIfNeeded: 0 &- shape &>> 1), isNegative: shape & 1 == 1)
    }

    /// Reads the number that a range of bytes is.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        if let short = ShortNumber(bytes, range) {
            self.init(short.magnitude, short.shape)
            return
        }
        let number = unsafe bytes.withUnsafeBufferPointer { bytes in
            let text = unsafe UnsafeBufferPointer(rebasing: bytes[range])
            return ExactDecimal(unsafe text.span)
        }
        guard let number else { return nil }
        self = number
    }

    /// The whole number that a range of bytes is.
    static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        ShortNumber(bytes, range)?.integer ?? ExactDecimal(bytes, range)?.integer
    }

    /// The number as an `Int`, or `nil` if it has a fraction that is not zero or does not fit.
    public var integer: Int? {
        var (value, power) = (low, exponent)
        guard high == 0 else { return reduced.high == 0 && reduced.power >= 0 ? reducedInteger : nil }
        if value == 0 { return 0 }
        while power < 0 {
            guard value % 10 == 0 else { return nil }
            (value, power) = (value / 10, power + 1)
        }
        while power > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (value, power) = (product, power - 1)
        }
        return ExactDecimal.signed(value, isNegative)
    }

    /// The nearest `Double`: correctly rounded, infinite where the number is out of its range.
    public var double: Double { Double(description) ?? .nan }

    private static func signed(_ magnitude: UInt64, _ isNegative: Bool) -> Int? {
        if isNegative { return magnitude <= 1 << 63 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int(exactly: magnitude)
    }

    /// The significand without its trailing zeros, and the power of ten that makes up for them.
    private var reduced: (high: UInt64, low: UInt64, power: Int) {
        var (high, low, power) = (high, low, exponent)
        if high == 0 && low == 0 { return (0, 0, 0) }
        while true {
            let upper = high.quotientAndRemainder(dividingBy: 10)
            let lower = (10 as UInt64).dividingFullWidth((upper.remainder, low))
            guard lower.remainder == 0 else { return (high, low, power) }
            (high, low, power) = (upper.quotient, lower.quotient, power + 1)
        }
    }

    private var reducedInteger: Int? {
        var (_, value, power) = reduced
        while power > 0 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (value, power) = (product, power - 1)
        }
        return ExactDecimal.signed(value, isNegative)
    }

    /// The digits of the significand, without sign.
    private var digits: String {
        guard high > 0 else { return String(low) }
        // 10^19 is the largest power of ten in 64 bits; the upper part is below it, since there are 38 digits at most.
        let upper = (10_000_000_000_000_000_000 as UInt64).dividingFullWidth((high, low))
        let rest = String(upper.remainder)
        return String(upper.quotient) + String(repeating: "0", count: 19 - rest.utf8.count) + rest
    }
}

extension ExactDecimal: CustomStringConvertible, LosslessStringConvertible {
    /// The number in plain digits where its exponent allows it (`2510.00`), else in the form `12e300`.
    public var description: String {
        let digits = digits
        let sign = isNegative ? "-" : ""
        if scale == 0 { return sign + digits }
        guard -38...(-1) ~= exponent else { return "\(sign)\(digits)e\(scale)" }
        let padded = String(repeating: "0", count: max(1 - exponent - digits.utf8.count, 0)) + digits
        let point = padded.utf8.index(padded.endIndex, offsetBy: exponent)
        return "\(sign)\(padded[..<point]).\(padded[point...])"
    }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    /// Makes the whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension ExactDecimal: Comparable {
    /// Whether two numbers have the same value, whatever their digits: `2510.00 == 2510`.
    public static func == (left: ExactDecimal, right: ExactDecimal) -> Bool {
        let (one, other) = (left.reduced, right.reduced)
        guard one == other else { return false }
        return one.low | one.high == 0 || left.isNegative == right.isNegative
    }

    /// Whether one number is less than another, by value.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left == right { return false }
        let (one, other) = (left.signum, right.signum)
        if one != other { return one < other }
        return one > 0 ? left.isCloserToZero(than: right) : right.isCloserToZero(than: left)
    }

    private var signum: Int { high | low == 0 ? 0 : isNegative ? -1 : 1 }

    /// Compares absolute values that are not zero: first the place of the leading digit, then the digits.
    private func isCloserToZero(than other: ExactDecimal) -> Bool {
        let (mine, theirs) = (digits, other.digits)
        let (place, otherPlace) = (mine.utf8.count + exponent, theirs.utf8.count + other.exponent)
        if place != otherPlace { return place < otherPlace }
        let width = max(mine.utf8.count, theirs.utf8.count)
        func padded(_ text: String) -> String { text + String(repeating: "0", count: width - text.utf8.count) }
        return padded(mine).utf8.lexicographicallyPrecedes(padded(theirs).utf8)
    }
}

extension ExactDecimal: Hashable {
    /// Hashes the value, so that equal numbers hash alike.
    public func hash(into hasher: inout Hasher) {
        let (high, low, power) = reduced
        hasher.combine(high)
        hasher.combine(low)
        hasher.combine(power)
        hasher.combine(high | low != 0 && isNegative)
    }
}
