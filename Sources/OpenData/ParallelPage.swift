import OpenDataCore
import OpenDataFormats

/// The rest of a payload, conformed and made into something by several threads at once, and handed on in order.
///
/// Where the format allows it, decoding is shared out as well: the text is cut where records seem to end, and each chunk
/// is decoded by itself. A chunk whose predecessor turns out to end elsewhere is decoded again from there, so that the
/// result is always that of reading in order.
struct ParallelPage<Product: Sendable>: Sendable {
    private(set) var reader: RecordReader
    let conformer: Conformer
    /// What is made of a batch: encoded text, rows.
    let make: @Sendable (RecordBatch) -> Product

    /// What is made of a chunk or a batch.
    struct Part: Sendable {
        /// What was made of the records; `nil` if there are none.
        var product: Product?
        /// The number of records.
        var written = 0
        /// Records that did not fit, with their places in the payload.
        var rejects: [Reject] = []
        /// Marks that were taken off and not handed on.
        var droppedMarks = 0
        /// Columns that the schema does not have, those of other parts included.
        var unknownColumns: [String] = []
        /// What ended the work on the part, after the records above.
        var failure: OpenDataError?

        // Of a chunk: the bytes that its whole records take, and the lines.
        fileprivate var consumed = 0
        fileprivate var lines = 0
    }

    /// Reads to the end of the payload.
    ///
    /// - Parameter emit: Takes the parts in the order of the payload.
    mutating func run(
        threads: Int, emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        if let decoder = reader.chunkDecoder {
            try await run(decoder, threads: threads, emit: emit)
        } else {
            try await runBatches(threads: threads, emit: emit)
        }
    }

    /// Decodes batches one after the other, and works on them at the same time.
    private mutating func runBatches(
        threads: Int, emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let work = Worker(conformer: conformer, make: make)
        var reader = reader
        defer { self.reader = reader }
        try await OrderedTasks.run(limit: min(threads, 16) * 2) { () throws(OpenDataError) in
            try reader.next().map { batch in { @Sendable in work.part(of: batch) } }
        } emit: { (part: Part) throws(OpenDataError) in
            try emit(part)
        }
    }

    private mutating func run(
        _ decoder: some ChunkDecoder, threads: Int, emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let work = Worker(conformer: conformer, make: make)
        var reader = reader
        defer { self.reader = reader }
        var place = ChunkPlace(line: decoder.line, record: reader.recordOffset)
        // What the chunk before left over, because it ends elsewhere than was thought.
        var rest: RecordReader.Chunk?
        var isCareful = false
        try await OrderedTasks.run(limit: min(threads, 16) * 2) { () throws(OpenDataError) in
            try reader.nextChunk(decoder, careful: isCareful).map { chunk in
                { @Sendable in (chunk, work.part(of: chunk, decoder)) }
            }
        } emit: { (item: (chunk: RecordReader.Chunk, part: Part)) throws(OpenDataError) in
            var (chunk, part) = item
            if let left = rest {
                chunk.bytes = left.bytes + chunk.bytes
                chunk.byteOffset = left.byteOffset
                part = work.part(of: chunk, decoder)
            }
            rest = nil
            if part.failure == nil, part.consumed < chunk.bytes.count {
                isCareful = true
                rest = chunk
                rest?.bytes.removeFirst(part.consumed)
                rest?.byteOffset += part.consumed
            }
            place.move(&part)
            try emit(part)
        }
        if var left = rest {
            left.isLast = true
            var part = work.part(of: left, decoder)
            place.move(&part)
            try emit(part)
        }
    }
}

/// Where a chunk stands in its payload, which is known only when those before it are decoded.
private struct ChunkPlace {
    var line: Int
    var record: Int

    /// Gives a part its place, and moves on to the next.
    mutating func move<Product>(_ part: inout ParallelPage<Product>.Part) {
        for index in part.rejects.indices {
            part.rejects[index].origin.line += line - 1
            part.rejects[index].origin.record += record
        }
        if let first = part.failure?.position?.line { part.failure?.position?.line = first + line - 1 }
        if let first = part.failure?.position?.record { part.failure?.position?.record = first + record }
        line += part.lines
        record += part.written + part.rejects.count
    }
}

/// What every thread does to its part.
private struct Worker<Product: Sendable>: Sendable {
    let conformer: Conformer
    let make: @Sendable (RecordBatch) -> Product

    func part(of chunk: RecordReader.Chunk, _ decoder: some ChunkDecoder) -> ParallelPage<Product>.Part {
        var decoder = decoder
        decoder.line = 1
        var batch = RecordBatch(bytes: chunk.bytes, byteOffset: chunk.byteOffset)
        do {
            let consumed = try decoder.decodeUnchecked(&batch, isLast: chunk.isLast, textOffset: chunk.textOffset)
            var part = part(of: batch)
            (part.consumed, part.lines) = (consumed, decoder.line - 1)
            return part
        } catch {
            return ParallelPage<Product>.Part(failure: error)
        }
    }

    func part(of batch: consuming RecordBatch) -> ParallelPage<Product>.Part {
        var conformer = conformer
        let droppedBefore = conformer.droppedMarks
        var part = ParallelPage<Product>.Part()
        do {
            let conformed = try conformer.conform(batch)
            if conformed.count > 0 { part.product = make(conformed) }
            part.written = conformed.count
            part.rejects = conformed.rejects
            part.droppedMarks = conformer.droppedMarks - droppedBefore
            part.unknownColumns = conformer.unknownColumns
        } catch {
            part.failure = error
        }
        return part
    }
}
