import OpenDataCore
import OpenDataFormats

/// What a payload decodes to, as little of it as tells two readings apart.
struct Reading {
    var count = 0
    /// Made of all records: the names of their columns, their values, and where they begin.
    var hash = 0
    var rejects: [Reject] = []
    var members: [String: String] = [:]
    /// The columns, where there are no records.
    var header: [String] = []
    var failure: OpenDataError.Code?
    var message = ""
    var position: Position?
    /// What is wrong with the reading in itself.
    var fault: String?
    /// The batches, where they are asked for.
    var batches: [RecordBatch] = []

    var isAccepted: Bool { failure == nil }

    /// Whether two readings of one payload, with windows of two sizes, agree.
    ///
    /// Text is checked a window at a time and ahead of the decoder. So a payload that is no text everywhere is refused
    /// by both; but how many records come before the error, and whether another error does, is a matter of the windows.
    func agrees(with other: Reading) -> Bool {
        if failure == .invalidText || other.failure == .invalidText {
            return failure != nil && other.failure != nil
                && (failure != other.failure || position == other.position)
        }
        return count == other.count && hash == other.hash && rejects == other.rejects && members == other.members
            && header == other.header && failure == other.failure && message == other.message
            && position == other.position
    }

    /// Reads a payload in a format.
    init(
        _ payload: Payload, _ format: Format, window: Int = RecordReader.defaultWindowSize,
        invalid: TextSource.InvalidText = .refused, keepsBatches: Bool = false
    ) {
        var hasher = Hasher()
        do throws(OpenDataError) {
            let text = try TextSource.open(payload, encodings: format.encodings, invalid: invalid)
            let decoder = try FormatRegistry.standard.decoder(for: format)
            var reader = RecordReader(text.source, decoder: decoder, windowSize: window)
            // Members are to be the same when an error is thrown, so they are read whatever happens.
            defer { members = reader.members }
            var record = 1
            while let batch = try reader.next() {
                take(batch, &hasher, first: record)
                record += batch.readCount
                if keepsBatches { batches.append(batch) }
            }
            if count == 0 { header = reader.columns.names }
            if record != reader.recordOffset + 1 {
                fault = "\(record - 1) records came, \(reader.recordOffset) are told"
            }
        } catch {
            (failure, message, position) = (error.code, error.message, error.position)
        }
        hash = hasher.finalize()
    }

    private mutating func take(_ batch: RecordBatch, _ hasher: inout Hasher, first: Int) {
        var columns = Hasher()
        for name in batch.columns.names { columns.combine(name) }
        let names = columns.finalize()
        let width = batch.columns.count
        count += batch.count
        rejects += batch.rejects
        if batch.cells.count != batch.count * width {
            fault = "\(batch.cells.count) cells in \(batch.count) records of \(width)"
            return
        }
        unsafe batch.bytes.withUnsafeBytes { bytes in
            var index = 0
            for origin in batch.origins {
                hasher.combine(names)
                hasher.combine(origin)
                if origin.record < first || origin.line < 1 { fault = "a record begins at \(origin)" }
                for _ in 0..<width {
                    let cell = batch.cells[index]
                    index += 1
                    hasher.combine(cell.kind)
                    switch cell.kind {
                    case .absent, .null: break
                    case .boolean: hasher.combine(cell.boolean)
                    case .date: hasher.combine(cell.date)
                    case .dateTime: hasher.combine(cell.dateTime)
                    case .text, .number, .json:
                        guard cell.range.upperBound <= bytes.count else {
                            fault = "a cell reaches beyond its batch"
                            continue
                        }
                        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[cell.range])
                        unsafe hasher.combine(bytes: text)
                        hasher.combine(0xFF as UInt8)
                        if cell.isPlain,
                            !(unsafe text.allSatisfy {
                                $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                            })
                        {
                            fault = "a cell with escapes is called plain"
                        }
                    }
                }
            }
        }
    }

    /// The reading in words, for a report.
    var summary: String {
        let codes = rejects.map { "\($0.code.rawValue)@\($0.origin.line)" }.joined(separator: " ")
        let error = failure.map { "\($0.rawValue): \(message) [\(position?.description ?? "")]" } ?? "no error"
        return
            "\(count) records (\(hash)), rejects [\(codes.prefix(300))], members \(members.description.prefix(300)), header \(header), \(error)"
    }
}

extension Payload {
    /// A payload of bytes.
    init(_ bytes: [UInt8]) { self.init(response: Response(url: "fuzz:"), body: .bytes(bytes)) }
}

extension Trial {
    /// Reads the input twice, with windows of two sizes, and notes what is not the same.
    mutating func read(_ format: Format, window: Int, keepsBatches: Bool = false) -> Reading {
        let payload = Payload(bytes)
        let one = Reading(payload, format, keepsBatches: keepsBatches)
        let other = Reading(payload, format, window: window)
        if let fault = one.fault ?? other.fault { fail(fault) }
        if !one.agrees(with: other) {
            fail("with windows of \(window): \(other.summary)\n  with one window: \(one.summary)")
        }
        return one
    }
}
