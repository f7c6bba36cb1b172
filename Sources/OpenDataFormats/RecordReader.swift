public import OpenDataCore

/// Reads a payload's text in windows and hands out its records in batches.
///
/// Memory: one window, however long the payload; a record longer than a window makes the window grow to hold it.
public struct RecordReader: Sendable {
    var source: any ByteSource
    var decoder: any RecordDecoder
    let windowSize: Int
    // What was read and not yet decoded, from `byteOffset` on.
    var pending: [UInt8] = []
    var byteOffset = 0
    var isAtEnd = false
    var isFinished = false
    // How many chunks have ended elsewhere than was thought.
    var chunkMisses = 0

    /// The number of records handed out, rejected ones included.
    public internal(set) var recordOffset = 0

    /// The size of a window unless asked for otherwise: 256 KiB.
    public static let defaultWindowSize = 1 << 18

    /// The most bytes of a record, and of whatever else a decoder has to see in one piece: 16 MiB.
    public static let maximumRecord = 1 << 24

    /// Makes a reader of UTF-8 text; ``TextSource`` makes that of any payload.
    public init(_ source: any ByteSource, decoder: any RecordDecoder, windowSize: Int = defaultWindowSize) {
        self.source = source
        self.decoder = decoder
        self.windowSize = max(windowSize, 1)
    }

    /// The columns known so far, even where there are no records.
    public private(set) var columns = Columns([])

    /// What writes plain records, or `nil` where the decoder hands out all as cells, as it does at first.
    package var transcriber: Transcriber? {
        get { (decoder as? any TranscribingDecoder)?.transcriber }
        set {
            guard var transcribing = decoder as? any TranscribingDecoder else { return }
            transcribing.transcriber = newValue
            decoder = transcribing
        }
    }

    /// How many bytes of the text have been handed out as records.
    public var consumedBytes: Int { byteOffset }

    /// What the decoder has found beside the records so far.
    public var members: [String: String] { decoder.members }

    /// The next batch, which has at least one record or reject, or `nil` at the end.
    ///
    /// Throws what the source and the decoder throw, and ``OpenDataError/Code/tooLarge`` for a record of more than
    /// ``maximumRecord`` bytes.
    public mutating func next() throws(OpenDataError) -> RecordBatch? {
        var wanted = windowSize
        while !isFinished {
            let checksItself = source is UTF8Source && (decoder as? any TextCheckingDecoder)?.checksText == true
            try fill(to: wanted, unchecked: checksItself)
            var batch = RecordBatch(bytes: pending, byteOffset: byteOffset, recordOffset: recordOffset)
            pending = []  // The batch is now the only owner of the bytes, and may change them in place.
            let length = batch.bytes.count
            let consumed = try checksItself ? decodeUnchecked(&batch) : decoder.decode(&batch, isLast: isAtEnd)
            columns = batch.columns
            pending = Array(batch.bytes[consumed..<length])
            byteOffset += consumed
            recordOffset += batch.readCount
            isFinished = isAtEnd && pending.isEmpty
            if batch.readCount > 0 { return batch }
            if consumed == 0, !isFinished { try growWindow(&wanted) }
        }
        return nil
    }

    /// Reads until the window has `wanted` bytes or the payload ends.
    mutating func fill(to wanted: Int, unchecked: Bool) throws(OpenDataError) {
        pending.reserveCapacity(wanted)
        guard unchecked, var text = source as? UTF8Source else {
            while !isAtEnd, pending.count < wanted {
                isAtEnd = try source.read(wanted - pending.count, into: &pending) == 0
            }
            return
        }
        defer { source = text }
        while !isAtEnd, pending.count < wanted {
            isAtEnd = try text.readUnchecked(wanted - pending.count, into: &pending) == 0
        }
    }

    /// Decodes a window by a decoder that checks the text itself.
    private mutating func decodeUnchecked(_ batch: inout RecordBatch) throws(OpenDataError) -> Int {
        guard var decoder = decoder as? any TextCheckingDecoder, let text = source as? UTF8Source else { return 0 }
        defer { self.decoder = decoder }
        return try decoder.decodeUnchecked(&batch, isLast: isAtEnd, textOffset: text.textOffset)
    }

    /// Has the next window be larger, to hold a record that the last one did not.
    private func growWindow(_ wanted: inout Int) throws(OpenDataError) {
        guard !isAtEnd, pending.count < RecordReader.maximumRecord else {
            throw OpenDataError(
                .tooLarge,
                "a record has more than \(RecordReader.maximumRecord >> 20) MiB; is a quote or a bracket never closed?",
                position: Position(record: recordOffset + 1, byte: byteOffset))
        }
        wanted = min(max(pending.count * 2, windowSize), RecordReader.maximumRecord)
    }
}
