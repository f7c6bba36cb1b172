public import OpenDataCore

/// Writes records as JSON (RFC 8259): one array with a record a line, or a line for each record and nothing else.
///
/// ```json
/// [
/// {"date":"2026-07-08","code":"0050","close":198.10,"note":null},
/// {"date":"2026-07-08","code":"006208","close":110.00,"note":""}
/// ]
/// ```
///
/// Members stand in the order of the fields. No member, `null` and `""` stay three different things. A number has the
/// digits that it was published with. Days and times are strings in ISO 8601. Nested values are written as the payload
/// has them. Of a string only `"`, `\` and the controls below U+0020 are escaped: a slash is not, and everything else
/// is UTF-8. There is no byte order mark.
public struct JSONRecordEncoder: RecordEncoder, TranscribedEncoder {
    /// What surrounds the records.
    public enum Framing: Sendable {
        /// An array of all records; `[]` if there are none.
        case array
        /// Nothing: each line is a text of JSON by itself (NDJSON, JSON Lines).
        case lines
    }

    private let framing: Framing
    /// `,"name":` for each field, one after the other.
    private var keys: [UInt8] = []
    private var keyRanges: [Range<Int>] = []
    // The same for the kernel.
    private var kernelKeys: [JSONEncoderKernel.Key] = []
    private var kernelKeyBytes: [UInt8] = []
    private var hasRecords = false

    /// Makes an encoder.
    public init(_ framing: Framing) { self.framing = framing }

    /// Adds the opening bracket of an array.
    public mutating func begin(_ fields: [Field], into output: inout [UInt8]) {
        (keys, keyRanges, hasRecords) = ([], [], false)
        var writer = ByteWriter(taking: &keys)
        for field in fields {
            let start = writer.count
            let name = Array(field.name.utf8)[...]
            writer.reserve(3)
            writer.append(UInt8(ascii: ","))
            JSONRecordEncoder.appendString(name.span, 0..<name.count, to: &writer)
            writer.append(UInt8(ascii: ":"))
            keyRanges.append(start..<writer.count)
        }
        writer.finish(into: &keys)
        makeKernelKeys()
        if framing == .array { output.append(UInt8(ascii: "[")) }
    }

    /// Adds the records of a batch, each whole on its line.
    public mutating func write(_ batch: RecordBatch, into output: inout [UInt8]) {
        batch.writePieces(into: &output) { writeCells(of: batch, $0, into: &$1) }
    }

    /// The names as they stand behind a record.
    package var layout: RecordLayout? {
        guard hasRecords || framing == .lines, !keyRanges.isEmpty else { return nil }
        let start = framing == .array ? ",\n{" : "{"
        return RecordLayout(
            names: keyRanges.map { $0.lowerBound == 0 ? Array(start.utf8) + keys[$0].dropFirst() : Array(keys[$0]) },
            end: Array(framing == .array ? "}".utf8 : "}\n".utf8)
        ) { cell, bytes, output in
            var writer = ByteWriter(taking: &output)
            let slice = bytes[...]
            JSONRecordEncoder.append(cell, of: slice.span, to: &writer)
            writer.finish(into: &output)
        }
    }

    private mutating func writeCells(of batch: RecordBatch, _ records: Range<Int>, into output: inout [UInt8]) {
        var record = records.lowerBound
        // How many records to write cell by cell before the kernel is tried again.
        var run = 1
        while record < records.upperBound {
            let isForKernel = hasRecords || framing == .lines
            let next = isForKernel ? writeByKernel(batch, record..<records.upperBound, into: &output) : record
            run = next > record ? 1 : min(run * 2, 64)
            let end = min(next + run, records.upperBound)
            write(batch, next..<end, into: &output)
            record = end
        }
    }

    /// Writes records by the kernel for as long as it takes them, and returns the first that it does not.
    private func writeByKernel(_ batch: RecordBatch, _ records: Range<Int>, into output: inout [UInt8]) -> Int {
        guard !keyRanges.isEmpty else { return records.lowerBound }
        // Its own bytes, the names, and what stands around values.
        let room = batch.bytes.count + records.count * (keys.count + 16 * keyRanges.count + 64) + 256
        return unsafe KernelOutput.write(
            from: records.lowerBound, count: records.upperBound, room: room, into: &output
        ) { record, buffer in
            unsafe runKernel(batch, record..<records.upperBound, into: buffer)
        }
    }

