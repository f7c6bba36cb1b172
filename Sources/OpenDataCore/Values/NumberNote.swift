/// A number of at most sixteen digits that has been read, in eight bytes, or a note that none has.
///
/// Shape, from the lowest bit: whether there is one; whether it is below zero; 4 bits of the number of digits behind
/// the point; the digits as a whole number, without sign and point.
@frozen
@usableFromInline
package struct NumberNote: Sendable, Hashable {
    @usableFromInline let bits: UInt64

    /// No number.
    @inlinable @inline(__always)
    package static var none: NumberNote { NumberNote(bits: 0) }

    /// A number of sixteen digits at most, fifteen of them behind the point at most.
    @inline(__always)
    init(_ magnitude: UInt64, fraction: UInt64, sign: UInt64) {
        bits = magnitude &<< 10 | fraction &<< 2 | sign &<< 1 | 1
    }

    @inlinable @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Whether there is a number.
    @inlinable @inline(__always)
    package var isThere: Bool { bits & 1 == 1 }

    /// The number with all its digits.
    @inlinable @inline(__always)
    package var decimal: ExactDecimal { ExactDecimal(bits &>> 10, Int(truncatingIfNeeded: bits &>> 1 & 0x1F)) }

    /// The number, if there is one and it has no digits behind a point.
    @inlinable @inline(__always)
    var integer: Int? {
        let magnitude = Int(truncatingIfNeeded: bits &>> 10)
        return bits & 0x3FD == 1 ? (bits & 2 == 0 ? magnitude : 0 &- magnitude) : nil
    }
}
