/// Adds to an array of bytes, eight at a time: the hot path of the encoders.
///
/// An append to an array pays for a call, a check of uniqueness and a copy of unknown length; for cells of a few bytes
/// that is most of the work. Here room is made ahead of need (``reserve(_:)``), bytes go in as whole words of which
/// only the first so many count, and the array is cut to what counts in the end. Every store checks its bounds: too
/// little room is a trap, not a stray write. (A mutable span of an array would do the same, but is not to be had on
/// every system that the package supports; nor is a span of an array, for which the encoders take one of a slice.)
struct ByteWriter {
    private var bytes: [UInt8] = []
    /// The number of bytes that count.
    private(set) var count: Int
    /// The bytes to make room for at the next need: few at first, because a batch can be small.
    private var step = 1 << 9

    /// The most bytes of a text that are dealt with between two calls of ``reserve(_:)``.
    static let piece = 4096

    /// Takes over an array; ``finish(into:)`` gives it back.
    init(taking output: inout [UInt8]) {
        swap(&bytes, &output)
        count = bytes.count
    }

    /// Gives the array back with what was added.
    mutating func finish(into output: inout [UInt8]) {
        bytes.removeLast(bytes.count - count)
        swap(&bytes, &output)
        count = 0
    }

    /// Makes room for that many bytes, and the seven that the last word may write beyond them.
    @inline(__always)
    mutating func reserve(_ room: Int) {
        if bytes.count - count < room + 8 { grow(by: room + 8) }
    }

    @inline(never)
    private mutating func grow(by room: Int) {
        bytes.append(contentsOf: [UInt8](repeating: 0, count: max(room, step)))
        step = min(step * 2, 1 << 16)
    }

    /// Adds a byte, for which there is room.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Adds the first bytes of a word, at most eight, for which there is room.
    @inline(__always)
    mutating func append(_ word: UInt64, count length: Int) {
        let place = count
        unsafe bytes.withUnsafeMutableBytes { unsafe ByteWriter.store(word, at: place, in: $0) }
        count += length
    }

    /// Adds the text of a value, for which there is room of 32 bytes.
    mutating func append(_ text: CellText) {
        let place = count
        unsafe bytes.withUnsafeMutableBytes { buffer in
            for index in 0..<4 { unsafe ByteWriter.store(text.words[index], at: place + index * 8, in: buffer) }
        }
        count += text.count
    }

    /// Adds bytes as they are.
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        reserve(range.count)
        let start = count
        unsafe bytes.withUnsafeMutableBytes { buffer in
            var index = range.lowerBound
            while index < range.upperBound {
                let word = ByteScan.word(of: source, at: index, count: min(8, range.upperBound &- index))
                unsafe ByteWriter.store(word, at: start &+ (index &- range.lowerBound), in: buffer)
                index &+= 8
            }
        }
        count = start + range.count
    }

    /// Adds bytes, and has those that a test finds (see ``ByteScan``) written by `write`, which can use `worst` bytes.
    @inline(__always)
    mutating func append(
        _ source: Span<UInt8>, _ range: Range<Int>, worst: Int, finding test: (UInt64) -> UInt64,
        writing write: (UInt8, inout ByteWriter) -> Void
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let end = min(index + ByteWriter.piece, range.upperBound)
            reserve((end - index) * worst)
            while true {
                index = appendClean(source, index..<end, finding: test)
                if index == end { break }
                write(source[index], &self)
                index += 1
            }
        }
    }

    /// Adds bytes up to the first one that the test finds, and returns its index or the end.
    @inline(__always)
    private mutating func appendClean(
        _ source: Span<UInt8>, _ range: Range<Int>, finding test: (UInt64) -> UInt64
    ) -> Int {
        let start = count
        let end = unsafe bytes.withUnsafeMutableBytes { buffer in
            var index = range.lowerBound
            while index < range.upperBound {
                let length = min(8, range.upperBound &- index)
                let word = ByteScan.word(of: source, at: index, count: length)
                unsafe ByteWriter.store(word, at: start &+ (index &- range.lowerBound), in: buffer)
                let clean = test(word).trailingZeroBitCount >> 3
                if clean < length { return index &+ clean }
                index &+= length
            }
            return index
        }
        count = start + (end - range.lowerBound)
        return end
    }

    @inline(__always)
    private static func store(_ word: UInt64, at index: Int, in buffer: UnsafeMutableRawBufferPointer) {
        // A raw buffer checks its bounds in debug builds only.
        precondition(index >= 0 && index <= buffer.count &- 8, "more bytes than there is room for")
        unsafe buffer.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
    }
}
