@testable import OpenData
import OpenDataCore
import Testing

/// Bytes are written in order and once; the first wait until 4 MiB have come together.
@Suite struct HeldOutputTests {
    /// The sizes of what was written.
    private var (sizes, written): ([Int], [UInt8]) = ([], [])

    private mutating func write(_ bytes: [UInt8]) {
        sizes.append(bytes.count)
        written += bytes
    }

    @Test("pieces and bytes of its own, in the order in which they come", arguments: [1, 100, 70_000, 300_000])
    mutating func order(_ size: Int) throws {
        var (output, expected) = (HeldOutput(), [UInt8]())
        for round in 0..<40 {
            let piece = Array(repeating: UInt8(round), count: size)
            expected += piece
            if round % 3 == 0 {
                output.bytes += piece
                try output.flush { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
            } else {
                try output.append(piece) { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
            }
            // At most a piece and what belongs together are back once the first are out.
            #expect(written.isEmpty ? expected.count < (4 << 20) + size : expected.count - written.count < 1 << 18)
        }
        #expect(written.isEmpty == (size * 40 < 4 << 20))
        output.bytes += [255]
        try output.finish { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        // (Not compared in the expectation, which would look for what differs among millions of bytes.)
        let isSame = written == expected + [255]
        #expect(isSame, "\(written.count) bytes of \(expected.count + 1)")
    }

    @Test("the first go out at 4 MiB, and small pieces 256 KiB at a time from then on") mutating func limits() throws {
        var output = HeldOutput()
        output.bytes = Array(repeating: 1, count: (4 << 20) - 1)
        try output.flush { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        #expect(sizes.isEmpty)
        try output.append([2]) { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        #expect(sizes == [(4 << 20) - 1, 1])
        output.bytes += Array(repeating: 3, count: (1 << 18) - 1)
        try output.flush { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        #expect(sizes.count == 2)
        output.bytes.append(4)
        try output.flush { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        #expect(sizes == [(4 << 20) - 1, 1, 1 << 18])
    }

    @Test("a writer that fails is not asked again") mutating func failure() throws {
        var output = HeldOutput()
        var calls = 0
        do throws(OpenDataError) {
            for _ in 0..<100 {
                try output.append(Array(repeating: 0, count: 1 << 20)) { (_: [UInt8]) throws(OpenDataError) in
                    calls += 1
                    throw OpenDataError(.unwritable, "full")
                }
            }
            Issue.record("nobody was told")
        } catch {
            #expect(error.code == .unwritable && calls == 1)
        }
    }

    @Test("nothing at all") mutating func nothing() throws {
        var output = HeldOutput()
        try output.append([]) { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        try output.finish { (bytes: [UInt8]) throws(OpenDataError) in write(bytes) }
        #expect(sizes.isEmpty)
    }
}
