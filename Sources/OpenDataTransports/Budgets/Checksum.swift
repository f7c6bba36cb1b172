/// A checksum against accidents: FNV-1a of 64 bits.
struct Checksum: Sendable, Hashable {
    /// The sum of the bytes so far.
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Takes more bytes in.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The sum of some bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var sum = Checksum()
        sum.add(bytes)
        return sum.value
    }
}
