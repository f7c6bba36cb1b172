import OpenDataCore
import OpenDataFormats

/// The rest of a payload, conformed and made into something by several threads at once, and handed on in order.
///
/// Where the format allows it, decoding is shared out as well: the text is cut where records seem to end, and each
/// chunk is decoded by itself. Where a chunk turns out to end elsewhere, or to hold something that no chunk should,
/// what is left of it and those behind it go back to be read in order, so that the result and every error are always
/// those of reading in order.
struct ParallelPage<Product: Sendable>: Sendable {
    private(set) var reader: RecordReader
    let conformer: Conformer
    /// What is made of a batch and the number of its part, from 0: encoded text, rows.
    let make: @Sendable (RecordBatch, Int) -> Product
    /// Called with the members found when reading fails: throws what explains more than the failure.
    let explain: @Sendable ([String: String]) throws(OpenDataError) -> Void

    /// What is made of a chunk or a batch.
    struct Part: Sendable {
        /// What was made of the records; `nil` if there are none.
        var product: Product?
        /// The number of records.
        var written = 0
        /// What did not fit, of records left out and of those that stay, with its place in the payload.
        var faults: [Reject] = []
        /// How many of them stay.
        var nulled = 0
        /// Records that the caller has not asked for.
        var leftOut = 0
        /// Marks that were taken off and not handed on.
        var droppedMarks = 0
        /// Columns that the schema does not have, those of other parts included.
        var unknownColumns: [String] = []
        /// What ended the work on the part, after the records above.
        var failure: OpenDataError?
        /// Whether the product tells a place that is counted from the chunk's beginning.
        fileprivate var tellsPlaceInChunk = false
    }

    /// Reads to the end of the payload, or as far as it can by several threads.
    ///
    /// - Parameters:
    ///   - ahead: How many parts may wait for one that is late.
    ///   - emit: Takes the parts in the order of the payload.
    mutating func run(
        threads: Int, ahead: Int, emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let limit = (atOnce: min(threads, 16) * 2, ahead: ahead)
        if let decoder = reader.chunkDecoder {
            try await run(decoder, limit: limit, emit: emit)
        } else {
            try await runBatches(limit: limit, emit: emit)
        }
    }

    /// Decodes batches one after the other, and works on them at the same time.
    private mutating func runBatches(
        limit: (atOnce: Int, ahead: Int), emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let work = Worker(conformer: conformer, make: make)
        var reader = reader
        var number = 0
        defer { self.reader = reader }
        try await OrderedTasks.run(limit: limit.atOnce, ahead: limit.ahead) { () throws(OpenDataError) in
            do throws(OpenDataError) {
                defer { number += 1 }
                return try reader.next().map { batch in { @Sendable [number] in work.part(number, of: batch) } }
            } catch {
                try explain(reader.members)
                throw error
            }
        } emit: { (part: Part) throws(OpenDataError) in
            try emit(part)
        }
    }

    /// Decodes chunks at the same time, up to one that is not what it was taken for or the last.
    private mutating func run<Decoder: ChunkDecoder>(
        _ start: Decoder, limit: (atOnce: Int, ahead: Int), emit: (Part) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) {
        let work = Worker(conformer: conformer, make: make)
        let reading = ChunkWorker(start: start, work: work)
        var reader = reader
        // The decoder behind the last chunk, and the number of records up to there.
        var decoder = start
        var records = reader.recordOffset
        // What is to be read in order, once a chunk was not what it was taken for, and how much of the first is not.
        var (left, consumed): ([RecordReader.Chunk], Int) = ([], 0)
        var number = 0
        try await OrderedTasks.run(limit: limit.atOnce, ahead: limit.ahead) { () throws(OpenDataError) in
            guard left.isEmpty else { return nil }
            defer { number += 1 }
            return try reader.nextChunk(start).map { chunk in
                { @Sendable [number] in reading.decode(number, chunk) }
            }
        } emit: { (work: DecodedChunk<Decoder, Product>) throws(OpenDataError) in
            guard left.isEmpty, var part = work.part else {
                left.append(work.chunk)
                return
            }
            part.move(lines: decoder.line - 1, records: records)
            records += work.readCount
            let isAsExpected = decoder.follow(work.decoder)
            if !isAsExpected || work.consumed < work.chunk.count { (left, consumed) = ([work.chunk], work.consumed) }
            try emit(part)
        }
        try reader.resume(decoder, recordOffset: records, left: left, consumed: consumed)
        self.reader = reader
    }
}

