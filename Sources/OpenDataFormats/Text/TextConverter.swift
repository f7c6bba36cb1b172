/// How far a piece of text was converted.
struct TextConversion {
    /// Why a conversion stopped.
    enum Stop: Equatable {
        /// All bytes were converted, or the output was full.
        case done
        /// The bytes that are left begin a letter.
        case cut
        /// The next bytes, so many of them, are no letter.
        case bad(Int)
    }

    /// The number of bytes converted.
    var consumed = 0
    var stop = Stop.done
    /// Letters of two bytes, those of them whose second byte is below A1, and those that are user-defined; 0 in
    /// encodings that have no such thing.
    var doubleBytes = 0
    var lowTrails = 0
    var userDefined = 0
}

/// Turns the bytes of one encoding into UTF-8, a piece at a time.
///
/// What it adds to the output is UTF-8 without NULs, unless the system's converter sees to it.
protocol TextConverter: Sendable {
    /// Adds the text of the bytes from `start` on to the output, as far as they are whole letters.
    mutating func convert(_ input: [UInt8], from start: Int, into output: inout [UInt8]) -> TextConversion

    /// Adds what was held back until the end of the text was certain.
    mutating func finish(into output: inout [UInt8])
}

extension TextConverter {
    /// Nothing is held back.
    mutating func finish(into output: inout [UInt8]) {}

    /// Has a kernel turn the bytes from `start` on into at most half as many bytes again, and adds those.
    func append(
        _ input: [UInt8], from start: Int, to output: inout [UInt8],
        by kernel: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, inout TextConversion) -> Int
    ) -> TextConversion {
        var conversion = TextConversion()
        let room = (input.count - start) / 2 * 3 + 16
        // In bounds: the kernel's own terms, which are those of the two buffers.
        let text = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe input.withUnsafeBytes { bytes in
                count = unsafe kernel(
                    UnsafeRawBufferPointer(rebasing: bytes[start...]), UnsafeMutableRawBufferPointer(buffer),
                    &conversion)
            }
        }
        output += text
        return conversion
    }
}
