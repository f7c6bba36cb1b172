import OpenDataCore
@testable import OpenDataFormats
import TestSupport
import Testing

/// What a reader hands out as chunks, and how it goes on behind them.
@Suite struct RecordChunkTests {
    /// Bytes that may be read only to their end: as those of a terminal, which would ask for more.
    private struct OnceSource: ByteSource {
        var bytes: ByteArraySource
        var isAtEnd = false

        mutating func read(_ count: Int, into buffer: inout [UInt8]) throws(OpenDataError) -> Int {
            if isAtEnd { throw OpenDataError(.unreadable, "read once more") }
            let received = bytes.read(count, into: &buffer)
            isAtEnd = received == 0
            return received
        }
    }

    /// Bytes that may be read from any place on, forty at a time, as far as there still are any.
    private struct FewSource: SeekableSource {
        let bytes: [UInt8]
        let count: Guarded<Int>
        var index = 0

        init(_ bytes: [UInt8]) { (self.bytes, count) = (bytes, Guarded(bytes.count)) }

        var place: Int? { index }

        func reading(at offset: Int) -> FewSource? {
            var copy = self
            copy.index = offset
            return copy
        }

        mutating func read(_ count: Int, into buffer: inout [UInt8]) -> Int {
            let end = min(index + min(count, 40), self.count.current)
            guard end > index else { return 0 }
            buffer += bytes[index..<end]
            defer { index = end }
            return end - index
        }
    }

    private func reader(_ text: String, window: Int, isSeekable: Bool = false) throws -> RecordReader {
        let bytes = ByteArraySource(Array(text.utf8))
        let source = UTF8Source(isSeekable ? PrefixedSource([], bytes) : OnceSource(bytes: bytes))
        var reader = RecordReader(source, decoder: JSONRecordDecoder(), windowSize: window)
        _ = try reader.next()
        return reader
    }

    private func records(_ count: Int) -> String { (0..<count).map { "{\"a\":\"中\($0)\"}" }.joined(separator: ",") }

    @Test(
        "chunks together are the text, but for the last window; what is left is read in order",
        arguments: [30, 64, 500], [false, true])
    func chunks(_ window: Int, _ isSeekable: Bool) throws {
        let text = "[" + records(200) + "]"
        var reader = try reader(text, window: window, isSeekable: isSeekable)
        var decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let first = reader.recordOffset
        var (read, offset) = (first, reader.byteOffset)
        while let chunk = try reader.nextChunk(decoder) {
            #expect(chunk.byteOffset == offset)
            let bytes = try chunk.bytes()
            #expect(chunk.count == bytes.count && chunk.count <= window)
            #expect(Array(text.utf8)[offset..<(offset + chunk.count)] == bytes[...])
            offset += chunk.count
            var batch = RecordBatch(bytes: bytes, byteOffset: chunk.byteOffset)
            #expect(try decoder.decode(&batch, isLast: false) == chunk.count)
            read += batch.count
        }
        #expect(read > first && read < 200)
        try reader.resume(decoder, recordOffset: read)
        while let batch = try reader.next() {
            #expect(batch.recordOffset == read && batch.origins.first?.record == read + 1)
            #expect(batch.origins.first.map { Array(text.utf8)[$0.byte] } == UInt8(ascii: "{"))
            read += batch.count
        }
        #expect(read == 200)
    }

