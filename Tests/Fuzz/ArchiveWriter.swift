import OpenDataCore
import TestSupport

/// Writes ZIP archives and gzip files, sound ones.
enum ArchiveWriter {
    /// A member of an archive.
    struct Member {
        var name: [UInt8]
        var content: [UInt8]
        var isDeflated = true
        var hasDescriptor = false
        var flags = 0
    }

    /// The archive, with a comment.
    static func zip(_ members: [Member], comment: [UInt8] = []) -> [UInt8] {
        var output: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let data = member.isDeflated ? deflated(member.content) : member.content
            let sizes =
                number(Int(checksum(member.content)), 4) + number(data.count, 4) + number(member.content.count, 4)
            let flags = number(member.flags | (member.hasDescriptor ? 8 : 0), 2)
            let method = number(member.isDeflated ? 8 : 0, 2)
            directory += number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + flags + method + number(0, 4) + sizes
            directory += number(member.name.count, 2) + number(0, 12) + number(output.count, 4) + member.name
            output += number(0x0403_4B50, 4) + number(20, 2) + flags + method + number(0, 4)
            output += member.hasDescriptor ? number(0, 12) : sizes
            output += number(member.name.count, 2) + number(0, 2) + member.name + data
            if member.hasDescriptor { output += number(0x0807_4B50, 4) + sizes }
        }
        let start = output.count
        output +=
            directory + number(0x0605_4B50, 4) + number(0, 4) + number(members.count, 2) + number(members.count, 2)
        return output + number(directory.count, 4) + number(start, 4) + number(comment.count, 2) + comment
    }

    /// A member of a gzip file, with a name or without.
    static func gzip(_ content: [UInt8], name: [UInt8]? = nil) -> [UInt8] {
        let head: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
        return head + (name.map { $0 + [0] } ?? []) + deflated(content) + number(Int(checksum(content)), 4)
            + number(content.count, 4)
    }

    /// A number, the low byte first.
    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The bytes as one block of fixed codes: letters, and a run of one letter as a copy of itself.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        writer.add(0b011, 3)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let run = index > 0 && bytes[index - 1] == byte ? bytes[index...].prefix(10).prefix { $0 == byte }.count : 0
            if run >= 3 {
                // Lengths from 3 to 10 are the symbols from 257 on, of seven bits; the distance 1 is symbol 0, of five.
                writer.addReversed(run - 2, 7)
                writer.add(0, 5)
                index += run
            } else {
                if byte < 144 {
                    writer.addReversed(0x30 + Int(byte), 8)
                } else {
                    writer.addReversed(0x190 + Int(byte) - 144, 9)
                }
                index += 1
            }
        }
        writer.add(0, 7)
        return writer.finished
    }

    /// The CRC-32.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes { value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
        return ~value
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var bits = 0
        private var count = 0

        mutating func add(_ value: Int, _ width: Int) {
            bits |= value << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                count -= 8
            }
        }

        /// Codes are written from their highest bit on.
        mutating func addReversed(_ code: Int, _ width: Int) {
            for bit in (0..<width).reversed() { add(code >> bit & 1, 1) }
        }

        var finished: [UInt8] { count == 0 ? bytes : bytes + [UInt8(truncatingIfNeeded: bits)] }
    }
}
