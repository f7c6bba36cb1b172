import CZlib
import OpenDataCore

/// A decompression by zlib that is under way: for one reader at a time.
@safe final class Inflater: @unchecked Sendable {
    /// What a stream begins with.
    enum Wrapping {
        /// The header of gzip, whose checksum and length are checked.
        case gzip
        /// Compressed bytes at once (RFC 1951).
        case raw
    }

    private static let room = 128 << 10

    // Made by init, freed by deinit, and used by one reader at a time: its owner is a value that is mutated to read.
    private let handle: UnsafeMutableRawPointer

    /// Throws ``OpenDataError/Code/unreadable`` where there is no zlib.
    init(_ wrapping: Wrapping) throws(OpenDataError) {
        guard let handle = unsafe czlib_inflate_make(wrapping == .gzip ? czlib_gzip : czlib_raw) else {
            throw OpenDataError(.unreadable, "compressed data cannot be read: this system has no zlib (libz.so.1)")
        }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe czlib_inflate_free(handle) }

    /// Starts again, for another stream behind the first.
    func reset() { unsafe czlib_inflate_reset(handle) }

    /// What came of a step.
    struct Step {
        /// How many bytes of the input were read.
        var consumed: Int
        /// How many bytes were added.
        var produced: Int
        /// Whether the stream has ended.
        var hasEnded: Bool
        /// Whether the input is no such stream.
        var isBroken: Bool
    }

    /// Decompresses input from an index on and adds at most `count` bytes to the output.
    func step(_ input: [UInt8], from index: Int, into output: inout [UInt8], count: Int) -> Step {
        var inputLeft = input.count - index
        let room = min(count, Inflater.room)
        var outcome = czlib_more
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
            var outputLeft = room
            unsafe input.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
                // In bounds: zlib reads and writes no more than what is left of either, and counts both down.
                unsafe outcome = czlib_inflate_step(
                    handle, rest.baseAddress, &inputLeft, buffer.baseAddress, &outputLeft)
            }
            initialized = room - outputLeft
        }
        if output.isEmpty { output = piece } else { output += piece }
        return Step(
            consumed: input.count - index - inputLeft, produced: piece.count, hasEnded: outcome == czlib_ended,
            isBroken: outcome == czlib_broken)
    }

    /// The CRC-32 of bytes from an index on that follow others with the CRC-32 `before`.
    static func checksum(_ before: UInt32, _ bytes: [UInt8], from index: Int) -> UInt32 {
        unsafe bytes.withUnsafeBytes { raw in
            // In bounds: from the index to the end.
            let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[index...])
            return unsafe czlib_crc32(before, rest.baseAddress, rest.count)
        }
    }
}