extension ParallelPage.Part {
    /// Gives what failed its place within the part, of which the byte is known.
    fileprivate mutating func place(by origins: [RecordOrigin]) {
        guard var placed = product as? any Placed, placed.place(by: origins) else { return }
        product = placed as? Product
        tellsPlaceInChunk = true
    }

    /// Gives a part its place in the payload, which is known only when those before it are decoded.
    fileprivate mutating func move(lines: Int, records: Int) {
        for index in faults.indices {
            faults[index].origin.line += lines
            faults[index].origin.record += records
        }
        guard tellsPlaceInChunk, var placed = product as? any Placed else { return }
        placed.move(lines: lines, records: records)
        product = placed as? Product
    }
}

/// What is made of a batch and tells places in it.
private protocol Placed {
    /// Adds line and record to the byte where a record begins, or returns false if there is no such place to tell.
    mutating func place(by origins: [RecordOrigin]) -> Bool
    /// Counts lines and records from so many further on.
    mutating func move(lines: Int, records: Int)
}

extension Result: Placed where Failure == any Error {
    fileprivate mutating func place(by origins: [RecordOrigin]) -> Bool {
        // An error of the row's own that tells a line stays as it is.
        guard case .failure(var error as OpenDataError) = self, error.position?.line == nil,
            let origin = origins.first(where: { $0.byte == error.position?.byte })
        else { return false }
        error.position?.line = origin.line
        error.position?.record = origin.record
        self = .failure(error)
        return true
    }

    fileprivate mutating func move(lines: Int, records: Int) {
        guard case .failure(var error as OpenDataError) = self else { return }
        if let line = error.position?.line { error.position?.line = line + lines }
        if let record = error.position?.record { error.position?.record = record + records }
        self = .failure(error)
    }
}

/// A chunk and what became of it.
private struct DecodedChunk<Decoder: ChunkDecoder, Product: Sendable>: Sendable {
    let chunk: RecordReader.Chunk
    /// What was made of its records, counted from 1 as its lines are; `nil` if the decoder refused it.
    var part: ParallelPage<Product>.Part?
    /// The decoder behind the bytes that it consumed.
    var decoder: Decoder
    var consumed = 0
    var readCount = 0
}

/// What every thread does to its part: an object, for one reference is counted where the conformer has many.
private final class Worker<Product: Sendable>: Sendable {
    private let conformer: Conformer
    private let make: @Sendable (RecordBatch, Int) -> Product

    init(conformer: Conformer, make: @escaping @Sendable (RecordBatch, Int) -> Product) {
        self.conformer = conformer
        self.make = make
    }

    func part(_ number: Int, of batch: consuming RecordBatch) -> ParallelPage<Product>.Part {
        var conformer = conformer
        let droppedBefore = conformer.droppedMarks
        var part = ParallelPage<Product>.Part()
        do {
            let conformed = try conformer.conform(batch)
            if conformed.acceptedCount > 0 { part.product = make(conformed, number) }
            if !conformed.hasPlaces { part.place(by: conformed.origins) }
            part.written = conformed.acceptedCount
            part.faults = conformed.faults
            part.nulled = conformed.nulled.count
            part.leftOut = conformed.leftOut
            part.droppedMarks = conformer.droppedMarks - droppedBefore
            part.unknownColumns = conformer.unknownColumns
        } catch {
            part.failure = error
        }
        return part
    }
}

/// What every thread does to its chunk.
private final class ChunkWorker<Decoder: ChunkDecoder, Product: Sendable>: Sendable {
    private let start: Decoder
    private let work: Worker<Product>

    init(start: Decoder, work: Worker<Product>) {
        var start = start
        start.line = 1
        (self.start, self.work) = (start, work)
    }

    func decode(_ number: Int, _ chunk: RecordReader.Chunk) -> DecodedChunk<Decoder, Product> {
        var decoded = DecodedChunk<Decoder, Product>(chunk: chunk, decoder: start)
        // What is found wrong will be found again in order, and then its place is known.
        guard let bytes = try? chunk.bytes() else { return decoded }
        var batch = RecordBatch(bytes: bytes, byteOffset: chunk.byteOffset)
        batch.hasPlaces = false
        guard let consumed = try? chunk.decode(&batch, by: &decoded.decoder) else { return decoded }
        decoded.consumed = consumed
        decoded.readCount = batch.readCount
        decoded.part = work.part(number, of: batch)
        return decoded
    }
}
