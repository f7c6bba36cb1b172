@testable import OpenDataCore
import TestSupport
import Testing

@Suite struct ByteBlockTests {
    @Test("each comparison, against a look at each byte", arguments: 0..<50) func comparisons(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let near: [UInt8] = [0, 0x1F, 0x20, 0x22, 0x2C, 0x2F, 0x30, 0x39, 0x3A, 0x5C, 0x7F, 0x80, 0xFF]
        for _ in 0..<40 {
            let bytes = (0..<16).map { _ in
                Bool.random(using: &random)
                    ? near.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            func bits(_ test: (UInt8) -> Bool) -> UInt64 {
                bytes.enumerated().reduce(0) { $0 | (test($1.element) ? 1 << UInt64($1.offset) : 0) }
            }
            unsafe bytes.withUnsafeBytes { raw in
                guard let address = raw.baseAddress else { return }
                let block = unsafe ByteBlock(address)
                #expect(block.equal(to: 0x22).bits == bits { $0 == 0x22 })
                #expect(block.equal(to: 0).bits == bits { $0 == 0 })
                let others = bytes.map { Bool.random(using: &random) ? $0 : near.randomElement(using: &random) ?? 0 }
                let same = zip(bytes, others).enumerated().reduce(0) { $0 | ($1.1.0 == $1.1.1 ? 1 << UInt64($1.0) : 0) }
                unsafe others.withUnsafeBytes { other in
                    guard let address = other.baseAddress else { return }
                    #expect(block.equal(to: unsafe ByteBlock(address)).bits == same)
                }
                #expect(block.atMost(0x1F).bits == bits { $0 <= 0x1F })
                #expect(block.between(0x30, 0x39).bits == bits { 0x30...0x39 ~= $0 })
                #expect(block.between(0x20, 0x7F).bits == bits { 0x20...0x7F ~= $0 })
                #expect(block.between(0x80, 0xBF).bits == bits { 0x80...0xBF ~= $0 })
                #expect(block.between(0xE1, 0xEF).bits == bits { 0xE1...0xEF ~= $0 })
                #expect(block.between(0x00, 0xFE).bits == bits { 0x00...0xFE ~= $0 })
                for (low, high) in [(0x30, 0x39), (0x20, 0x7F), (0x80, 0xBF), (0x01, 0xFF)] as [(UInt8, UInt8)] {
                    #expect(block.outside(low, high).bits == bits { !(low...high ~= $0) })
                }
                #expect(block.beyondASCII.bits == bits { $0 >= 0x80 })
                #expect(block.controlsOrBeyondASCII.bits == bits { $0 < 0x20 || $0 >= 0x80 })
            }
        }
    }
}
