public import OpenDataCore

/// Writes the records of a fetch to a file or a stream.
public struct Exporter: Sendable {
    /// What is made of each batch: the bytes to write next.
    private var encoder: any RecordEncoder
    /// How many rejected records are accepted before an export to a file is refused.
    public var allowedRejects = 0
    /// How many threads decode and encode at the same time: as many as there are processors, unless changed.
    public var threads = Processors.count
    /// Called with each rejected record, and with each cell that has become null.
    public var onReject: (@Sendable (Reject) -> Void)?

    /// Writes with an encoder.
    public init(_ encoder: any RecordEncoder) { self.encoder = encoder }

    /// Writes the records to a file, which appears whole or not at all.
    ///
    /// Throws what the fetch throws, ``OpenDataError/Code/rejected`` if more records were rejected than allowed, and
    /// ``OpenDataError/Code/unwritable``; in each case the earlier file stays as it was.
    @concurrent
    @discardableResult
    public func write(_ batches: BatchSequence, to path: String) async throws(OpenDataError) -> FetchSummary {
        var file = try AtomicFile(path)
        let summary = try await encode(batches) { (bytes: [UInt8]) throws(OpenDataError) in
            try file.append(bytes)
        }
        if summary.rejected > allowedRejects {
            throw OpenDataError(
                .rejected,
                "\(summary.rejected) of \(summary.read) records do not fit the schema; '\(path)' was not written")
        }
        try file.commit()
        return summary
    }

    /// Writes the records to an open descriptor, in order.
    ///
    /// The first bytes go out when 4 MiB have come together or the fetch has ended well, so that a fetch that fails
    /// early writes nothing. Throws what the fetch throws, and ``OpenDataError/Code/unwritable``.
    @concurrent
    @discardableResult
    public func write(
        _ batches: BatchSequence, toDescriptor descriptor: Int32
    ) async throws(OpenDataError) -> FetchSummary {
        let file = SystemFile(descriptor: descriptor, path: "standard output", closes: false)
        return try await encode(batches) { (bytes: [UInt8]) throws(OpenDataError) in
            try file.write(bytes)
        }
    }

    private func encode(
        _ batches: BatchSequence, to write: ([UInt8]) throws(OpenDataError) -> Void
    ) async throws(OpenDataError) -> FetchSummary {
        var encoder = encoder
        var output = HeldOutput()
        var columns: Columns?
        var iterator = batches.makeAsyncIterator()
        while let batch = try await iterator.next() {
            if let columns {
                try Exporter.check(batch, against: columns)
            } else {
                columns = batch.columns
                encoder.begin(batches.fields ?? Exporter.fields(of: batch.columns), into: &output.bytes)
            }
            for reject in batch.faults { onReject?(reject) }
            encoder.write(batch, into: &output.bytes)
            try output.flush(to: write)
            guard let later = encoder.forLaterBatches() else { continue }
            if let layout = (later as? any TranscribedEncoder)?.layout { iterator.transcribe(layout) }
            try await iterator.takeRest(threads: threads, onReject: onReject) { batch, _ in
                Exporter.encoded(batch, later)
            } emit: { (bytes: [UInt8]) throws(OpenDataError) in
                try output.append(bytes, to: write)
            }
        }
        encoder.finish(into: &output.bytes)
        try output.finish(to: write)
        return iterator.summary
    }

    private static func encoded(_ batch: RecordBatch, _ encoder: any RecordEncoder) -> [UInt8] {
        var (encoder, output) = (encoder, [UInt8]())
        encoder.write(batch, into: &output)
        return output
    }

    private static func fields(of columns: Columns) -> [Field] {
        columns.names.map { Field($0, sourceNames: [$0], type: .any) }
    }

    /// Throws if columns have joined since the header was written, which only data without a schema can do.
    private static func check(_ batch: RecordBatch, against columns: Columns) throws(OpenDataError) {
        guard batch.columns.count > columns.count else { return }
        throw OpenDataError(
            .schemaChanged,
            "the column '\(batch.columns.names[columns.count])' first occurs here, after the columns were taken for complete; "
                + "declare a schema",
            position: batch.origins.first?.position)
    }
}
