import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Text in another encoding, converted to UTF-8 by the system's `iconv` as it is read.
struct ConvertedSource: ByteSource {
    private var source: any ByteSource
    private let converter: Converter
    private let encoding: TextEncoding
    // Bytes read and not yet converted, the first of which stands at `offset` in the payload.
    private var input: [UInt8] = []
    private var offset = 0
    private var output: [UInt8] = []
    private var isAtEnd = false

    init(_ source: any ByteSource, from encoding: TextEncoding) throws(OpenDataError) {
        self.source = source
        self.encoding = encoding
        converter = try Converter(from: encoding)
    }

    mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        while output.isEmpty {
            if !isAtEnd { isAtEnd = try source.read(1 << 16, into: &input) == 0 }
            if input.isEmpty { return 0 }
            let consumed = converter.convert(input, into: &output)
            input.removeFirst(consumed)
            offset += consumed
            // What cannot be converted: a letter cut at the end of the input, or bytes that are no letter.
            if consumed == 0, isAtEnd || input.count >= 16 {
                let bytes = input.prefix(2).map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
                throw OpenDataError(
                    .invalidText, "byte \(offset) (0x\(bytes)) is no letter of \(encoding.rawValue)",
                    position: Position(byte: offset))
            }
        }
        let taken = min(count, output.count)
        buffer += output.prefix(taken)
        output.removeFirst(taken)
        return taken
    }
}

/// An open `iconv` conversion to UTF-8.
@safe private final class Converter: @unchecked Sendable {
    // Made by init, closed by deinit, and used by one reader at a time: its owner is a value that is mutated to read.
    private let descriptor: iconv_t

    init(from encoding: TextEncoding) throws(OpenDataError) {
        guard let descriptor = unsafe iconv_open("UTF-8", encoding.rawValue),
            unsafe descriptor != iconv_t(bitPattern: -1)
        else { throw OpenDataError(.badArgument, "this system knows no text encoding '\(encoding.rawValue)'") }
        unsafe self.descriptor = unsafe descriptor
    }

    deinit { _ = unsafe iconv_close(descriptor) }

    /// Converts as many whole letters as there are, adds them to the output and returns how many bytes they took.
    func convert(_ input: [UInt8], into output: inout [UInt8]) -> Int {
        // No encoding here makes more than four bytes of one, or more than that of a few.
        let room = input.count * 4 + 16
        var input = input
        var consumed = 0
        let converted = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe input.withUnsafeMutableBytes { bytes in
                var from = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = bytes.count
                unsafe buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: room) { start in
                    var to: UnsafeMutablePointer<CChar>? = unsafe start
                    var space = room
                    // In bounds: iconv counts both lengths down and stops at zero.
                    _ = unsafe iconv(descriptor, &from, &left, &to, &space)
                    count = room - space
                }
                consumed = bytes.count - left
            }
        }
        output += converted
        return consumed
    }
}
