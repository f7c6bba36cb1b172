import CCrypto

/// The hash function SHA-256 (FIPS 180-4) over bytes that come in pieces.
///
/// By the system's libcrypto where there is one, which takes a fifth of the time.
package struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    // The beginning of a block that is not yet full.
    private var rest: [UInt8] = []
    private var count = 0
    private let usesLibrary: Bool

    /// Starts with no bytes.
    ///
    /// - Parameter usesLibrary: Whether libcrypto may do the work, which changes nothing of the hash.
    package init(usesLibrary: Bool = true) { self.usesLibrary = usesLibrary }

    /// The hash of the bytes, 64 hexadecimal digits.
    package static func hex(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hex()
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        count += bytes.count
        guard rest.isEmpty else {
            let missing = min(64 - rest.count, bytes.count)
            rest += bytes[..<missing]
            guard rest.count == 64 else { return }
            _ = compress(rest, from: 0)
            rest.removeAll(keepingCapacity: true)
            return rest += bytes[compress(bytes, from: missing)...]
        }
        rest += bytes[compress(bytes, from: 0)...]
    }

    /// The hash of all bytes so far, 64 hexadecimal digits; more may be added afterwards.
    package func hex() -> String {
        var copy = self
        let bits = UInt64(count) * 8
        let padding = (rest.count < 56 ? 56 : 120) - rest.count
        copy.update([0x80] + [UInt8](repeating: 0, count: padding - 1))
        copy.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for word in copy.state {
            for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int(word >> UInt32(shift) & 15)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Takes the whole blocks from an index on, and returns the index behind the last of them.
    private mutating func compress(_ bytes: [UInt8], from start: Int) -> Int {
        let blocks = (bytes.count - start) / 64
        guard blocks > 0 else { return start }
        if usesLibrary, addByLibrary(blocks, of: bytes, from: start) { return start + blocks * 64 }
        unsafe bytes.withUnsafeBytes { all in
            unsafe SHA256.constants.withUnsafeBufferPointer { constants in
                unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                    for block in 0..<blocks {
                        // In bounds: `blocks` whole blocks follow `start`; 64 constants, 64 words of the schedule.
                        let base = start + block * 64
                        for index in 0..<16 {
                            let word = unsafe all.loadUnaligned(fromByteOffset: base + index * 4, as: UInt32.self)
                            unsafe schedule[index] = UInt32(bigEndian: word)
                        }
                        unsafe mix(schedule, constants)
                    }
                }
            }
        }
        return start + blocks * 64
    }

    /// Has libcrypto take whole blocks; false where there is none.
    private mutating func addByLibrary(_ blocks: Int, of bytes: [UInt8], from start: Int) -> Bool {
        // To load it for less than this costs more than it saves.
        guard count > 1 << 19 else { return false }
        return unsafe bytes.withUnsafeBytes { all in
            // In bounds: `blocks` whole blocks follow `start`; there are eight words.
            unsafe state.withUnsafeMutableBufferPointer { words in
                unsafe ccrypto_add(words.baseAddress, all.baseAddress.map { unsafe $0 + start }, blocks)
            }
        }
    }

    @inline(__always)
    private mutating func mix(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for index in 16..<64 {
            let (early, late) = unsafe (schedule[index - 15], schedule[index - 2])
            let first = SHA256.turned(early, 7) ^ SHA256.turned(early, 18) ^ early >> 3
            let second = SHA256.turned(late, 17) ^ SHA256.turned(late, 19) ^ late >> 10
            unsafe schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        // In bounds: the index goes up to 56, and at most 7 are added to it.
        for index in stride(from: 0, to: 64, by: 8) {
            // Each round gives two words new values; the others change places, here by being named in another order.
            unsafe SHA256.round(a, b, c, &d, e, f, g, &h, constants[index] &+ schedule[index])
            unsafe SHA256.round(h, a, b, &c, d, e, f, &g, constants[index + 1] &+ schedule[index + 1])
            unsafe SHA256.round(g, h, a, &b, c, d, e, &f, constants[index + 2] &+ schedule[index + 2])
            unsafe SHA256.round(f, g, h, &a, b, c, d, &e, constants[index + 3] &+ schedule[index + 3])
            unsafe SHA256.round(e, f, g, &h, a, b, c, &d, constants[index + 4] &+ schedule[index + 4])
            unsafe SHA256.round(d, e, f, &g, h, a, b, &c, constants[index + 5] &+ schedule[index + 5])
            unsafe SHA256.round(c, d, e, &f, g, h, a, &b, constants[index + 6] &+ schedule[index + 6])
            unsafe SHA256.round(b, c, d, &e, f, g, h, &a, constants[index + 7] &+ schedule[index + 7])
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always)
    private static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let first = h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ word
        d &+= first
        let majority = (a & b) | (c & (a | b))
        h = first &+ (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
    }

    @inline(__always)
    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    // The first 32 bits of the fractions of the cube roots of the first 64 primes, worked out rather than written down.
    private static let constants: [UInt32] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The largest number whose cube is at most the prime times 2 to the 96th, compared in parts of 32 bits.
            var root: UInt64 = 0
            for bit in stride(from: UInt64(35), through: 0, by: -1) {
                let next = root | 1 << bit
                let square = next.multipliedFullWidth(by: next)
                let low = square.low.multipliedFullWidth(by: next)
                let high = square.high.multipliedFullWidth(by: next)
                let (middle, carry) = low.high.addingReportingOverflow(high.low)
                let top = high.high + (carry ? 1 : 0)
                let limit = prime << 32
                if top == 0, middle < limit || middle == limit && low.low == 0 { root = next }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()
}