    @Test("a line that begins with a chunk's first byte, the LF of a CRLF, has its columns counted from there")
    func splitLineEnd() throws {
        let (first, second, broken) = (#"{"a":1}"# + "\r", "\n" + #"{"a":2}"#, #"{"a" 3}"#)
        let whole = DocumentOutcome.decode((first + second + broken).utf8)
        #expect(whole.position == Position(record: 3, line: 2, column: 13, byte: 21))

        let reader = try reader(first + second + broken, window: first.utf8.count)
        var decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let chunk = Array(second.utf8)
        var behind = decoder
        behind.line = 1
        var batch = RecordBatch(bytes: chunk, byteOffset: first.utf8.count)
        let consumed = try behind.decode(&batch, isLast: false)
        #expect(consumed == chunk.count && batch.count == 1)
        let isAlike = decoder.follow(behind)
        #expect(isAlike)
        var rest = RecordBatch(
            bytes: Array(broken.utf8), byteOffset: (first + second).utf8.count, recordOffset: 2)
        do throws(OpenDataError) {
            _ = try decoder.decode(&rest, isLast: true)
            Issue.record("the key has no colon behind it")
        } catch {
            #expect(error.position == whole.position)
        }
    }

    @Test("chunks that are given back are read again, and checked to be UTF-8", arguments: [false, true], [64, 200])
    func givenBack(_ hasTakenOne: Bool, _ window: Int) throws {
        var bytes = Array(("[" + records(100) + "]").utf8)
        bytes[bytes.count - 40] = 0xC0
        // Behind a byte order mark, as the text of a file is.
        let text = try #require(ByteArraySource([0xEF, 0xBB, 0xBF] + bytes).reading(at: 3))
        let source = UTF8Source(PrefixedSource([], text), offset: 3)
        var reader = RecordReader(source, decoder: JSONRecordDecoder(), windowSize: window)
        _ = try reader.next()
        let decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let (records, offset) = (reader.recordOffset, reader.byteOffset)
        var left: [RecordReader.Chunk] = []
        for _ in 0..<3 { left.append(try #require(try reader.nextChunk(decoder))) }
        // The first record of them, and its comma.
        let end = try #require(try left[0].bytes().firstIndex(of: UInt8(ascii: ",")))
        let consumed = hasTakenOne ? end + 1 : 0
        try reader.resume(decoder, recordOffset: records + (hasTakenOne ? 1 : 0), left: left, consumed: consumed)
        #expect(reader.byteOffset == offset + consumed)
        var last: Record?
        do {
            while let batch = try reader.next() { last = batch.records.last }
            Issue.record("the bad byte was not found")
        } catch {
            #expect(error.code == .invalidText && error.position?.byte == bytes.count - 40 + 3)
        }
        #expect((last?.position.record ?? 0) > 80)
        // Each record says which it is, from 0.
        let number = try #require(last?.position.record)
        #expect(last?.value("a") == .text("中\(number - 1)"))
    }

    @Test("of a file that is cut short while it is read, what is left comes once and in order", arguments: 0..<40)
    func cutShort(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let text = Array(("code,n\n" + (0..<300).map { "c\($0),\($0)\n" }.joined()).utf8)
        let source = FewSource(text)
        var reader = RecordReader(UTF8Source(source), decoder: CSVDecoder(), windowSize: 256)
        var codes = try reader.next()?.records.map { try $0["code"] as String } ?? []
        let start = try #require(reader.chunkDecoder as? CSVDecoder)
        var chunks: [RecordReader.Chunk] = []
        for _ in 0..<4 { chunks.append(try #require(try reader.nextChunk(start))) }
        // Somewhere within them, or at the end of one.
        let end = try #require(chunks.last.map { $0.byteOffset + $0.count })
        let cut =
            seed % 4 == 0
            ? try #require(chunks.randomElement(using: &random)).byteOffset
            : Int.random(in: reader.byteOffset - 1000..<end, using: &random)
        source.count.with { $0 = cut }
        var (decoder, left, consumed) = (start, ArraySlice(chunks), 0)
        while let chunk = left.first {
            var batch = RecordBatch(bytes: try chunk.bytes(), byteOffset: chunk.byteOffset)
            consumed = try decoder.decode(&batch, isLast: false)
            codes += try batch.records.map { try $0["code"] as String }
            if consumed < chunk.count { break }
            (left, consumed) = (left.dropFirst(), 0)
        }
        try reader.resume(decoder, recordOffset: codes.count, left: Array(left), consumed: consumed)
        while let batch = try reader.next() { codes += try batch.records.map { try $0["code"] as String } }
        let whole = String(decoding: text[..<cut], as: UTF8.self).split(separator: "\n").dropFirst()
        // Of the last line a code may be left.
        #expect(codes.count >= whole.count - 1 && codes.count <= whole.count)
        #expect(zip(codes, whole).dropLast().allSatisfy { $1.hasPrefix("\($0),") })
    }

    /// The first error of a payload's chunks, which follow a byte order mark.
    private func failure(_ bytes: [UInt8], _ decoder: some ChunkDecoder) throws -> OpenDataError? {
        func failure<Decoder: ChunkDecoder>(_ reader: inout RecordReader, _ decoder: Decoder) throws -> OpenDataError? {
            var decoder = decoder
            while let chunk = try reader.nextChunk(decoder) {
                var batch = RecordBatch(bytes: try chunk.bytes(), byteOffset: chunk.byteOffset)
                do throws(OpenDataError) { _ = try chunk.decode(&batch, by: &decoder) } catch { return error }
            }
            return nil
        }
        let text = try #require(ByteArraySource([0xEF, 0xBB, 0xBF] + bytes).reading(at: 3))
        var reader = RecordReader(UTF8Source(PrefixedSource([], text), offset: 3), decoder: decoder, windowSize: 64)
        _ = try reader.next()
        let chunks = try #require(reader.chunkDecoder)
        return try failure(&reader, chunks)
    }

    @Test("a chunk whose text is not UTF-8 is refused, at the payload's byte", arguments: [false, true])
    func invalidChunk(_ isCSV: Bool) throws {
        let lines = (0..<100).map { "中\($0)\n" }.joined()
        var bytes = Array((isCSV ? "a\n" + lines : "[" + records(100) + "]").utf8)
        let place = try #require(bytes.firstRange(of: Array("中50".utf8))?.lowerBound)
        bytes[place] = 0xFF
        let error = isCSV ? try failure(bytes, CSVDecoder()) : try failure(bytes, JSONRecordDecoder())
        #expect(error?.code == .invalidText && error?.position?.byte == place + 3)
    }

    @Test("a source that gives a few bytes at a time gives whole chunks all the same") func fewBytes() throws {
        let text = Array(("[" + records(400) + "]").utf8)
        var reader = RecordReader(UTF8Source(FewSource(text)), decoder: JSONRecordDecoder(), windowSize: 640)
        _ = try reader.next()
        let decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        var (offset, count) = (reader.byteOffset, 0)
        while let chunk = try reader.nextChunk(decoder) {
            #expect(try chunk.bytes()[...] == text[offset..<(offset + chunk.count)])
            (offset, count) = (offset + chunk.count, count + 1)
        }
        #expect(count > 3)
    }

    @Test("a file that is cut short after a chunk of it was decoded") func cutShort() throws {
        let source = FewSource(Array(("[" + records(200) + "]").utf8))
        var reader = RecordReader(UTF8Source(source), decoder: JSONRecordDecoder(), windowSize: 500)
        _ = try reader.next()
        var decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let chunk = try #require(try reader.nextChunk(decoder))
        var batch = RecordBatch(bytes: try chunk.bytes(), byteOffset: chunk.byteOffset)
        let consumed = try decoder.decode(&batch, isLast: false)
        source.count.with { $0 = chunk.byteOffset + consumed - 10 }
        try reader.resume(
            decoder, recordOffset: reader.recordOffset + batch.count, left: [chunk], consumed: consumed)
        let error = #expect(throws: OpenDataError.self) { while try reader.next() != nil {} }
        #expect(error?.code == .truncated)
    }

    @Test("bytes that have another place in their source than in the payload") func elsewhere() throws {
        let text = Array(("[" + records(200) + "]").utf8)
        let source = try #require(ByteArraySource(Array("[1,2]".utf8) + text).reading(at: 5))
        var reader = RecordReader(UTF8Source(source), decoder: JSONRecordDecoder(), windowSize: 500)
        _ = try reader.next()
        let decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let offset = reader.byteOffset
        let chunk = try #require(try reader.nextChunk(decoder))
        #expect(try chunk.bytes()[...] == text[offset..<(offset + chunk.count)])
    }

    @Test("nothing that was read up to the end becomes a chunk") func endInSight() throws {
        // The first record makes the window grow past the end, and what is left is longer than a window.
        let text = "a,b\n" + String(repeating: "x", count: 520) + ",1\n\"" + String(repeating: "y\n", count: 150)
        let source = UTF8Source(ByteArraySource(Array(text.utf8)))
        var reader = RecordReader(source, decoder: CSVDecoder(), windowSize: 256)
        let batch = try reader.next()
        #expect(batch?.count == 1)
        let decoder = try #require(reader.chunkDecoder as? CSVDecoder)
        let chunk = try reader.nextChunk(decoder)
        #expect(chunk == nil)
    }

    @Test("after a wrong guess chunks end where all of their bytes say", arguments: [false, true])
    func careful(_ isSeekable: Bool) throws {
        let inner = (0..<6).map { "{\"a\":\($0)}" }.joined(separator: ",")
        let nested = (0..<200).map { "{\"a\":[\($0),\(inner)]}" }.joined(separator: ",")
        var reader = try reader("[{\"a\":0},\(nested)]", window: 640, isSeekable: isSeekable)
        var decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
        let first = try #require(try reader.nextChunk(decoder))
        var batch = RecordBatch(bytes: try first.bytes(), byteOffset: first.byteOffset)
        let consumed = try decoder.decode(&batch, isLast: false)
        #expect(consumed < first.count)
        try reader.resume(
            decoder, recordOffset: reader.recordOffset + batch.count, left: [first], consumed: consumed)
        var count = 0
        while let chunk = try reader.nextChunk(decoder) {
            batch = RecordBatch(bytes: try chunk.bytes(), byteOffset: chunk.byteOffset)
            #expect(try decoder.decode(&batch, isLast: false) == chunk.count)
            count += 1
        }
        #expect(count > 5)
    }

    @Test("after sixteen wrong guesses the rest is read in order")
    func misses() throws {
        var reader = try reader("[" + records(100) + "]", window: 30)
        for _ in 0..<16 {
            let decoder = try #require(reader.chunkDecoder as? JSONRecordDecoder)
            let chunk = try #require(try reader.nextChunk(decoder))
            try reader.resume(decoder, recordOffset: reader.recordOffset, left: [chunk])
        }
        #expect(reader.chunkDecoder == nil)
    }

    @Test(
        "where a chunk is thought to end",
        arguments: [
            // The bytes, the end by a look at the last, and the end by all of them.
            (#"{"a":1},{"a":2},{"a":3"#, 16, 16), (#"{"a":1} ,\#n {"a":2} , { "a":3"#, 20, 20),
            (#"{"a":1},{"a":[{"a":1},{"a":2}]},{"a"#, 22, 32), (#"{"a":1},{"b":2},{"b":3},{"#, 24, 24),
            (#"{"a":"},{\"a\":"},{"a":2},{"a":"},{"#, 26, 26), (#"{"a":1}]"#, 8, 8),
            (#"{"a":1},{"a":2}],"x":[{"a":1},{"a":2"#, 30, 8),
            (#"{"a":1"#, 0, 0), (#"{"a":"x\"#, 0, 0), (#"{"a":"#, 0, 0), ("7,8,9", 4, 4),
        ])
    func ends(_ text: String, _ guess: Int, _ careful: Int) throws {
        var decoder = JSONRecordDecoder()
        var batch = RecordBatch(bytes: Array(#"[{"a":0},{"#.utf8))
        #expect(try decoder.decode(&batch, isLast: false) == 9)
        #expect(decoder.likelyEnd(of: Array(text.utf8), careful: false) == guess)
        #expect(decoder.likelyEnd(of: Array(text.utf8), careful: true) == careful)
    }

    @Test(
        "where a chunk of delimited text is thought to end",
        arguments: [
            // The bytes; the end as long as no line ends were seen in quotes, once they were, and with care.
            ("1,2\n3,4\n5,6", 8, 8, 8), ("1,2\n3,4\n", 8, 8, 8), ("1,2\r3,4\r", 4, 4, 4),
            ("1,2\r\n3,\"4\r\n", 11, 11, 5),
            ("aaaaaaaaaaaaaaaa,2\n3,\"4\n5", 24, 19, 19), ("3,\"4\n5\"\n6,\"", 8, 8, 8),
            ("\"a\"\"\n\"\"b\"\n1,\"\n\"", 14, 10, 10),
            // A quote that stands alone, and no line end at all.
            ("5\" a,1\nb,2\nc,3\n", 15, 15, 0), ("1,\"2", 0, 0, 0), ("", 0, 0, 0),
        ])
    func csvEnds(_ text: String, _ plain: Int, _ likely: Int, _ careful: Int) throws {
        var decoder = CSVDecoder()
        var batch = RecordBatch(bytes: Array("x,y\n1,2\n".utf8))
        #expect(try decoder.decode(&batch, isLast: false) == 8)
        #expect(decoder.likelyEnd(of: Array(text.utf8), careful: false) == plain)
        batch = RecordBatch(bytes: Array("1,\"2\n3\"\n".utf8))
        #expect(try decoder.decode(&batch, isLast: false) == 8)
        #expect(decoder.likelyEnd(of: Array(text.utf8), careful: false) == likely)
        #expect(decoder.likelyEnd(of: Array(text.utf8), careful: true) == careful)
    }
}
