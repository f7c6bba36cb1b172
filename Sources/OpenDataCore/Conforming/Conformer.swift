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
    private var steps: [ConformKernel.Step]
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
        steps = plans.map(\.kernelStep)
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
        let input = ConformInput(
            cells: batch.cells, width: batch.columns.count, sources: mapping.sources,
            markSources: mapping.markSources,
            sharesColumns: mapping.sharesColumns, constants: constantOutcomes(mapping, in: &batch))

        // Local and unique: cells are read from and rewritten over the same bytes.
        var bytes = batch.bytes
        batch.bytes = []
        let origins = batch.origins
        var rejects: [Reject] = []
        var kept: [RecordOrigin]?
        // Room for one cell at least: an array without any writes its count to storage that all empty arrays share.
        let room = max(origins.count * fields.count, 1)
        batch.cells = unsafe [Cell](unsafeUninitializedCapacity: room) { output, count in
            var record = 0
            while record < origins.count {
                // In bounds: there is room for every record that is not yet written.
                let next = unsafe takeFittingRecords(input, bytes, from: record, origins.count, output, at: count)
                count += (next - record) * fields.count
                kept?.append(contentsOf: origins[record..<next])
                record = next
                guard record < origins.count else { break }
                if let fault = unsafe read(record, of: input, &bytes, into: output, at: &count) {
                    if kept == nil { kept = Array(origins[..<record]) }
                    rejects.append(reject(fault, origins[record], bytes))
                } else {
                    kept?.append(origins[record])
                }
                record += 1
            }
        }
        batch.bytes = bytes
        if let kept { batch.origins = kept }
        batch.rejects += rejects
        // Those of the decoder and these, in the order of the payload.
        if !rejects.isEmpty { batch.rejects.sort { $0.origin.record < $1.origin.record } }
        batch.columns = Columns(fields.map(\.name))
        return batch
    }

    /// Hands records to the kernel, and returns the first that it does not take.
    private mutating func takeFittingRecords(
        _ input: ConformInput, _ bytes: [UInt8], from record: Int, _ count: Int,
        _ output: UnsafeMutableBufferPointer<Cell>, at place: Int
    ) -> Int {
        guard fields.count == plans.count, input.markSources.allSatisfy({ $0 == nil }), let start = output.baseAddress
        else { return record }
        for number in steps.indices {
            if let column = input.sources[number] {
                steps[number].column = column
            } else if case .cell(let cell) = input.constants[number], !(cell.isEmpty && plans[number].isRequired) {
                (steps[number].column, steps[number].cell) = (-1, cell)
            } else {
                return record
            }
        }
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe input.cells.withUnsafeBufferPointer { cells in
                unsafe steps.withUnsafeBufferPointer { steps in
                    unsafe ConformKernel.conform(
                        bytes, cells, width: input.width, from: record, count: count, steps, into: start + place)
                }
            }
        }
    }

    /// Reads one record by the plans of its fields; of a record with a fault nothing is written.
    private mutating func read(
        _ record: Int, of input: ConformInput, _ bytes: inout [UInt8], into output: UnsafeMutableBufferPointer<Cell>,
        at count: inout Int
    ) -> Fault? {
        var place = count
        for number in plans.indices {
            var mark = Cell.null
            let cell = input.sources[number].map { input.cells[record * input.width + $0] }
            let outcome =
                cell.map {
                    plans[number].read(
                        $0, in: &bytes, overwrites: !input.sharesColumns, &lastDays[number], mark: &mark)
                } ?? input.constants[number]
            guard case .cell(let value) = outcome else { return Fault(field: number, code: .type, cell: cell ?? .null) }
            if value.isEmpty, plans[number].isRequired {
                return Fault(field: number, code: .required, cell: cell ?? .null)
            }
            unsafe output[place] = value
            place += 1
            plans[number].remember(lastDays[number], in: &steps[number])
            if plans[number].hasMarks, mark.kind != .text, let column = input.markSources[number] {
                let kept = input.cells[record * input.width + column]
                if kept.kind == .text, kept.length > 0 { mark = kept }
            }
            if plans[number].hasMarks {
                if keepsMarks {
                    unsafe output[place] = mark
                    place += 1
                } else if mark.kind == .text {
                    droppedMarks += 1
                }
            }
        }
        count = place
        return nil
    }

    /// The constants of fields without a column, read once for all records of a batch.
    private mutating func constantOutcomes(
        _ mapping: ColumnMapping, in batch: inout RecordBatch
    ) -> [FieldPlan.Outcome] {
        plans.indices.map { number in
            guard let text = mapping.constants[number] else { return .cell(.null) }
            let cell = batch.append(text: text)
            var mark = Cell.null
            return plans[number].read(cell, in: &batch.bytes, &lastDays[number], mark: &mark)
        }
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
        let known = Set(unknownColumns)
        unknownColumns += found.unknown.filter { !known.contains($0) }
        return found
    }

    /// The cells of a batch and where each field's are.
    private struct ConformInput {
        var cells: [Cell]
        var width: Int
        /// The column of each field, or `nil`.
        var sources: [Int?]
        /// The column of each field's marks, or `nil`.
        var markSources: [Int?]
        /// Whether a column is read by several fields.
        var sharesColumns: Bool
        /// What each field without a column is in every record.
        var constants: [FieldPlan.Outcome]
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
