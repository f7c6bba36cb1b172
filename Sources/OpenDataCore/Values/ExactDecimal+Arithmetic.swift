extension ExactDecimal {
    /// The sum of two numbers, with as many decimals as the one that has more; `nil` where that takes more than 38
    /// digits.
    ///
    /// `12.50 + 0.5` is `13.00`. Nothing is rounded.
    public func adding(_ other: ExactDecimal) -> ExactDecimal? {
        let power = min(exponent, other.exponent)
        guard let mine = digits(downTo: power), let theirs = other.digits(downTo: power) else { return nil }
        let (isNegative, otherIsNegative) = (description.utf8.first == 0x2D, other.description.utf8.first == 0x2D)
        if isNegative == otherIsNegative {
            return ExactDecimal.make(ExactDecimal.sum(mine, theirs), power, isNegative: isNegative)
        }
        return ExactDecimal.isLess(mine, theirs)
            ? ExactDecimal.make(ExactDecimal.difference(theirs, mine), power, isNegative: otherIsNegative)
            : ExactDecimal.make(ExactDecimal.difference(mine, theirs), power, isNegative: isNegative)
    }

    /// The difference of two numbers, as exact as their sum: see ``adding(_:)``.
    public func subtracting(_ other: ExactDecimal) -> ExactDecimal? { adding(other.negated) }

    /// The number with the other sign.
    public var negated: ExactDecimal {
        let text = description
        let other = text.utf8.first == 0x2D ? String(text.dropFirst()) : "-" + text
        return ExactDecimal(other) ?? self
    }

    /// The digits of the absolute value in units of a power of ten, the last digit first; `nil` if they are too many.
    private func digits(downTo power: Int) -> [UInt8]? {
        guard exponent - power <= 38 else { return nil }
        let significand = description.utf8.prefix { $0 != UInt8(ascii: "e") }.filter { $0 &- 48 < 10 }
        return [UInt8](repeating: 0, count: exponent - power) + significand.reversed().map { $0 - 48 }
    }

    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var (result, carry): ([UInt8], UInt8) = ([], 0)
        for place in 0..<max(one.count, other.count) {
            let digit = (place < one.count ? one[place] : 0) + (place < other.count ? other[place] : 0) + carry
            result.append(digit % 10)
            carry = digit / 10
        }
        return carry > 0 ? result + [carry] : result
    }

    /// The digits of the greater number less those of the other.
    private static func difference(_ greater: [UInt8], _ less: [UInt8]) -> [UInt8] {
        var (result, borrow): ([UInt8], UInt8) = ([], 0)
        for place in 0..<greater.count {
            let taken = (place < less.count ? less[place] : 0) + borrow
            borrow = greater[place] < taken ? 1 : 0
            result.append(greater[place] + 10 * borrow - taken)
        }
        return result
    }

    private static func isLess(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        for place in (0..<max(one.count, other.count)).reversed() {
            let (left, right) = (place < one.count ? one[place] : 0, place < other.count ? other[place] : 0)
            if left != right { return left < right }
        }
        return false
    }

    private static func make(_ digits: [UInt8], _ power: Int, isNegative: Bool) -> ExactDecimal? {
        let text = String(decoding: digits.reversed().map { $0 + 48 }, as: UTF8.self)
        let isZero = digits.allSatisfy { $0 == 0 }
        return ExactDecimal((isNegative && !isZero ? "-" : "") + text + "e\(power)")
    }
}