    private func runKernel(
        _ batch: RecordBatch, _ records: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) -> EncoderProgress {
        // In bounds: the kernel's own terms, which are those of the batch, the keys and the buffer.
        unsafe batch.bytes.withUnsafeBytes { bytes in
            unsafe batch.cells.withUnsafeBufferPointer { cells in
                unsafe kernelKeys.withUnsafeBufferPointer { keys in
                    unsafe kernelKeyBytes.withUnsafeBytes { keyBytes in
                        unsafe JSONTextKernel.escapes.withUnsafeBufferPointer { escapes in
                            guard let table = escapes.baseAddress else {
                                return .init(record: records.lowerBound, written: 0)
                            }
                            return unsafe JSONEncoderKernel.write(
                                bytes, cells, from: records.lowerBound, count: records.upperBound, keys: keys, keyBytes,
                                closing: framing == .array ? (0x7D, 1) : (0x0A7D, 2), escapes: table, into: buffer)
                        }
                    }
                }
            }
        }
    }

    /// Lays out the names for the kernel.
    private mutating func makeKernelKeys() {
        (kernelKeys, kernelKeyBytes) = ([], [])
        for range in keyRanges {
            let isFirst = kernelKeys.isEmpty
            var key = keys[range]
            if isFirst { key = Array((framing == .array ? ",\n{" : "{").utf8) + key.dropFirst() }
            kernelKeys.append(.init(offset: kernelKeyBytes.count, length: key.count))
            kernelKeyBytes += key
            kernelKeyBytes.append(UInt8(ascii: "\""))
        }
        // Room to copy whole blocks.
        kernelKeyBytes += Array(repeating: 0, count: 2 * JSONEncoderKernel.block)
    }

    private mutating func write(_ batch: RecordBatch, _ records: Range<Int>, into output: inout [UInt8]) {
        var writer = ByteWriter(taking: &output)
        let (slice, keySlice) = (batch.bytes[...], keys[...])
        let (bytes, keyBytes) = (slice.span, keySlice.span)
        var index = records.lowerBound * keyRanges.count
        for _ in records {
            writer.reserve(8)
            if framing == .array {
                if hasRecords { writer.append(UInt8(ascii: ",")) }
                writer.append(UInt8(ascii: "\n"))
                hasRecords = true
            }
            writer.append(UInt8(ascii: "{"))
            var skipped = 1
            for key in keyRanges {
                let cell = batch.cells[index]
                index += 1
                if cell.kind == .absent { continue }
                // The first member of a record goes without the comma.
                writer.append(keyBytes, (key.lowerBound + skipped)..<key.upperBound)
                skipped = 0
                JSONRecordEncoder.append(cell, of: bytes, to: &writer)
            }
            writer.reserve(2)
            writer.append(UInt8(ascii: "}"))
            if framing == .lines { writer.append(UInt8(ascii: "\n")) }
        }
        writer.finish(into: &output)
    }

    /// The encoder itself: behind the first record all are written alike.
    public func forLaterBatches() -> JSONRecordEncoder? { hasRecords || framing == .lines ? self : nil }

    /// Adds the closing bracket of an array.
    public mutating func finish(into output: inout [UInt8]) {
        guard framing == .array else { return }
        output.append(contentsOf: (hasRecords ? "\n]\n" : "]\n").utf8)
    }

    private static func append(_ cell: Cell, of bytes: Span<UInt8>, to writer: inout ByteWriter) {
        switch cell.kind {
        case .absent: break
        case .null:
            writer.reserve(4)
            writer.append(0x6C6C_756E, count: 4)
        case .text: appendString(bytes, cell.range, to: &writer)
        case .number, .json: writer.append(bytes, cell.range)
        case .boolean:
            writer.reserve(32)
            writer.append(CellText(cell))
        case .date, .dateTime:
            writer.reserve(34)
            writer.append(UInt8(ascii: "\""))
            writer.append(CellText(cell))
            writer.append(UInt8(ascii: "\""))
        }
    }

    /// Adds text as a string of JSON.
    private static func appendString(_ text: Span<UInt8>, _ range: Range<Int>, to writer: inout ByteWriter) {
        writer.reserve(1)
        writer.append(UInt8(ascii: "\""))
        writer.append(text, range, worst: 6) { word in
            ByteScan.bytes(of: word, lessThan: 0x20) | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\""))
                | ByteScan.bytes(of: word, equalTo: UInt8(ascii: "\\"))
        } writing: { byte, writer in
            appendEscape(of: byte, to: &writer)
        }
        writer.reserve(1)
        writer.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to writer: inout ByteWriter) {
        writer.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: writer.append(UInt8(ascii: "b"))
        case 0x09: writer.append(UInt8(ascii: "t"))
        case 0x0A: writer.append(UInt8(ascii: "n"))
        case 0x0C: writer.append(UInt8(ascii: "f"))
        case 0x0D: writer.append(UInt8(ascii: "r"))
        case 0..<0x20:
            writer.append(UInt8(ascii: "u"))
            writer.append(UInt8(ascii: "0"))
            writer.append(UInt8(ascii: "0"))
            writer.append(UInt8(ascii: "0") + byte >> 4)
            let digit = byte & 0x0F
            writer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        default: writer.append(byte)
        }
    }
}
