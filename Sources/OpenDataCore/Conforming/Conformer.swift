/// Brings decoded records into the shape that a schema declares.
///
/// Columns are matched by published name, never by place. Each cell is read by its field's type: white space around it is
/// dropped, what means "missing" becomes null, separators, signs and calendars are made uniform. A record with a cell that
/// does not fit is rejected with the reason; nothing is repaired or guessed.
///
/// The cells are rewritten over the batch's own bytes, so that conforming allocates nothing for a record that fits.
public struct Conformer: Sendable {
    /// The fields of every batch that comes out, in order.
    public let fields: [Field]
    /// Columns that the payload has and the schema does not, by name.
    public private(set) var unknownColumns: [String] = []
    /// How many marks were taken off and are in no field of the output.
    public private(set) var droppedMarks = 0

    private let schema: Schema
    private let constants: [String: String]
    private let keepsMarks: Bool
    private let plans: [FieldPlan]
    private var mapping: ColumnMapping?
    // The last day read of each field and the text it was read from: most columns repeat theirs.
    private var lastDays: [(text: [UInt8], cell: Cell)]

    /// Makes a conformer.
    ///
    /// - Parameters:
    ///   - constants: Texts, by field name, for columns that the payload does not have.
    ///   - marks: Whether fields with marks are followed by their companions, `NAME_mark`.
    public init(_ schema: Schema, constants: [String: String] = [:], marks: Bool = false) {
        self.schema = schema
        self.constants = constants
        keepsMarks = marks
        plans = schema.fields.map(FieldPlan.init)
        lastDays = Array(repeating: ([], .null), count: plans.count)
        fields = Conformer.fields(of: schema, marks: marks)
    }

    /// The fields that records of a schema come out with.
    public static func fields(of schema: Schema, marks: Bool) -> [Field] {
        schema.fields.flatMap { field in
            guard marks, let name = field.markName else { return [field] }
            let companion = Field(
                name, sourceNames: [], type: .string, title: "\(field.title)註記", english: "\(field.english) mark")
            return [field, companion]
        }
    }

    /// The batch with its columns, cells and rejects conforming to the schema.
    ///
    /// Throws ``OpenDataError/Code/schemaChanged`` if a declared column is missing or stands twice, and
    /// ``OpenDataError/Code/unexpectedContent`` if a sentence stands in place of the header.
    /// - Complexity: O(bytes of the batch).
    public mutating func conform(_ batch: consuming RecordBatch) throws(OpenDataError) -> RecordBatch {
        guard !schema.isAsPublished else { return asPublished(batch) }
        let mapping = try mapping(of: batch.columns)
        let constantCells = mapping.constants.map { text in text.map { batch.append(text: $0) } }

        // Local and unique: cells are read from and rewritten over the same bytes.
        var bytes = batch.bytes
        batch.bytes = []
        let width = batch.columns.count
        let origins = batch.origins
        let input = batch.cells
        var output: [Cell] = []
        output.reserveCapacity(origins.count * fields.count)
        var kept: [RecordOrigin] = []
        kept.reserveCapacity(origins.count)
        for record in origins.indices {
            let first = output.count
            var fault: Fault?
            for number in plans.indices {
                let cell =
                    if let column = mapping.sources[number] {
                        input[record * width + column]
                    } else {
                        constantCells[number] ?? .null
                    }
                var mark = Cell.null
                switch plans[number].read(cell, in: &bytes, &lastDays[number], mark: &mark) {
                case .cell(let value):
                    if value.isEmpty, plans[number].isRequired {
                        fault = Fault(field: number, code: .required, cell: cell)
                    }
                    output.append(value)
                case .misfit:
                    fault = Fault(field: number, code: .type, cell: cell)
                }
                if fault != nil { break }
                if plans[number].hasMarks {
                    if keepsMarks { output.append(mark) } else if mark.kind == .text { droppedMarks += 1 }
                }
            }
            if let fault {
                output.removeSubrange(first...)
                batch.rejects.append(reject(fault, origins[record], bytes))
            } else {
                kept.append(origins[record])
            }
        }
        batch.bytes = bytes
        batch.cells = output
        batch.origins = kept
        batch.columns = Columns(fields.map(\.name))
        return batch
    }

    /// Throws ``OpenDataError/Code/schemaChanged`` if the columns of a payload, even of one without records, are not the
    /// declared ones.
    public mutating func check(_ columns: Columns) throws(OpenDataError) {
        if !schema.isAsPublished { _ = try mapping(of: columns) }
    }

    /// Where each field comes from, found anew where columns have changed.
    private mutating func mapping(of columns: Columns) throws(OpenDataError) -> ColumnMapping {
        if let mapping, mapping.isFor(columns) { return mapping }
        let found = try ColumnMapping(schema, columns, constants: constants)
        mapping = found
        for name in found.unknown where !unknownColumns.contains(name) { unknownColumns.append(name) }
        return found
    }

    /// A cell at fault.
    private struct Fault {
        var field: Int
        var code: Reject.Code
        var cell: Cell
    }

    private func reject(_ fault: Fault, _ origin: RecordOrigin, _ bytes: [UInt8]) -> Reject {
        let field = schema.fields[fault.field]
        let raw: String =
            switch fault.cell.kind {
            case .text, .number, .json: String(decoding: bytes[fault.cell.range].prefix(800), as: UTF8.self)
            case .boolean: String(fault.cell.boolean)
            default: ""
            }
        let message =
            fault.code == .required
            ? "\(field.name) must have a value and has '\(raw)'"
            : "'\(raw.prefix(80))' is no \(plans[fault.field].noun)"
        return Reject(origin: origin, code: fault.code, field: field.name, raw: raw, message: message)
    }

    /// Every column under its own name; only bare empty cells, which say nothing, become null.
    private func asPublished(_ batch: consuming RecordBatch) -> RecordBatch {
        for index in batch.cells.indices {
            let cell = batch.cells[index]
            if cell.kind == .text, cell.length == 0, !cell.isQuoted { batch.cells[index] = .null }
        }
        return batch
    }
}
