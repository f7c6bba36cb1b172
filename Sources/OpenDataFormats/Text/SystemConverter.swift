import OpenDataCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Turns any encoding that the system's `iconv` knows into UTF-8.
@safe final class SystemConverter: TextConverter, @unchecked Sendable {
    // Made by init, closed by deinit, and used by one reader at a time: its owner is a value that is mutated to read.
    private let descriptor: iconv_t

    /// Throws ``OpenDataError/Code/badArgument`` for an encoding that the system does not know.
    init(from encoding: TextEncoding) throws(OpenDataError) {
        // What else may follow a name, such as //IGNORE, would drop letters without a word.
        let isName = encoding.rawValue.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_.:+()".utf8.contains(byte)
        }
        guard isName, !encoding.rawValue.isEmpty, let descriptor = unsafe iconv_open("UTF-8", encoding.rawValue),
            unsafe descriptor != iconv_t(bitPattern: -1)
        else { throw OpenDataError(.badArgument, "this system knows no text encoding '\(encoding.rawValue)'") }
        unsafe self.descriptor = unsafe descriptor
    }

    deinit { _ = unsafe iconv_close(descriptor) }

    func convert(_ input: [UInt8], from start: Int, into output: inout [UInt8]) -> TextConversion {
        var conversion = TextConversion()
        var input = input
        // Letters that become longer than this are converted next time.
        let room = (input.count - start) * 2 + 64
        output += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe input.withUnsafeMutableBytes { bytes in
                var from = unsafe bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                var left = bytes.count - start
                unsafe buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: room) { begin in
                    var to: UnsafeMutablePointer<CChar>? = unsafe begin
                    var space = room
                    // In bounds: iconv counts both lengths down and stops at zero.
                    let result = unsafe iconv(descriptor, &from, &left, &to, &space)
                    if result == -1 as Int || result == Int.max {
                        conversion.stop = errno == E2BIG ? .done : errno == EINVAL ? .cut : .bad(1)
                    }
                    count = room - space
                }
                conversion.consumed = bytes.count - start - left
            }
        }
        return conversion
    }

    /// Adds a letter that the converter has kept back, because another might have joined it.
    func finish(into output: inout [UInt8]) {
        let room = 64
        output += unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: room) { begin in
                var to: UnsafeMutablePointer<CChar>? = unsafe begin
                var space = room
                // In bounds: iconv counts the length down and stops at zero.
                _ = unsafe iconv(descriptor, nil, nil, &to, &space)
                count = room - space
            }
        }
    }
}
