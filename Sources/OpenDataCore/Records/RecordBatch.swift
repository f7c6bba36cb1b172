/// Records between a decoder and an encoder: a block of bytes and a flat, row-major array of cells.
///
/// A batch covers a few hundred kilobytes of payload. No cell and no record has storage of its own: a ``Cell`` points
/// into `bytes`, so that decoding a record allocates nothing.
@frozen
public struct RecordBatch: Sendable {
    /// The window of the payload that the records were decoded from, then whatever was added to it.
    public var bytes: [UInt8]
    /// The columns of every record.
    public var columns: Columns
    /// `count × columns.count` cells, record after record.
    public var cells: [Cell]
    /// Where each record stands in the payload, one entry a record.
    public var origins: [RecordOrigin]
    /// The records that the payload has and the batch does not, with the reason.
    public var rejects: [Reject]
    /// The cells of records in the batch that do not fit and have become null, with the reason.
    public var nulled: [Reject] = []
    /// How many records of the payload were left out because the caller has not asked for them.
    public var leftOut = 0
    /// The offset of `bytes` in the payload's text.
    public var byteOffset: Int
    /// The number of records before the batch, rejected ones included.
    public var recordOffset: Int
    /// Records that were written while they were decoded, of which there are no cells; none unless asked for.
    @usableFromInline package var transcript: Transcript
    /// What the numbers of cells are, as far as it has been noted: as many notes as cells, or none.
    @usableFromInline package var numbers: [NumberNote] = []
    /// Whether records and lines of origins count from the start of the payload, not from that of a chunk of it.
    @usableFromInline package var hasPlaces = true

    /// Makes a batch without records over a window of the payload.
    public init(bytes: [UInt8] = [], columns: Columns = Columns([]), byteOffset: Int = 0, recordOffset: Int = 0) {
        self.bytes = bytes
        self.columns = columns
        self.byteOffset = byteOffset
        self.recordOffset = recordOffset
        transcript = Transcript()
        cells = []
        origins = []
        rejects = []
    }

    /// What does not fit, of records left out and of those that stay, in the order of the payload.
    public var faults: [Reject] {
        nulled.isEmpty ? rejects : (rejects + nulled).sorted { $0.origin.record < $1.origin.record }
    }

    /// The number of records.
    @inlinable public var count: Int { origins.count }

    /// The number of records read from the payload: those in the batch, those rejected and those left out.
    public var readCount: Int { acceptedCount + rejects.count + leftOut }

    /// The number of records that were neither rejected nor left out: those in the batch and those written already.
    package var acceptedCount: Int { origins.count + transcript.count }

    /// The cell of a record and a column, both from 0.
    @inlinable
    public subscript(record: Int, column: Int) -> Cell { cells[record * columns.count + column] }

    /// The text of a text, number or JSON cell, from its bytes.
    @inlinable
    public func text(of cell: Cell) -> String { String(decoding: bytes[cell.range], as: UTF8.self) }

    /// Adds text to the bytes and returns the cell that points at it.
    public mutating func append(text: String) -> Cell {
        let offset = bytes.count
        bytes.append(contentsOf: text.utf8)
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return Cell(.text, offset: offset, length: bytes.count - offset, plain: isPlain)
    }
}
