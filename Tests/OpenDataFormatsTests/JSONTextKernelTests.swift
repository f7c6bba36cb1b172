import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

@Suite struct JSONTextKernelTests {
    /// Byte by byte.
    private func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x22: Array(#"\""#.utf8)
            case 0x5C: Array(#"\\"#.utf8)
            case 0x08: Array(#"\b"#.utf8)
            case 0x09: Array(#"\t"#.utf8)
            case 0x0A: Array(#"\n"#.utf8)
            case 0x0C: Array(#"\f"#.utf8)
            case 0x0D: Array(#"\r"#.utf8)
            case 0..<0x20:
                Array((byte < 16 ? #"\u000"# : #"\u00"#).utf8) + Array(String(byte, radix: 16, uppercase: true).utf8)
            default: [byte]
            }
        }
    }

    private func written(_ text: [UInt8], room: Int, behind: Int = 16) -> [UInt8]? {
        let source = text + [UInt8](repeating: 0x22, count: behind)
        var target = [UInt8](repeating: 0xAA, count: room + 16)
        let count = unsafe source.withUnsafeBytes { source in
            unsafe target.withUnsafeMutableBytes { target in
                unsafe JSONTextKernel.escapes.withUnsafeBufferPointer { escapes in
                    guard let from = source.baseAddress, let to = target.baseAddress, let table = escapes.baseAddress
                    else {
                        return -1
                    }
                    return unsafe JSONTextKernel.write(
                        from, count: text.count, readable: source.count, to: to, room: room, table)
                }
            }
        }
        return count < 0 ? nil : Array(target[..<count])
    }

    @Test("every byte, at every place of texts of many lengths")
    func everyByte() {
        for length in [1, 2, 15, 16, 17, 63, 64, 65, 130] {
            for byte in 0...255 as ClosedRange<UInt8> {
                var text = [UInt8](repeating: 0x61, count: length)
                text[(Int(byte) * 7) % length] = byte
                #expect(written(text, room: 6 * length) == escaped(text), "\(byte) among \(length)")
            }
        }
        #expect(written([], room: 0) == [])
    }

    @Test("random texts, and too little room", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "中文", "\"", "\\", "\n", "\t\r", "\u{0}\u{1F}", "😀", "plain text of some length", "\u{7F}"]
        for _ in 0..<200 {
            let count = Int.random(in: 0...60, using: &random)
            let text = (0..<count).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
            let expected = escaped(text)
            for behind in [16, 40, 100] {
                #expect(written(text, room: 6 * text.count, behind: behind) == expected)
            }
            // It gives up or writes all of it, and never more than there is room for.
            let room = Int.random(in: 0...(expected.count + 8), using: &random)
            if let result = written(text, room: room) { #expect(result == expected && result.count <= room) }
        }
    }
}
