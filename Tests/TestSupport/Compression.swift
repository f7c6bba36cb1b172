import Foundation

/// What the tests compress with: zlib, found at run time, and a checksum of their own.
public enum Compression {
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
    public static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        guard let compress = unsafe compress else { return [] }
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 64)
        var count = CUnsignedLong(output.count)
        // In bounds: zlib writes at most `count` bytes.
        let result = unsafe compress(&output, &count, bytes, CUnsignedLong(bytes.count), 9)
        precondition(result == 0, "zlib compresses")
        // Less zlib's header of two bytes and its checksum of four.
        return Array(output[2..<(Int(count) - 4)])
    }

    /// The bytes as a gzip file, with a name or without.
    public static func gzipped(_ bytes: [UInt8], name: [UInt8]? = nil) -> [UInt8] {
        let head: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
        return head + (name.map { $0 + [0] } ?? []) + deflated(bytes) + ZipWriter.number(Int(checksum(bytes)), 4)
            + ZipWriter.number(bytes.count, 4)
    }

    /// The CRC-32.
    public static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes { value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
        return ~value
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}
