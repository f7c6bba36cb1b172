import Foundation

/// What the tests compress with: zlib, found at run time, and a checksum of their own.
enum Compression {
    private typealias Compress =
        @convention(c) (
            UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<CUnsignedLong>, UnsafePointer<UInt8>, CUnsignedLong, CInt
        ) -> CInt

    private static let compress: Compress? = {
        #if canImport(Darwin)
            let name = "libz.dylib"
        #else
            let name = "libz.so.1"
        #endif
        guard let library = unsafe dlopen(name, RTLD_NOW), let symbol = unsafe dlsym(library, "compress2") else {
            return nil
        }
        return unsafe unsafeBitCast(symbol, to: Compress.self)
    }()

    /// The bytes deflated, without a header.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        guard let compress = unsafe compress else { return [] }
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 64)
        var count = CUnsignedLong(output.count)
        // In bounds: zlib writes at most `count` bytes.
        let result = unsafe compress(&output, &count, bytes, CUnsignedLong(bytes.count), 9)
        precondition(result == 0, "zlib compresses")
        // Less zlib's header of two bytes and its checksum of four.
        return Array(output[2..<(Int(count) - 4)])
    }

    /// The bytes as a gzip file.
    static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflated(bytes) + ZipWriter.number(Int(checksum(bytes)), 4)
            + ZipWriter.number(bytes.count, 4)
    }

    /// The CRC-32.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}

/// Writes ZIP archives, sound ones and others.
struct ZipWriter {
    /// A member, and how it departs from what it should be.
    struct Member {
        var name: [UInt8]
        var content: [UInt8]
        var method = 8
        var flags = 0
        var extra: [UInt8] = []
        var hasDescriptor = false
        var isLarge = false
        // What the archive says in place of the truth.
        var checksum: UInt32?
        var size: Int?
        var localName: [UInt8]?
        var headerOffset: Int?
        var descriptorSize: Int?
        var data: [UInt8]?

        init(_ name: String, _ content: String) { self.init(Array(name.utf8), Array(content.utf8)) }

        init(_ name: [UInt8], _ content: [UInt8]) {
            self.name = name
            self.content = content
        }

        func with(_ change: (inout Member) -> Void) -> Member {
            var copy = self
            change(&copy)
            return copy
        }
    }

    var members: [Member]
    var comment: [UInt8] = []
    var isLarge = false

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The archive.
    var bytes: [UInt8] {
        var output: [UInt8] = []
        var directory: [UInt8] = []
        let number = ZipWriter.number
        for member in members {
            let data = member.data ?? (member.method == 8 ? Compression.deflated(member.content) : member.content)
            let checksum = Int(member.checksum ?? Compression.checksum(member.content))
            let size = member.size ?? member.content.count
            let flags = member.flags | (member.hasDescriptor ? 8 : 0)
            let offset = member.headerOffset ?? output.count
            let told = member.hasDescriptor ? (0, 0, 0) : (checksum, data.count, size)
            let localName = member.localName ?? member.name
            output +=
                number(0x0403_4B50, 4) + number(20, 2) + number(flags, 2) + number(member.method, 2) + number(0, 4)
            output +=
                number(told.0, 4) + number(told.1, 4) + number(told.2, 4) + number(localName.count, 2) + number(0, 2)
                + localName
            output += data
            if member.hasDescriptor {
                output += number(0x0807_4B50, 4) + number(checksum, 4) + number(data.count, 4)
                output += number(member.descriptorSize ?? size, 4)
            }
            let large =
                member.isLarge
                ? number(1, 2) + number(24, 2) + number(size, 8) + number(data.count, 8) + number(offset, 8) : []
            directory +=
                number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + number(flags, 2) + number(member.method, 2)
                + number(0, 4)
            directory += number(checksum, 4) + number(member.isLarge ? 0xFFFF_FFFF : data.count, 4)
            directory += number(member.isLarge ? 0xFFFF_FFFF : size, 4) + number(member.name.count, 2)
            directory += number(member.extra.count + large.count, 2) + number(0, 10)
            directory += number(member.isLarge ? 0xFFFF_FFFF : offset, 4) + member.name + member.extra + large
        }
        let start = output.count
        output += directory
        if isLarge {
            let place = output.count
            output += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
            output +=
                number(members.count, 8) + number(members.count, 8) + number(directory.count, 8) + number(start, 8)
            output += number(0x0706_4B50, 4) + number(0, 4) + number(place, 8) + number(1, 4)
        }
        output +=
            number(0x0605_4B50, 4) + number(0, 4) + number(isLarge ? 0xFFFF : members.count, 2)
            + number(isLarge ? 0xFFFF : members.count, 2)
        output += number(isLarge ? 0xFFFF_FFFF : directory.count, 4) + number(isLarge ? 0xFFFF_FFFF : start, 4)
        return output + number(comment.count, 2) + comment
    }
}
