public import OpenDataCore

/// The bytes of a gzip file (RFC 1952), decompressed as they are read.
///
/// A file may have several members one behind the other, and zeros at its end. Checksums and lengths are checked.
public struct GzipSource: ByteSource {
    private var source: any ByteSource
    private let inflater: Inflater
    private let limit: InflationLimit
    private var input: [UInt8] = []
    private var index = 0
    // The number of compressed bytes up to `index`, and of those made of them.
    private var consumed = 0
    private var produced = 0
    private var isAtEnd = false
    private var isInMember = false
    private var hasMember = false

    /// Reads compressed bytes, which may become so many at most.
    ///
    /// Throws ``OpenDataError/Code/unreadable`` where there is no zlib.
    public init(_ source: any ByteSource, maximumBytes: Int) throws(OpenDataError) {
        self.source = source
        limit = InflationLimit(maximumBytes: maximumBytes)
        inflater = try Inflater(.gzip)
    }

    /// Adds the next bytes.
    ///
    /// Throws ``OpenDataError/Code/malformed`` for what is not gzip or has a wrong checksum,
    /// ``OpenDataError/Code/truncated`` for a file that ends too early, ``OpenDataError/Code/tooLarge`` for one that
    /// becomes too much, and what the source throws.
    public mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
        guard count > 0 else { return 0 }
        while true {
            if index == input.count, !isAtEnd {
                input.removeAll(keepingCapacity: true)
                index = 0
                isAtEnd = try source.read(1 << 16, into: &input) == 0
            }
            if !isInMember {
                guard try findMember() else { return 0 }
                continue
            }
            let step = inflater.step(input, from: index, into: &buffer, count: count)
            index += step.consumed
            consumed += step.consumed
            produced += step.produced
            try limit.check(produced, from: consumed)
            if step.isBroken {
                throw OpenDataError(
                    .malformed, "the gzip file is broken, or its checksum is wrong, at byte \(consumed)",
                    position: Position(byte: consumed))
            }
            if step.hasEnded { isInMember = false }
            if step.produced > 0 { return step.produced }
            if isAtEnd, isInMember, step.consumed == 0 {
                throw OpenDataError(
                    .truncated, "the gzip file ends in the middle, after \(consumed) bytes",
                    position: Position(byte: consumed))
            }
        }
    }

    /// Looks for the beginning of a member; false at the end.
    private mutating func findMember() throws(OpenDataError) -> Bool {
        while hasMember, index < input.count, input[index] == 0 {
            index += 1
            consumed += 1
        }
        if index == input.count, !isAtEnd { return true }
        if index == input.count, hasMember { return false }
        guard index < input.count, input[index] == 0x1F else {
            throw OpenDataError(
                .malformed,
                hasMember
                    ? "something else follows the gzip data at byte \(consumed)"
                    : "the bytes do not begin like a gzip file",
                position: Position(byte: consumed))
        }
        if hasMember { inflater.reset() }
        (hasMember, isInMember) = (true, true)
        return true
    }
}
