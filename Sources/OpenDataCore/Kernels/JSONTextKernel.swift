/// Writes text as the inside of a string of JSON.
@safe package enum JSONTextKernel {
    private static let block = 64
    private static let part = 16

    /// For each byte below 128 that has an escape, its letters, the first in the lowest bits, and their number in the
    /// highest byte.
    package static let escapes: [UInt64] = {
        var words = Array(repeating: 0 as UInt64, count: 128)
        func set(_ byte: UInt8, _ letters: [UInt8]) {
            let word = letters.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            words[Int(byte)] = word | UInt64(letters.count) << 56
        }
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in 0..<0x20 as Range<UInt8> {
            set(byte, Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
        for (byte, letter) in [(0x08, "b"), (0x09, "t"), (0x0A, "n"), (0x0C, "f"), (0x0D, "r")] as [(UInt8, String)] {
            set(byte, Array("\\\(letter)".utf8))
        }
        set(UInt8(ascii: "\""), Array("\\\"".utf8))
        set(UInt8(ascii: "\\"), Array("\\\\".utf8))
        return words
    }()

    /// Writes `count` bytes, those that JSON does not allow in strings as escapes, and returns the number of bytes
    /// written; -1 where there may not be room.
    ///
    /// Sixteen bytes are copied at a time, of which the next copy overwrites what does not count.
    ///
    /// - Parameters:
    ///   - source: Text, behind which sixteen bytes more can be read.
    ///   - readable: How many bytes can be read from `source` on.
    ///   - target: Where sixteen bytes more than `room` can be written.
    ///   - escapes: ``escapes``.
    /// - Complexity: O(count), and a few steps for each escape.
    package static func write(
        _ source: UnsafeRawPointer, count: Int, readable: Int, to target: UnsafeMutableRawPointer, room: Int,
        _ escapes: UnsafePointer<UInt64>
    ) -> Int {
        var to = unsafe target
        var index = 0
        while index < count {
            let length = min(block, count &- index)
            // The worst: six letters for each byte.
            if unsafe (to - target) &+ 6 &* length > room { return -1 }
            var found = 0 as UInt64
            // All four parts wherever they can be read: how many of them count cannot be foreseen.
            let parts = index &+ block <= readable ? 4 : (length &+ part &- 1) / part
            for number in 0..<parts {
                let bytes = unsafe ByteBlock(source + (index &+ number &* part))
                let matches =
                    bytes.atMost(0x1F) | bytes.equal(to: UInt8(ascii: "\"")) | bytes.equal(to: UInt8(ascii: "\\"))
                found |= matches.bits &<< UInt64(truncatingIfNeeded: number &* part)
            }
            if length < block { found &= 1 &<< UInt64(truncatingIfNeeded: length) &- 1 }
            var from = unsafe source + index
            let start = unsafe from
            while found != 0 {
                let place = unsafe start + found.trailingZeroBitCount
                found &= found &- 1
                unsafe copy(from, to: to, place - from)
                unsafe to += place - from
                let escape = unsafe escapes[Int(place.load(as: UInt8.self) & 127)]
                unsafe to.storeBytes(of: escape.littleEndian, as: UInt64.self)
                unsafe to += Int(truncatingIfNeeded: escape &>> 56)
                unsafe from = place + 1
            }
            let rest = unsafe start + length - from
            unsafe copy(from, to: to, rest)
            unsafe to += rest
            index &+= length
        }
        return unsafe to - target
    }

    /// Copies `count` bytes, and up to sixteen more.
    @inline(__always)
    private static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ count: Int) {
        var done = 0
        repeat {
            let text = unsafe (source + done).loadUnaligned(as: SIMD16<UInt8>.self)
            unsafe (target + done).storeBytes(of: text, as: SIMD16<UInt8>.self)
            done &+= part
        } while done < count
    }
}
